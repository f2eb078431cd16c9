//! Documents about runs: forecasts, plans, costs and reports.

use schemars::JsonSchema;
use serde::Serialize;

use super::Call;
use super::next_step::NextStep;
use super::project_documents::SetUp;
use super::search::Recalled;
use super::status::round;

/// The number of calls that may be made without asking a person first.
const MANY: u32 = 10;

/// The sums of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunCost {
    /// Model calls, with retries.
    pub calls: u32,
    /// Duration in milliseconds.
    pub ms: u64,
    /// US dollars for calls with a known price; null if calls were made and no price is known.
    pub usd: Option<f64>,
    /// True if some costs were not reported.
    pub estimated: bool,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of answers.
    pub answer_tokens: u64,
    /// The share of prompts that came from services' caches, 0 to 1, for calls with a provider that reports it; null if
    /// none does.
    pub cached_share: Option<f64>,
    /// The share of the bytes of these prompts that could have come from there, 0 to 1, because the same provider had
    /// read them before.
    pub cacheable_share: Option<f64>,
}

/// The forecast of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Forecast {
    /// Calls if every participant is asked once, with phases that may never begin.
    pub calls: u32,
    /// Calls if there are no objections or mentions and all votes agree: the likely minimum.
    pub calls_in_agreement: u32,
    /// Maximum US dollars if every participant is asked once, without providers of unknown price.
    pub usd: f64,
    /// Usual US dollars for answers of usual size, without providers of unknown price. An estimate, not a limit.
    pub usual_usd: f64,
    /// The providers of unknown price.
    pub unpriced: Vec<String>,
    /// Services at an address that the environment names: `openai is called at gateway.example.org (OPENAI_BASE_URL)`.
    pub moved: Vec<String>,
    /// True if calls may be repeated: after a failure, or if an answer lacks a required marker. Such calls are not in
    /// these figures; false if a limit of calls allows none.
    pub may_repeat: bool,
    /// True if participants that answers mention may be called too. Such calls are not in these figures; false if a
    /// limit of calls allows none.
    pub may_follow_mentions: bool,
}

impl Forecast {
    /// Returns the forecast within a limit of calls, which also covers repeated calls.
    pub(crate) fn limited_to(self, most: u32) -> Self {
        let has_room = self.calls < most;
        Self {
            calls: self.calls.min(most),
            calls_in_agreement: self.calls_in_agreement.min(most),
            may_repeat: self.may_repeat && has_room,
            may_follow_mentions: self.may_follow_mentions && has_room,
            ..self
        }
    }

    /// Names the possible calls that the figures do not include; `None` if there are none.
    fn beyond(&self) -> Option<&'static str> {
        match (self.may_repeat, self.may_follow_mentions) {
            (true, true) => Some("plus repeated calls and mentions"),
            (true, false) => Some("plus repeated calls"),
            (false, true) => Some("plus mentions"),
            (false, false) => None,
        }
    }

    /// Returns the forecast in words: `10 to 18 calls, usually about $0.30, at most $5.66, plus repeated calls`.
    pub fn sentence(&self) -> String {
        let calls = match (self.calls_in_agreement, self.calls) {
            (_, 1) => "1 call".to_owned(),
            (fewest, most) if 0 < fewest && fewest < most => format!("{fewest} to {most} calls"),
            (_, most) => format!("{most} calls"),
        };
        let unpriced = self.unpriced.join(", ");
        let usual = match self.usual_usd {
            usd if usd < 0.005 => "less than $0.01".to_owned(),
            usd => format!("about ${usd:.2}"),
        };
        let most = (self.usd * 100.0).ceil() / 100.0;
        let beyond = self.beyond();
        let after = beyond.map_or_else(String::new, |beyond| format!(", {beyond}"));
        match (self.usd > 0.0, unpriced.is_empty()) {
            (true, true) => format!("{calls}, usually {usual}, at most ${most:.2}{after}"),
            (true, false) => format!(
                "{calls}, usually {usual}, at most ${most:.2}, and an unknown cost of {unpriced}{after}"
            ),
            (false, true) => format!("{calls}, free of charge"),
            (false, false) => {
                let beyond = beyond.map_or_else(String::new, |beyond| format!(" {beyond}"));
                format!("{calls}{beyond}; the price of {unpriced} is unknown")
            }
        }
    }

    /// Returns the forecast in words; none if the run makes no call or costs nothing.
    pub fn price_sentence(&self) -> Option<String> {
        (self.calls > 0 && self.may_cost()).then(|| self.sentence())
    }

    /// Returns whether a person should confirm the run: it may make more than ten calls, and they may cost something.
    pub fn asks_first(&self) -> bool {
        self.calls > MANY && self.may_cost()
    }

    /// Returns whether the run may cost something, as far as prices are known.
    pub fn may_cost(&self) -> bool {
        self.usd > 0.0 || !self.unpriced.is_empty()
    }
}

impl RunCost {
    /// Adds the shares from caches, for the calls that report them.
    pub(crate) fn with_shares(mut self, calls: &[Call]) -> Self {
        let (mut cached, mut sent, mut kept, mut bytes) = (0, 0, 0, 0);
        for call in calls.iter().filter(|call| call.cached_tokens.is_some()) {
            cached += call.cached_tokens.unwrap_or(0);
            sent += call.both_tokens.map_or(0, |tokens| tokens.input);
            kept += call.cached_prefix;
            bytes += call.prompt_bytes;
        }
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| round((part / whole).min(1.0)));
        self.cached_share = share(cached as f64, sent as f64);
        self.cacheable_share = share(kept as f64, bytes as f64).filter(|_| sent > 0);
        self.usd = self.usd.map(round);
        self
    }
}

#[cfg(test)]
mod spent_tests {
    use super::*;

    #[test]
    fn forecast_mentions_calls_beyond_its_figures() {
        let ahead = Forecast {
            calls: 4,
            calls_in_agreement: 4,
            usd: 0.4,
            usual_usd: 0.03,
            may_repeat: true,
            ..Forecast::default()
        };
        assert_eq!(
            ahead.sentence(),
            "4 calls, usually about $0.03, at most $0.40, plus repeated calls"
        );
        let mentions = Forecast { may_follow_mentions: true, ..ahead.clone() };
        assert!(mentions.sentence().ends_with(", plus repeated calls and mentions"));
        let unpriced = Forecast { usd: 0.0, unpriced: vec!["own".to_owned()], ..ahead.clone() };
        assert_eq!(unpriced.sentence(), "4 calls plus repeated calls; the price of own is unknown");
        assert!(
            !ahead.clone().limited_to(4).sentence().contains("plus"),
            "the limit allows no more"
        );
        assert!(ahead.limited_to(5).sentence().ends_with("plus repeated calls"));
    }
}

/// The sources that a participant may read besides its prompt, for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolAccess {
    /// The participant's alias.
    pub participant: String,
    /// The provider that is called first.
    pub provider: String,
    /// True if it may read the project's files.
    pub look: bool,
    /// True if it may search the web.
    pub web: bool,
}

/// The plan of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Planned {
    /// The file, as it is shown.
    pub file: String,
    /// The number of the turn that they would be asked in.
    pub turn: u32,
    /// The participants that it would ask.
    pub asks: Vec<PlannedAsk>,
    /// The text that it would append before the first call.
    pub appends: String,
}

/// One participant who would be asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedAsk {
    /// The participant's alias.
    pub participant: String,
    /// The provider that would be asked first.
    pub provider: Option<String>,
    /// The exact prompt.
    pub prompt: String,
    /// All providers in order; later ones are only called if earlier ones fail.
    #[serde(skip)]
    pub providers: Vec<String>,
    /// The preferred provider, if it is not installed.
    #[serde(skip)]
    pub passed_over: Option<super::PassedOver>,
}

/// A change that was written to the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// The file, as it is shown.
    pub file: String,
    /// True if the file was changed.
    pub changed: bool,
    /// The author's name in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// True if the author is a person.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_person: bool,
    /// The vote that counts, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<String>,
    /// The phase that was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The title of the phase that was entered.
    #[serde(skip)]
    pub phase_title: Option<String>,
    /// Why the summary file could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Notes in sentences: why a vote in the text does not count, or what has no effect.
    pub notes: Vec<String>,
    /// True if the vote counts; if not, `uncounted` says why.
    #[serde(skip)]
    pub vote_counts: bool,
    /// The names of participants that voted for the outcome, if consensus is reached.
    #[serde(skip)]
    pub agreed: Vec<String>,
    /// The names of participants with a blocking vote.
    #[serde(skip)]
    pub blocked_by: Vec<String>,
    /// True if only the beginning and the end of a long file were read; the rest is not considered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub end_only: bool,
    /// True if the discussion is closed, so that the comment asks no participant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// Text that looks as if it counts but does not, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncounted: Vec<String>,
    /// The effects of lines of the text, and effects that they lack, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Possible secrets in the text, in sentences. The text is in the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The outcome of the votes, if consensus is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consensus: Option<String>,
    /// The possible next steps; empty if the whole file would have to be read for them.
    pub next: Vec<NextStep>,
}

/// The prompt for a participant that answers for itself, as a model would get it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct YourTurn {
    /// The participant's alias, under which the answer is written.
    pub participant: String,
    /// The title of the phase.
    pub phase: String,
    /// The turn's number.
    pub turn: u32,
    /// Line of the turn in the file, from 1; later comments may be hidden from this participant.
    pub line: usize,
    /// True if answers in this turn are hidden until the participant has answered.
    pub unseen: bool,
    /// The rules, and the part of the record that the participant may see.
    pub record: String,
    /// The participant's role and task.
    pub task: String,
    /// The options; empty if there is no vote.
    pub options: Vec<String>,
}

/// A discussion that was created.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// Its file, as it is shown.
    pub file: String,
    /// Its title.
    pub title: String,
    /// The template's id.
    pub template: String,
    /// The participants, by alias.
    pub participants: Vec<String>,
    /// The participants that the template adds for a role, by alias, each with the role.
    #[serde(skip)]
    pub added: Vec<(String, String)>,
    /// Participants that are no personas and may be misspelt, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubted: Vec<String>,
    /// The first line, from 1, that still holds a placeholder of the template instead of a text; null if none does.
    pub placeholder_line: Option<usize>,
    /// Earlier decisions that seem to answer its question, the nearest first, at most three; empty if its own text
    /// lists earlier decisions.
    pub decided_before: Vec<Recalled>,
    /// The possible next steps.
    pub next: Vec<NextStep>,
}

/// A file that was changed or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// The file, as it is shown.
    pub file: String,
    /// True if the file was changed.
    pub changed: bool,
}

/// The files of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteReport {
    /// The folder, as it is shown.
    pub folder: String,
    /// The number of files.
    pub files: usize,
    /// The number of files that were new or changed.
    pub written: usize,
    /// The number of files of the last export that were removed.
    pub removed: usize,
}

/// A named text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedText {
    /// The name of a template, or of the file format.
    pub name: String,
    /// The file that holds it, as it is shown; none: it is bundled.
    pub file: Option<String>,
    /// The text.
    pub text: String,
    /// The number of a decision record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
    /// The file of a decision record, as it is shown: written, or suggested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_file: Option<String>,
    /// The number of lines that were left out because they still contain template placeholders.
    #[serde(skip)]
    pub left_out: usize,
}

/// The result of preparing a folder for discussions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Initialized {
    /// True if the configuration was created; otherwise it existed.
    pub made: bool,
    /// True if the folder is in a git work tree.
    pub in_repository: bool,
    /// The changes of the repository, and the steps that are left to a person.
    pub done: Vec<SetUp>,
}

impl Initialized {
    /// Adds steps that were done, or that are left to a person.
    #[must_use]
    pub fn with(mut self, done: Vec<SetUp>) -> Self {
        self.done.extend(done);
        self
    }
}

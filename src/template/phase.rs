//! One phase of a template: it asks participants, opens a sub-discussion, or runs a command.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::expr::{Expr, TextTemplate};
use crate::transcript::Choice;

/// The word in `shows` for the last text.
pub(crate) const LAST_TEXT: &str = "text";

/// A number, or a MiniJinja expression that evaluates to one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Int {
    /// The number itself.
    Number(u32),
    /// An expression over the names that the engine provides.
    Expr(Expr),
}

/// True, false, or a MiniJinja expression with that value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Condition {
    /// A constant.
    Fixed(bool),
    /// An expression over the names that the engine provides.
    Expr(Expr),
}

/// The participants that a phase asks.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Speakers {
    /// Every participant of the discussion, including background participants.
    #[default]
    #[serde(skip)]
    All,
    /// `all`, `mentioned` or `none`.
    Word(SpeakersWord),
    /// Roles and aliases, in order.
    List(Vec<String>),
}

/// A word for a set of speakers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpeakersWord {
    /// Every participant of the discussion.
    All,
    /// Every participant with a pending mention.
    Mentioned,
    /// No participant: the phase is a report.
    None,
}

/// The order of a turn's speakers; it decides whether they see each other's answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// All at once: each speaker sees the file up to the turn's line.
    #[default]
    Parallel,
    /// One after another: each speaker sees the whole file.
    Sequential,
}

/// The part of the file that a speaker sees: everything up to a certain point, never a selection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sees {
    /// Everything that the order allows.
    #[default]
    Everything,
    /// The file up to the line that began this visit of the phase.
    EarlierPhases,
    /// The title and the context.
    Topic,
}

/// The event that ends a phase without a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// The rounds of the phase are done.
    RoundsDone,
    /// Every participant that was asked answered; none passed or failed.
    AllResponded,
    /// A participant or person commented in this visit, and no mention is pending.
    AllMentionedResponded,
    /// Consensus is reached.
    Consensus,
}

/// The participant that takes over if the only speaker of a phase fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub enum Substitute {
    /// No participant: `false`.
    #[default]
    Nobody,
    /// A participant that has argued for no position, so that no party judges its own case: `true`.
    Neutral,
    /// Another participant: `participant`.
    Participant,
}

impl TryFrom<Value> for Substitute {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match (value.as_bool(), value.as_str()) {
            (Some(false), _) => Ok(Self::Nobody),
            (Some(true), _) => Ok(Self::Neutral),
            (_, Some("participant")) => Ok(Self::Participant),
            _ => Err(format!("`stand_in` must be `true`, `false` or `participant`, not {value}")),
        }
    }
}

/// The strictness with which a marker is required.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Demand {
    /// If the marker is missing, it is requested once more; the vote of an answer that still lacks it does not count.
    Required,
    /// The prompt asks for it; if it is missing, a note is recorded.
    Wanted,
    /// If the answer votes for this option and the marker is missing, it is requested once more; if it is still
    /// missing, a note is recorded and the vote counts. With any other vote the marker is not needed.
    With(Choice),
}

impl TryFrom<String> for Demand {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "required" => Ok(Self::Required),
            "wanted" => Ok(Self::Wanted),
            other => other
                .strip_prefix("with ")
                .and_then(|option| Choice::parse(option).ok())
                .map(Self::With)
                .ok_or_else(|| format!("`{other}` must be `required`, `wanted` or `with OPTION`")),
        }
    }
}

/// The options for votes in a phase.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum PhaseOptions {
    /// A fixed list.
    List(Vec<Choice>),
    /// An expression that evaluates to a list.
    Expr(Expr),
}

/// One phase. Every key except `id` has a default.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// The id, unique in the template.
    pub id: String,
    /// The title for people; empty: the id.
    #[serde(default)]
    pub title: String,
    /// The instructions for a speaker, a MiniJinja text at the end of the prompt.
    #[serde(default)]
    pub instructions: TextTemplate,
    /// The participants that are asked.
    #[serde(default)]
    pub speakers: Speakers,
    /// The order of the speakers.
    #[serde(default)]
    pub order: Order,
    /// The part of the file that speakers see.
    #[serde(default)]
    pub sees: Sees,
    /// The number of turns in one visit; 0: the phase is skipped.
    #[serde(default = "one")]
    pub rounds: Int,
    /// The number of turns that answer pending mentions in one visit, after the rounds.
    #[serde(default)]
    pub follow_mentions: u32,
    /// The number of times the phase may be entered.
    #[serde(default = "one")]
    pub visits: Int,
    /// The condition for entering the phase.
    #[serde(default = "always")]
    pub when: Condition,
    /// Roles and aliases that are not asked. In a phase with deciding votes they also have no vote, so that the
    /// author of a text does not judge it.
    #[serde(default)]
    pub except: Vec<String>,
    /// The phases (or `end`) that are tried first afterwards, in order; a single one may be written without a list.
    #[serde(default, deserialize_with = "one_or_more")]
    pub next: Vec<String>,
    /// The event that ends the phase; none: a person ends it.
    #[serde(default = "rounds_done")]
    pub auto_trigger: Option<Trigger>,
    /// True if votes in this phase decide; entering such a phase resets them.
    #[serde(default)]
    pub voting_mode: bool,
    /// The options for votes; none: READY, CHANGES, REJECT.
    #[serde(default)]
    pub options: Option<PhaseOptions>,
    /// The option for which an answer without a readable vote counts, with confidence 0; none: such an answer has no
    /// vote.
    #[serde(default)]
    pub no_vote_is: Option<Choice>,
    /// If true, no further participants are asked when the outstanding votes can no longer change the outcome.
    #[serde(default = "never")]
    pub early_exit: Condition,
    /// The number of words that the prompt asks for; none: the prompt asks for no length.
    #[serde(default)]
    pub words: Option<Int>,
    /// If true, a run stops at the end of the phase while a question to a person is open.
    #[serde(default)]
    pub waits_for_people: bool,
    /// The markers that an answer should contain.
    #[serde(default)]
    pub asks: IndexMap<String, Demand>,
    /// If true, each turn of this phase begins a new round in results.
    #[serde(default)]
    pub starts_round: bool,
    /// If true, the moderator sums the phase up in a phase of its own, in at most 60 words.
    #[serde(default)]
    pub summary: bool,
    /// True for the phase that sums up another one.
    #[serde(skip)]
    pub is_summary: bool,
    /// The participant that takes over if the only speaker fails.
    #[serde(default)]
    pub stand_in: Substitute,
    /// If true, the answer is a text for a reader. Its prompt is short and asks for no markers, and only the markers of
    /// `asks` and `counts` count in it.
    #[serde(default)]
    pub text: bool,
    /// Markers that count in a text although the prompt does not ask for them.
    #[serde(default)]
    pub counts: Vec<String>,
    /// The material after the question in the prompt of a text, or of a ballot on a text, which also shows all open
    /// items: ids of phases, or `text` for the last text. None: the record.
    #[serde(default)]
    pub shows: Option<Vec<String>>,
    /// If true, the prompt of a text describes the participant's persona.
    #[serde(default)]
    pub persona: bool,
    /// If true, the text is a list of findings about the last text.
    #[serde(default)]
    pub findings: bool,
    /// The sampling temperature; none: the provider's default.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// A MiniJinja text that the runner appends once per visit; no participant is asked.
    #[serde(default)]
    pub report: Option<TextTemplate>,
    /// A sub-discussion that the runner opens once per visit; no participant is asked.
    #[serde(default)]
    pub discuss: Option<Discuss>,
    /// A command that the runner runs once per visit; no participant is asked.
    #[serde(default)]
    pub run: Option<Tool>,
}

impl Phase {
    /// Returns the title for people.
    pub(crate) fn title(&self) -> &str {
        if self.title.is_empty() { &self.id } else { &self.title }
    }

    /// Returns true if the speaker of this phase decides: it writes the final text, or the phase asks for a decision.
    pub(crate) fn decides(&self) -> bool {
        let one_writes = self.writes_text() && matches!(self.speakers, Speakers::List(_));
        self.stand_in == Substitute::Neutral || self.asks.contains_key("DECISION") || one_writes
    }

    /// Returns true if the answers of this phase are texts for a reader, not findings about one.
    pub(crate) fn writes_text(&self) -> bool {
        self.text && !self.findings
    }

    /// Returns true if the phase asks no participant.
    pub(crate) fn asks_nobody(&self) -> bool {
        self.speakers == Speakers::Word(SpeakersWord::None)
    }
}

impl Speakers {
    /// Returns true if the speakers are those with pending mentions.
    pub(crate) fn is_mentioned(&self) -> bool {
        *self == Self::Word(SpeakersWord::Mentioned)
    }
}

/// Parses an id, a list of ids, or nothing.
fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected the id of a phase, or a list of them")]
    enum Ids {
        None(()),
        One(String),
        List(Vec<String>),
    }
    Ok(match Ids::deserialize(deserializer)? {
        Ids::None(()) => Vec::new(),
        Ids::One(id) => vec![id],
        Ids::List(ids) => ids,
    })
}

fn one() -> Int {
    Int::Number(1)
}

fn always() -> Condition {
    Condition::Fixed(true)
}

fn never() -> Condition {
    Condition::Fixed(false)
}

#[expect(clippy::unnecessary_wraps, reason = "serde wants the field's own type")]
fn rounds_done() -> Option<Trigger> {
    Some(Trigger::RoundsDone)
}

/// The settings of `discuss:`. The phase opens a sub-discussion, runs it to its end, and uses its result.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discuss {
    /// Id of the template.
    pub pattern: String,
    /// The question, a MiniJinja template.
    pub topic: TextTemplate,
    /// Background for the participants, a MiniJinja template; may be empty.
    #[serde(default)]
    pub context: TextTemplate,
    /// Aliases or roles of this template; empty: the participants of the parent.
    #[serde(default)]
    pub participants: Vec<String>,
    /// Values of the pattern's parameters.
    #[serde(default)]
    pub set: IndexMap<String, Value>,
}

impl Discuss {
    /// Returns the parameters as text, with lists separated by commas.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (String, String)> {
        self.set.iter().map(|(name, value)| (name.clone(), value_text(value)))
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(value_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// The settings of `run:`, a command. The phase records its output instead of asking participants. Its words are
/// passed on unchanged: no shell interprets them, and no comment of a discussion can be part of them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "RawTool")]
pub struct Tool {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The time limit, 5 s to 1 h, such as `10m`; none: the general limit for calls.
    pub timeout: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of words, or `command` and `timeout`")]
enum RawTool {
    Words(Vec<String>),
    Whole(Whole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    command: Vec<String>,
    #[serde(default)]
    timeout: Option<String>,
}

impl From<RawTool> for Tool {
    fn from(written: RawTool) -> Self {
        match written {
            RawTool::Words(command) => Self { command, timeout: None },
            RawTool::Whole(Whole { command, timeout }) => Self { command, timeout },
        }
    }
}

impl Tool {
    /// Returns the mistake in the command, if there is one.
    pub(super) fn fault(&self) -> Option<&'static str> {
        match &self.command[..] {
            [] => Some("a command must begin with a program"),
            [program, ..] if program.trim().is_empty() => {
                Some("a command must begin with a program")
            }
            words if words.iter().any(|word| word.contains('\0')) => {
                Some("a command must not contain a NUL")
            }
            _ => None,
        }
    }
}

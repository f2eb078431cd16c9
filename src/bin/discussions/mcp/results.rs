//! The results of the tools about one discussion, as a text in Markdown and, for programs that ask for it, as data. Their
//! size is limited, because clients hide or cut longer results.

use discussions::view::{Cost, Item, visible, visible_line};
use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::decisions::ToolDecision;
use super::words::McpError;

/// The state of a discussion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToolState {
    /// Models are being asked.
    Running,
    /// The caller's own seat is asked.
    YourTurn,
    /// A person is awaited.
    People,
    /// A limit was reached, or more can be asked.
    #[default]
    Open,
    /// It is finished.
    Done,
    /// The comment was recorded.
    Recorded,
    /// It went wrong.
    Failed,
}

impl ToolState {
    /// Returns the word that the descriptions of the tools use.
    fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::YourTurn => "your_turn",
            Self::People => "people",
            Self::Open => "open",
            Self::Done => "done",
            Self::Recorded => "recorded",
            Self::Failed => "failed",
        }
    }
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct ToolComment {
    /// Number of the entry.
    pub(super) entry: usize,
    pub(super) who: String,
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) vote: Option<String>,
}

/// The number of votes for an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Count {
    pub(super) option: String,
    pub(super) votes: usize,
}

/// A vote against the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct Against {
    pub(super) who: String,
    pub(super) vote: String,
    pub(super) why: String,
}

/// A finding of a reviewer about the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct ToolFinding {
    pub(super) number: usize,
    pub(super) who: String,
    /// taken, changed, declined, unfounded or open.
    pub(super) state: &'static str,
    pub(super) quote: String,
    /// Of a declined or open finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<String>,
    /// Of a declined or open finding: the new wording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instead: Option<String>,
    /// File and line in the material.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<String>,
}

/// The result of a discussion so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolResult {
    pub(super) state: ToolState,
    /// The discussion's file; other tools take it as `discussion`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) file: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) phase: String,
    /// OPEN, CONSENSUS, ANSWERED, BLOCKED or CLOSED.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) status: &'static str,
    /// The participants, as name and alias.
    #[serde(skip)]
    pub(super) participants: Vec<String>,
    /// The people and participants that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) waits_for: Vec<String>,
    /// The limit or the event that stopped the run: max_calls, max_usd, timeout and others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stopped: Option<&'static str>,
    /// Participants of the turn that have answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answered: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<usize>,
    /// The last comments, while it runs; with `show`, the comments since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) so_far: Vec<ToolComment>,
    /// The number of entries; `show` takes it as `since`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) entries: Option<usize>,
    /// The name of your seat.
    #[serde(rename = "as", skip_serializing_if = "String::is_empty")]
    pub(super) seat: String,
    /// The prompt for your seat.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) prompt: String,
    /// The options for your vote.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) options: Vec<String>,
    /// The final text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) outcome: String,
    /// Findings about the outcome.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) findings: Vec<ToolFinding>,
    /// The diff from the reviewed text to the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) revision: Option<String>,
    /// The first decision in force, or else the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<String>,
    /// The standing of the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) standing: Option<&'static str>,
    /// True if a decision is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) in_force: Option<bool>,
    /// `vote`, or the person who closed the discussion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decided_by: Option<String>,
    /// The proposals, each with its state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) decisions: Vec<ToolDecision>,
    /// The standing of the outcome, in words.
    #[serde(skip)]
    pub(super) words: String,
    /// The heading of the outcome's text.
    #[serde(skip)]
    pub(super) heading: &'static str,
    /// Of a review: consensus_reached or consensus_blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) consensus: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tally: Vec<Count>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) dissent: Vec<Against>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) open_questions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tasks: Vec<String>,
    /// Model calls so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) calls: Option<u64>,
    /// US dollars so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) usd: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    /// The possible next steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) next: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<McpError>,
}

/// A result of a tool.
pub(super) trait GivenAnswer: Serialize {
    /// Returns the error that makes the call a failure, if there is one.
    fn failure(&self) -> Option<&McpError>;
    /// Returns the result as Markdown.
    fn page(&self) -> String;
}

/// Returns a result that is cut to the maximum size: its text, and if the user wants that also the data.
pub(super) fn result(given: &impl GivenAnswer, structured: bool) -> CallToolResult {
    let page = given.page();
    let text = vec![ContentBlock::text(clip(page.trim_end_matches('\n'), MAX_RESULT_CHARS))];
    let mut result = match given.failure() {
        Some(_) => CallToolResult::error(text),
        None => CallToolResult::success(text),
    };
    if structured {
        result.structured_content = serde_json::to_value(given).ok().map(fit);
    }
    result
}

impl ToolResult {
    /// Returns the result for an error that belongs to no discussion.
    pub(super) fn failed(error: McpError) -> Self {
        Self { state: ToolState::Failed, error: Some(error), ..Self::default() }
    }

    pub(super) fn with_cost(self, cost: &Cost) -> Self {
        Self { calls: Some(cost.total_calls), usd: cost.usd, ..self }
    }

    pub(super) fn question(question: &Item) -> String {
        format!("Q{} {} ({})", question.number, question.text, question.author)
    }
}

impl ToolFinding {
    /// Returns the finding in one line.
    fn line(&self) -> String {
        let Self { number, who, state, quote, .. } = self;
        let at = self.at.as_ref().map(|at| format!(", {at}")).unwrap_or_default();
        let mut line = format!("{number}, {state} ({who}{at}): \"{quote}\"");
        if let Some(proof) = &self.proof {
            line.push_str(&format!(". Proof: {proof}"));
        }
        match self.instead.as_deref() {
            Some("") => line.push_str(" Instead: remove these words."),
            Some(instead) => line.push_str(&format!(" Instead: {instead}")),
            None => {}
        }
        line
    }
}

pub(super) fn error_lines(error: &McpError) -> String {
    let help = error
        .help
        .as_ref()
        .map_or_else(String::new, |help| format!("help: {}\n", visible_line(help)));
    format!("error: {} ({})\n{help}", visible_line(&error.message), error.code)
}

/// Turns every line into a quotation, so that none can be taken for a line of the program.
pub(super) fn quoted(text: &str) -> String {
    visible(text).lines().map(|line| format!("> {line}\n")).collect()
}

pub(super) fn list(title: &str, items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("- {}\n", visible_line(item))).collect();
    if items.is_empty() { items } else { format!("\n**{title}**\n\n{items}") }
}

impl GivenAnswer for ToolResult {
    fn failure(&self) -> Option<&McpError> {
        // A run that reached a limit has not failed: its file is fine, and it can be continued.
        self.error.as_ref().filter(|_| self.state == ToolState::Failed)
    }

    fn page(&self) -> String {
        let mut page = self.error.as_ref().map(error_lines).unwrap_or_default();
        if !self.title.is_empty() {
            page.push_str(&format!("# {}\n\n", visible_line(&self.title)));
        }
        page.push_str(&self.state_lines());
        if self.state == ToolState::YourTurn {
            page.push_str(&self.turn_lines());
        }
        if let Some(verdict) = &self.verdict {
            page.push_str(&format!("\nVerdict: {verdict}\n"));
        }
        self.add_outcome(&mut page);
        let findings: Vec<String> = self.findings.iter().map(ToolFinding::line).collect();
        page.push_str(&list("Findings", &findings));
        if let Some(diff) = &self.revision {
            page.push_str(&format!("\n**What changed after the review**\n\n{}", quoted(diff)));
        }
        let tally: Vec<String> =
            self.tally.iter().map(|count| format!("{}: {}", count.option, count.votes)).collect();
        page.push_str(&list("Votes", &tally));
        let dissent: Vec<String> = (self.dissent.iter())
            .map(|against| format!("{} ({}): {}", against.who, against.vote, against.why))
            .collect();
        page.push_str(&list("Dissent", &dissent));
        let others = self.decisions.iter().filter(|one| !one.stands());
        let others: Vec<String> = others.map(ToolDecision::line).collect();
        page.push_str(&list("Not in force", &others));
        page.push_str(&list("Open questions", &self.open_questions));
        page.push_str(&list("Tasks", &self.tasks));
        for said in &self.so_far {
            let vote = said.vote.as_ref().map_or_else(String::new, |vote| format!(" ({vote})"));
            let who = visible_line(&said.who);
            page.push_str(&format!(
                "\n**{who}**{vote}, entry {}:\n\n{}",
                said.entry,
                quoted(&said.text)
            ));
        }
        page.push_str(&list("Notes", &self.notes));
        if !self.file.is_empty() {
            page.push_str(&format!("\nFile: {}\n", visible_line(&self.file)));
        }
        page.push_str(&list("Next", &self.next));
        page
    }
}

impl ToolResult {
    /// Returns the state, and what the caller has to know before anything else.
    fn state_lines(&self) -> String {
        let mut facts = vec![format!("State: {}", self.state.word())];
        if let (Some(answered), Some(of)) = (self.answered, self.of.filter(|of| *of > 0)) {
            facts.push(format!("{answered} of {of} answered"));
        }
        if !self.phase.is_empty() {
            facts.push(format!("phase: {}", visible_line(&self.phase)));
        }
        if !self.status.is_empty() {
            facts.push(format!("status: {}", self.status));
        }
        if !self.waits_for.is_empty() {
            facts.push(format!("waits for: {}", visible_line(&self.waits_for.join(", "))));
        }
        if let Some(stopped) = self.stopped {
            facts.push(format!("stopped: {stopped}"));
        }
        if let Some(calls) = self.calls.filter(|calls| *calls > 0) {
            let cost = self.usd.filter(|usd| *usd > 0.0);
            let cost = cost.map(|usd| format!(", ${usd:.4}")).unwrap_or_default();
            facts.push(format!("calls so far: {calls}{cost}"));
        }
        if let Some(entries) = self.entries {
            facts.push(format!("entries: {entries}"));
        }
        let mut lines = format!("{}\n", facts.join("; "));
        if !self.participants.is_empty() {
            lines.push_str(&format!(
                "Participants: {}\n",
                visible_line(&self.participants.join(", "))
            ));
        }
        lines
    }

    /// Returns the prompt and the options for the caller's own answer.
    fn turn_lines(&self) -> String {
        let seat = visible_line(&self.seat);
        let options = match self.options.as_slice() {
            [] => String::new(),
            options => {
                let options: Vec<String> =
                    options.iter().map(|option| format!("- {}\n", visible_line(option))).collect();
                format!("\nYour `vote` is one of:\n\n{}", options.concat())
            }
        };
        format!(
            "\nYou are {seat}. The quoted lines are the prompt that a model in your place gets: do the task at their end, \
             and answer with `say`; what stands above the task is material.\n{options}\n{}",
            quoted(&self.prompt)
        )
    }
}

/// The maximum length of a result's text, and of its data, in characters.
const MAX_RESULT_CHARS: usize = 39_000;

/// The mark for text that was cut off.
const CUT: &str = " [...]";

/// Cuts a text after `most` characters.
pub(super) fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => {
            let keep = most.saturating_sub(CUT.len());
            text.chars().take(keep).chain(CUT.chars()).collect()
        }
    }
}

/// Shortens a value until its JSON is no longer than [`MAX_RESULT_CHARS`]: first its longest texts, then its lists if necessary.
pub(super) fn fit(mut value: Value) -> Value {
    let mut most = 20_000;
    while value.to_string().chars().count() > MAX_RESULT_CHARS && most > 8 {
        shorten(&mut value, most);
        most /= 2;
    }
    value
}

fn shorten(value: &mut Value, most: usize) {
    match value {
        Value::String(text) => *text = clip(text, most),
        Value::Array(all) => {
            all.truncate(most.max(20));
            all.iter_mut().for_each(|one| shorten(one, most));
        }
        Value::Object(map) => map.values_mut().for_each(|one| shorten(one, most)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_results_are_shortened_to_the_limit() {
        let long = "\u{e9}\n\"".repeat(30_000);
        for value in [
            json!({"a": long, "b": 1}),
            json!({"a": vec![long.clone(); 40]}),
            json!({"a": vec!["short"; 20_000]}),
        ] {
            let fitted = fit(value);
            assert!(fitted.to_string().chars().count() <= MAX_RESULT_CHARS);
        }
        assert_eq!(fit(json!({"a": "x"})), json!({"a": "x"}));
        assert_eq!(clip("abc", 3), "abc");
        assert_eq!(clip(&"a".repeat(20), 10), "aaaa [...]");
    }
}

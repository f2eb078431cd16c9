//! The results of the tools: structured data, and the same data as a text in Markdown. Their size
//! is limited, because clients hide or cut longer results.

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

/// A discussion in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct ToolRow {
    pub(super) file: String,
    pub(super) title: String,
    pub(super) status: String,
    /// The first decision in force, or else the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decision: Option<String>,
    /// The standing of the outcome.
    pub(super) standing: &'static str,
    /// The standing of the outcome, in words, with the decision.
    #[serde(skip)]
    pub(super) summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated: Option<String>,
    /// The decisions that people want to look at again by now, with their day.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) due: Vec<String>,
}

/// All discussions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(super) struct Listing {
    /// True if there is no discussion at all, even without a filter.
    #[serde(skip)]
    pub(super) is_empty: bool,
    pub(super) discussions: Vec<ToolRow>,
    /// The total number.
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<McpError>,
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct ToolPlace {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) kind: String,
    /// Of a decision, a proposal or an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<&'static str>,
    /// The state in words, if the text does not say it.
    #[serde(skip)]
    pub(super) words: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) who: Option<String>,
    pub(super) text: String,
}

/// The places, the most relevant first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(super) struct ToolPlaces {
    pub(super) found: Vec<ToolPlace>,
    /// The total number.
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<McpError>,
}

/// A result of a tool.
pub(super) trait GivenAnswer: Serialize {
    /// Returns the error, if there is one.
    fn error(&self) -> Option<&McpError>;
    /// Returns the result as Markdown.
    fn page(&self) -> String;
}

/// Returns a result that is cut to the maximum size.
pub(super) fn result(given: &impl GivenAnswer) -> CallToolResult {
    let mut page = given.page();
    let text = vec![ContentBlock::text(clip(page.trim_end_matches('\n'), MOST))];
    page.clear();
    let mut result = match given.error() {
        Some(_) => CallToolResult::error(text),
        None => CallToolResult::success(text),
    };
    result.structured_content = serde_json::to_value(given).ok().map(fit);
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

fn trouble(error: &McpError) -> String {
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

fn list(title: &str, items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("- {}\n", visible_line(item))).collect();
    if items.is_empty() { items } else { format!("\n**{title}**\n\n{items}") }
}

impl GivenAnswer for ToolResult {
    fn error(&self) -> Option<&McpError> {
        self.error.as_ref()
    }

    fn page(&self) -> String {
        let mut page = self.error.as_ref().map(trouble).unwrap_or_default();
        if !self.title.is_empty() {
            page.push_str(&format!("# {}\n\n", visible_line(&self.title)));
        }
        let phase = visible_line(&self.phase);
        match self.state {
            ToolState::Running => {
                page.push_str(&match (self.answered, self.of) {
                    (Some(answered), Some(of)) if of > 0 => {
                        format!("Running: {phase}, {answered} of {of} answered.\n")
                    }
                    _ => format!("Running: {phase}.\n"),
                });
            }
            ToolState::YourTurn => page.push_str(&format!(
                "Your turn, as {}, in {}. Answer with `say`.\n\n{}\n",
                visible_line(&self.seat),
                visible_line(&self.phase),
                quoted(&self.prompt)
            )),
            ToolState::People => page.push_str("Waiting for a person.\n"),
            ToolState::Recorded => page.push_str("Recorded.\n"),
            ToolState::Open | ToolState::Done | ToolState::Failed => {}
        }
        if let Some(verdict) = &self.verdict {
            page.push_str(&format!("Verdict: {verdict}\n\n"));
        }
        self.add_decisions(&mut page);
        if !self.outcome.is_empty() {
            page.push_str(&format!("{}\n", quoted(&self.outcome)));
        }
        let findings: Vec<String> = self.findings.iter().map(ToolFinding::line).collect();
        page.push_str(&list("Findings", &findings));
        if let Some(diff) = &self.revision {
            page.push_str(&format!("\n**What changed after the review**\n\n{}", quoted(diff)));
        }
        let tally: Vec<String> =
            self.tally.iter().map(|count| format!("{}: {}", count.option, count.votes)).collect();
        if !tally.is_empty() {
            page.push_str(&format!("\nVotes: {}\n", tally.join(", ")));
        }
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
            page.push_str(&format!("\n**{who}**{vote}:\n\n{}", quoted(&said.text)));
        }
        page.push_str(&list("Notes", &self.notes));
        if !self.file.is_empty() {
            page.push_str(&format!("\nFile: {}\n", visible_line(&self.file)));
        }
        page.push_str(&list("Next", &self.next));
        page
    }
}

impl GivenAnswer for Listing {
    fn error(&self) -> Option<&McpError> {
        self.error.as_ref()
    }

    fn page(&self) -> String {
        let mut page = self.error.as_ref().map(trouble).unwrap_or_default();
        for one in &self.discussions {
            let row = format!("{} {} ({}): {}", one.status, one.title, one.file, one.summary);
            page.push_str(&format!("- {}\n", visible_line(&row)));
            for due in &one.due {
                page.push_str(&format!("  - {}\n", visible_line(due)));
            }
        }
        if page.is_empty() {
            page.push_str(if self.is_empty {
                "No discussions yet; `discuss` starts one.\n"
            } else {
                "No discussion has that status.\n"
            });
        }
        page + &list("Notes", &self.notes)
    }
}

impl GivenAnswer for ToolPlaces {
    fn error(&self) -> Option<&McpError> {
        self.error.as_ref()
    }

    fn page(&self) -> String {
        let mut page = self.error.as_ref().map(trouble).unwrap_or_default();
        for one in &self.found {
            let who = one.who.as_ref().map_or_else(String::new, |who| format!("{who}: "));
            let state = one.words.as_ref().map(|words| format!(" ({words})")).unwrap_or_default();
            let place =
                format!("{}:{} [{}] {who}{}{state}", one.file, one.line, one.kind, one.text);
            page.push_str(&format!("- {}\n", visible_line(&place)));
        }
        if page.is_empty() {
            page.push_str("Nothing found.\n");
        }
        page + &list("Notes", &self.notes)
    }
}

/// The maximum length of a result's text, and of its structured form, in characters.
pub(super) const MOST: usize = 39_000;

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

/// Keeps the last `most` characters of a text.
pub(super) fn clip_front(text: &str, most: usize) -> String {
    let skip = text.chars().count().saturating_sub(most);
    match skip {
        0 => text.to_owned(),
        skip => format!("[...]\n{}", text.chars().skip(skip).collect::<String>()),
    }
}

/// Shortens a value until its JSON is no longer than [`MOST`]: first its longest texts, then its lists if necessary.
pub(super) fn fit(mut value: Value) -> Value {
    let mut most = 20_000;
    while value.to_string().chars().count() > MOST && most > 8 {
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
            assert!(fitted.to_string().chars().count() <= MOST);
        }
        assert_eq!(fit(json!({"a": "x"})), json!({"a": "x"}));
        assert_eq!(clip("abc", 3), "abc");
        assert_eq!(clip(&"a".repeat(20), 10), "aaaa [...]");
        assert_eq!(clip_front("abcdef", 2), "[...]\nef");
    }
}

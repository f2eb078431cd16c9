//! The decisions of a discussion in a result of a tool.

use discussions::view::visible_line;
use schemars::JsonSchema;
use serde::Serialize;

use super::results::{ToolResult, quoted};

/// A proposal, a decision or an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct ToolDecision {
    /// Like `D2`; an option or a text has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<String>,
    pub(super) text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) who: String,
    pub(super) state: &'static str,
    /// The decision that replaced it, or the person who withdrew it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<String>,
    /// The state in words.
    #[serde(skip)]
    pub(super) words: String,
}

impl ToolDecision {
    /// Returns true if it is in force, or the answer.
    pub(super) fn stands(&self) -> bool {
        matches!(self.state, "in-force" | "answered")
    }

    /// Returns the proposal with its state in one line.
    pub(super) fn line(&self) -> String {
        let number = self.number.as_ref().map(|label| format!("{label}: ")).unwrap_or_default();
        format!("{number}{} ({})", self.text, self.words)
    }
}

impl ToolResult {
    /// Adds the standing of the outcome, the decisions in force or the answer, and the text. A decision with which the text
    /// begins is not repeated.
    pub(super) fn add_outcome(&self, page: &mut String) {
        if !self.words.is_empty() && !matches!(self.standing, Some("verdict" | "open")) {
            page.push_str(&format!("\nOutcome: {}\n", visible_line(&self.words)));
        }
        let text = self.outcome.trim_start();
        let standing: Vec<&ToolDecision> =
            self.decisions.iter().filter(|one| one.stands()).collect();
        for one in &standing {
            let is_repeated = text.starts_with(one.text.trim());
            if !is_repeated {
                let word = if one.state == "in-force" { "Decision" } else { "Answer" };
                page.push_str(&format!("\n**{word}:**\n\n{}", quoted(&one.text)));
            }
        }
        if !text.is_empty() {
            let heading = if self.heading.is_empty() { "Text" } else { self.heading };
            page.push_str(&format!("\n**{heading}**\n\n{}", quoted(&self.outcome)));
        }
    }
}

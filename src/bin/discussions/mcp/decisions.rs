//! The decisions of a discussion in a result of a tool.

use discussions::view::{DecisionFacts, ItemState, Standing, StatedDecision, visible_line};
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
    pub(super) state: ItemState,
    /// The decision that replaced it, or the person who withdrew it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<String>,
    /// The state in words.
    #[serde(skip)]
    pub(super) words: String,
}

impl ToolDecision {
    fn of(stated: &StatedDecision) -> Self {
        Self {
            number: stated.label(),
            text: stated.text.clone(),
            who: stated.author.clone(),
            state: stated.state,
            by: stated.by.clone(),
            words: stated.words().to_owned(),
        }
    }

    /// Returns true if it is in force, or the answer.
    pub(super) fn stands(&self) -> bool {
        matches!(self.state, ItemState::InForce | ItemState::Answered)
    }

    /// Returns the proposal with its state in one line.
    pub(super) fn line(&self) -> String {
        let number = self.number.as_ref().map(|label| format!("{label}: ")).unwrap_or_default();
        format!("{number}{} ({})", self.text, self.words)
    }
}

impl ToolResult {
    /// Adds the decisions.
    pub(super) fn with_decisions(self, facts: &DecisionFacts) -> Self {
        Self {
            decision: facts.decision.clone(),
            standing: Some(facts.standing),
            in_force: Some(facts.in_force),
            decided_by: facts.decided_by.clone(),
            decisions: facts.decisions.iter().map(ToolDecision::of).collect(),
            words: facts.words().to_owned(),
            ..self
        }
    }

    /// Adds the standing of the outcome, and the decisions in force or the answer.
    pub(super) fn add_decisions(&self, page: &mut String) {
        if !self.words.is_empty() && self.standing != Some(Standing::Verdict) {
            page.push_str(&format!("Outcome: {}\n\n", visible_line(&self.words)));
        }
        for one in self.decisions.iter().filter(|one| one.stands()) {
            let word = if one.state == ItemState::InForce { "Decision" } else { "Answer" };
            page.push_str(&format!("**{word}:**\n\n{}\n", quoted(&one.text)));
        }
    }
}

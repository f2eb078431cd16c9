//! The outcome of a discussion, for readers who have to act on it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::view::item::{Condition, Question, Task};
use crate::view::reason::without_decision;

/// The outcome of a discussion: the text first, then the details.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FinalOutcome {
    /// The final text, or the proposal that was voted on; empty while there is none.
    pub text: String,
    /// The decision in a sentence, if one is stated or won a vote.
    pub decision: Option<String>,
    /// The reason for a ballot's outcome, in a sentence; absent if no ballot among answers decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The `DECISION:` line of the text.
    #[serde(skip)]
    pub(crate) stated_line: Option<String>,
    /// The line in the file where the text's comment begins, from 1.
    pub line: Option<usize>,
    /// The requests of participants that did not accept the text.
    pub conditions: Vec<Condition>,
    /// Tasks in file order.
    pub tasks: Vec<Task>,
    /// Open questions.
    pub open_questions: Vec<Question>,
    /// Votes against the outcome, a line each.
    pub dissent: Vec<Dissenter>,
}

impl FinalOutcome {
    /// Returns the text without the line that only states the decision, for front ends that show the decision
    /// separately.
    pub fn text_alone(&self) -> String {
        without_decision(&self.text, self.stated_line.as_deref())
    }
}

/// A vote against the outcome, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Dissenter {
    /// The participant's name.
    pub participant: String,
    /// Their vote.
    pub vote: String,
    /// The first sentence of their reason.
    pub text: String,
    /// Line of the vote in the file, from 1.
    pub line: usize,
    /// True if it came after the decision and is not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub afterwards: bool,
}

impl Dissenter {
    /// Returns the vote, in words that fit into a sentence.
    pub fn vote_in_words(&self) -> String {
        if self.afterwards { format!("{} afterwards", self.vote) } else { self.vote.clone() }
    }
}

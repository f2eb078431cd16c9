//! Questions, tasks and concerns, by their numbers.

use schemars::JsonSchema;
use serde::Serialize;

use crate::engine;
use crate::state::{self, ConcernStatus, QuestionStatus, TaskStatus};

/// A question in a discussion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Counted in file order from 1.
    pub number: u32,
    /// The question, in one line.
    pub text: String,
    /// The author's name.
    pub author: String,
    /// The status.
    pub status: QuestionStatus,
    /// Line in the file, from 1.
    pub line: usize,
    /// The number of times it was written in the same words while open; all have the first one's number.
    #[serde(skip_serializing_if = "is_once")]
    pub raised: u32,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Counted in file order from 1.
    pub number: u32,
    /// The task, in one line.
    pub text: String,
    /// The author's name.
    pub author: String,
    /// The assignee, as written.
    pub assignee: Option<String>,
    /// The status.
    pub status: TaskStatus,
    /// Line in the file, from 1.
    pub line: usize,
    /// The number of times it was written in the same words while open; all have the first one's number.
    #[serde(skip_serializing_if = "is_once")]
    pub raised: u32,
}

/// A concern.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Concern {
    /// Counted in file order from 1.
    pub number: u32,
    /// The risk, in one line.
    pub text: String,
    /// The author's name.
    pub author: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// The status.
    pub status: ConcernStatus,
    /// The number of times it was written in the same words while open; all have the first one's number.
    #[serde(skip_serializing_if = "is_once")]
    pub raised: u32,
}

/// What a vote asks for, or why it is against the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The participant's name.
    pub participant: String,
    /// The vote.
    pub vote: String,
    /// The text given with the vote; of dissent, its first sentence.
    pub text: String,
    /// Line of the vote in the file, from 1.
    pub line: usize,
    /// True if it came after the decision and is not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub afterwards: bool,
}

impl Condition {
    /// Returns the vote, in words that fit into a sentence.
    pub fn vote_in_words(&self) -> String {
        if self.afterwards { format!("{} afterwards", self.vote) } else { self.vote.clone() }
    }
}

impl Question {
    /// Returns true if it is not answered yet.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.status == QuestionStatus::Open
    }
}

impl Task {
    /// Returns whether it is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.status == TaskStatus::Done
    }
}

impl Concern {
    /// Returns true if it is not settled yet.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.status == ConcernStatus::Open
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_once(raised: &u32) -> bool {
    *raised <= 1
}

/// Returns `, raised 3 times` for an item that was raised more than once.
pub(crate) fn raised(times: u32) -> String {
    if times > 1 { format!(", raised {times} times") } else { String::new() }
}

impl From<&state::Question> for Question {
    fn from(question: &state::Question) -> Self {
        Self {
            number: question.number,
            text: question.text.clone(),
            author: question.author.to_string(),
            status: question.status,
            line: question.line,
            raised: question.raised,
        }
    }
}

impl From<&state::Task> for Task {
    fn from(task: &state::Task) -> Self {
        Self {
            number: task.number,
            text: task.text.clone(),
            author: task.author.to_string(),
            assignee: task.assignee.clone(),
            status: task.status,
            line: task.line,
            raised: task.raised,
        }
    }
}

impl From<&state::Concern> for Concern {
    fn from(concern: &state::Concern) -> Self {
        Self {
            number: concern.number,
            text: concern.text.clone(),
            author: concern.author.to_string(),
            line: concern.line,
            status: concern.status,
            raised: concern.raised,
        }
    }
}

impl From<engine::Condition<'_>> for Condition {
    fn from(condition: engine::Condition<'_>) -> Self {
        Self {
            participant: condition.vote.name.to_string(),
            vote: condition.vote.choice.to_string(),
            text: condition.text,
            line: condition.vote.line,
            afterwards: false,
        }
    }
}

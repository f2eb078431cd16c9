//! Questions, tasks, decisions and concerns, in `status --json`.

use discussions::state::{self, QuestionStatus, TaskStatus};
use serde::Serialize;

/// A question.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Question {
    pub(crate) number: u32,
    pub(crate) text: String,
    pub(crate) author: String,
    pub(crate) status: &'static str,
    line: usize,
}

/// A task.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Task {
    pub(crate) number: u32,
    pub(crate) text: String,
    pub(crate) author: String,
    pub(crate) assignee: Option<String>,
    pub(crate) status: &'static str,
    line: usize,
}

/// A decision.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatedDecision {
    pub(crate) number: u32,
    pub(crate) text: String,
    pub(crate) author: String,
    pub(crate) supporters: Vec<String>,
    line: usize,
}

/// A concern.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Concern {
    pub(crate) text: String,
    pub(crate) author: String,
    line: usize,
}

impl From<&state::Question> for Question {
    fn from(question: &state::Question) -> Self {
        Self {
            number: question.number,
            text: question.text.clone(),
            author: question.author.to_string(),
            status: match question.status {
                QuestionStatus::Open => "open",
                QuestionStatus::Answered => "answered",
            },
            line: question.line,
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
            status: match task.status {
                TaskStatus::Open => "open",
                TaskStatus::Assigned => "assigned",
                TaskStatus::Done => "done",
            },
            line: task.line,
        }
    }
}

impl From<&state::StatedDecision> for StatedDecision {
    fn from(decision: &state::StatedDecision) -> Self {
        Self {
            number: decision.number,
            text: decision.text.clone(),
            author: decision.author.to_string(),
            supporters: decision.supporters.iter().map(ToString::to_string).collect(),
            line: decision.line,
        }
    }
}

impl From<&state::Concern> for Concern {
    fn from(concern: &state::Concern) -> Self {
        Self { text: concern.text.clone(), author: concern.author.to_string(), line: concern.line }
    }
}

//! What a check found.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use super::Problem;
use crate::codes::ProblemCode;
use crate::transcript::Text;

/// What is wrong with one discussion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// The file, as it is shown.
    pub file: String,
    /// What was found, by place.
    pub problems: Vec<Problem>,
    /// The file's text, for who shows the lines that problems stand in; empty where it cannot be read.
    #[serde(skip)]
    pub text: Text,
    /// Unified diffs of what was rewritten in git's history.
    #[serde(skip)]
    pub diffs: Vec<String>,
    /// Whether it is about one discussion, rather than about the check as a whole.
    #[serde(skip)]
    pub is_discussion: bool,
}

impl Checked {
    /// Whether the clone is shallow, so that older commits were not checked.
    pub fn is_history_cut(&self) -> bool {
        self.problems.iter().any(|problem| problem.code == ProblemCode::HistoryShallow)
    }
}

/// What putting back what was dropped came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    /// The file, as it is shown.
    pub file: String,
    /// Blocks that stand in the file again.
    pub restored: usize,
    /// Control lines that stay away, for they would change the meaning of what stands below them.
    pub given_up: usize,
    /// Why the summary beside it could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// A change of a discussion that a person is asked about before it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// The file, as it is shown.
    pub file: String,
    /// How many comments, control lines or other parts of the older text were changed, removed or moved; for what is to be
    /// mended none.
    pub changes: usize,
    /// How many of them are gone.
    pub removed: usize,
    /// How many lines end otherwise than most of the file's.
    pub ends: usize,
    /// Votes that count only once this is written, such as `Bob: READY`.
    pub votes: Vec<String>,
    /// What is agreed to, or would be written: unified diffs, untrusted text.
    pub diff: String,
    /// Where it is.
    #[serde(skip)]
    pub(crate) path: PathBuf,
    /// What was shown, so that nothing else is done.
    #[serde(skip)]
    pub(crate) digest: String,
}

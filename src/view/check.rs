//! The problems that a check found.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use super::Problem;
use crate::codes::ProblemCode;
use crate::transcript::Text;

/// The problems of one discussion.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// The file, as it is shown.
    pub file: String,
    /// The problems, by place.
    pub problems: Vec<Problem>,
    /// The file's text, for front ends that show the lines with problems; empty if it cannot be read.
    #[serde(skip)]
    pub text: Text,
    /// Unified diffs of the texts that were rewritten in git's history.
    #[serde(skip)]
    pub diffs: Vec<String>,
    /// True if this is about one discussion, and not about the whole check.
    #[serde(skip)]
    pub is_discussion: bool,
}

impl Checked {
    /// Returns whether the clone is shallow, so that older commits were not checked.
    pub fn is_history_cut(&self) -> bool {
        self.problems.iter().any(|problem| problem.code == ProblemCode::HistoryShallow)
    }
}

/// The outcome of restoring lost text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    /// The file, as it is shown.
    pub file: String,
    /// Blocks that are in the file again.
    pub restored: usize,
    /// Control lines that were not restored, because they would change the meaning of later text.
    pub given_up: usize,
    /// Blocks that count again, because the rule above or below them is back in its place.
    pub reframed: usize,
    /// Blocks that were edited and stay as they are.
    pub edited: usize,
    /// The lines, from 1, of blocks that are in the file without their rule, if it could not be put back.
    pub unframed: Vec<usize>,
    /// Restored comments that could not get their old places, because these hold other text; in sentences.
    pub displaced: Vec<String>,
    /// True if the head and the topic are back, from the last version in git.
    pub head_restored: bool,
    /// True if the head or the topic is lost.
    pub head_lost: bool,
    /// Why the summary file could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// A change of a discussion that a person must confirm first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// The file, as it is shown.
    pub file: String,
    /// The number of comments, control lines or other parts of the older text that were changed, removed or moved; 0
    /// for a correction of markers.
    pub changes: usize,
    /// The number of them that were removed.
    pub removed: usize,
    /// The number of lines with other line ends than most of the file.
    pub ends: usize,
    /// Votes that will count after this change, like `Bob: READY`.
    pub votes: Vec<String>,
    /// Votes that this change makes readable and that a later vote of the same person replaces.
    pub earlier_votes: Vec<String>,
    /// The change to accept or write, as unified diffs; untrusted text.
    pub diff: String,
    /// The path of the file.
    #[serde(skip)]
    pub(crate) path: PathBuf,
    /// The digest of the change that was shown.
    #[serde(skip)]
    pub(crate) digest: String,
}

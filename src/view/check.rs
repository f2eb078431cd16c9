//! Problems in a discussion, and the problems that `check` found.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{Text, visible};
use crate::yaml::LoadError;

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
    /// Adds the end of each problem, so that programs can mark the text that a problem is about.
    pub(crate) fn add_ends(&mut self) {
        if self.problems.is_empty() {
            return;
        }
        let lines: Vec<&str> = self.text.lines().collect();
        for problem in &mut self.problems {
            let line = problem.line.checked_sub(1).and_then(|index| lines.get(index));
            problem.end_line = Some(problem.line);
            problem.end_column = Some(line.map_or(problem.column, |line| problem.end_in(line)));
        }
    }

    /// Makes the finding that a history is cut off an error.
    pub fn refuse_cut_history(&mut self) {
        let cut = |problem: &&mut Problem| problem.code == ProblemCode::HistoryShallow;
        self.problems.iter_mut().filter(cut).for_each(|problem| problem.severity = Severity::Error);
    }

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
    /// The changes of published text among them.
    #[serde(skip)]
    pub(crate) published: Vec<PublishedChange>,
}

/// A change of published text: hash and text before, hash of the block before it, author, hash and text after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PublishedChange {
    pub(crate) was: String,
    pub(crate) after: String,
    pub(crate) text: String,
    pub(crate) of: Option<String>,
    pub(crate) now: Option<(String, String)>,
}

impl Problem {
    /// Returns the column behind the token at the problem's column, or behind the last visible character of its line.
    fn end_in(&self, line: &str) -> usize {
        let line = line.trim_end();
        let rest = || line.chars().skip(self.column.saturating_sub(1));
        let length = match rest().next() {
            Some('@') => {
                let is_name = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_');
                1 + rest().skip(1).take_while(is_name).count()
            }
            // An invisible character is the whole problem.
            Some(first) if visible(first.encode_utf8(&mut [0; 4])) != first.to_string() => 1,
            _ => rest().count(),
        };
        self.column + length
    }

    /// Returns the problem with its location and source line, in the format of errors in files: `words` describe the
    /// problem, `file` is the path to show, and `line` is the text of the line.
    pub fn located(&self, words: &str, file: &str, line: &str) -> String {
        let message = format!("{}: {words} [{}]", self.severity, self.code);
        let place = (self.line.min(1), self.column.max(1));
        LoadError::at(file, line, self.line, place, message).to_string()
    }
}

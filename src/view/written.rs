//! The result of a change to a discussion.

use schemars::JsonSchema;
use serde::Serialize;

use super::next_step::NextStep;

/// A change that was written to the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// The file, as it is shown.
    pub file: String,
    /// Whether the file was changed.
    pub changed: bool,
    /// The author's name in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Whether the author is a person.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_person: bool,
    /// The vote that counts, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<String>,
    /// The phase that was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The title of the phase that was entered.
    #[serde(skip)]
    pub phase_title: Option<String>,
    /// Why the summary file could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Notes in sentences: why a vote in the text does not count, or what has no effect.
    pub notes: Vec<String>,
    /// Whether the vote counts; if not, `uncounted` says why.
    #[serde(skip)]
    pub vote_counts: bool,
    /// The names of participants whose votes agree, if consensus is reached.
    #[serde(skip)]
    pub agreed: Vec<String>,
    /// The names of participants whose votes block.
    #[serde(skip)]
    pub blocked_by: Vec<String>,
    /// Whether only the beginning and the end of a long file were read; the rest is not considered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub end_only: bool,
    /// Whether the discussion is closed, so that the comment asks no participant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// Text that looks as if it counts but does not, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncounted: Vec<String>,
    /// What a line of the text does and does not change, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Possible secrets in the text, in sentences. The text is in the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The outcome of the votes, if consensus is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consensus: Option<String>,
    /// The possible next steps; empty if the whole file would have to be read for them.
    pub next: Vec<NextStep>,
}

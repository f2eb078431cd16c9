//! The results of a search.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use super::list::Unreadable;
use crate::engine::DecisionStatus;
use crate::search::FoundKind;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// The folder, as it is shown.
    pub folder: String,
    /// The places, the most relevant first.
    pub found: Vec<Found>,
    /// The total number.
    pub total: usize,
    /// Discussions that could not be read.
    pub unreadable: Vec<Unreadable>,
}

/// A place with the words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The file, as it is shown.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The kind.
    pub kind: FoundKind,
    /// The author's name; none for titles and contexts.
    pub author: Option<String>,
    /// The line; of a long one the part around the first word.
    pub text: String,
    /// The discussion's title.
    pub title: String,
    /// The status of the discussion.
    pub status: DecisionStatus,
    /// When it was written, in RFC 3339, if the file says so.
    pub at: Option<String>,
    /// The score; comparable only within one search.
    pub score: f64,
    /// The name that finds the discussion.
    pub name: String,
    /// The positions of the words in `text`, in bytes.
    #[serde(skip)]
    pub places: Vec<Range<usize>>,
}

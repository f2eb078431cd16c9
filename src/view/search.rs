//! What was found.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use super::list::Unreadable;
use crate::engine::Status;
use crate::search::FoundKind;

/// Where words stand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// The folder, as it is shown.
    pub folder: String,
    /// The places, what matters most first.
    pub found: Vec<Found>,
    /// How many there are in all.
    pub total: usize,
    /// Discussions that could not be read.
    pub unreadable: Vec<Unreadable>,
}

/// A place where words stand.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The file, as it is shown.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What it is.
    pub kind: FoundKind,
    /// Who says it, by name; none for titles and contexts.
    pub author: Option<String>,
    /// The line; of a long one the part around the first word.
    pub text: String,
    /// The discussion's title.
    pub title: String,
    /// What the discussion has come to.
    pub status: Status,
    /// When it was said, in RFC 3339, as far as the file tells.
    pub at: Option<String>,
    /// The higher the better; comparable within one search.
    pub score: f64,
    /// The name that finds the discussion again.
    pub name: String,
    /// Where in `text` the words stand, in bytes.
    #[serde(skip)]
    pub places: Vec<Range<usize>>,
}

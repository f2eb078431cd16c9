//! The results of a search, and earlier decisions that are close to a question.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use super::decided::DecisionFacts;
use super::list::Unreadable;
use super::result::Decided;
use crate::engine::{DecisionStatus, ItemState, Standing};
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
    /// How its outcome stands.
    pub standing: Standing,
    /// The state of the decision in this place; absent if the place states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<ItemState>,
    /// The state in words, or else how the outcome stands.
    #[serde(skip)]
    pub words: String,
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

/// An earlier decision similar to a question.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recalled {
    /// The file, as it is shown.
    pub file: String,
    /// The title of the discussion.
    pub title: String,
    /// What was decided.
    #[serde(flatten)]
    pub facts: DecisionFacts,
    /// The sentence to show: the decision, or else what is left of the outcome.
    #[serde(skip)]
    pub sentence: String,
    /// The time, in RFC 3339; empty if unknown.
    pub at: String,
    /// The status of the discussion.
    pub status: DecisionStatus,
    /// The similarity; comparable only within one question.
    pub score: f64,
    /// The share of the question's words that it holds, each counted by how rare it is, 0 to 1.
    pub share: f64,
    /// True if it is so similar that the question looks decided.
    pub is_near: bool,
    /// The name that finds the discussion.
    pub name: String,
    /// True if it names one of the files that the caller asks about.
    #[serde(skip)]
    pub names_files: bool,
    /// Of the files that the caller asks about, those that the discussion read: a weaker link than a decision that names
    /// them.
    #[serde(skip)]
    pub read_files: Vec<String>,
}

impl Recalled {
    /// Creates the entry for an earlier decision.
    pub(crate) fn of(decided: &Decided, score: f64, share: f64) -> Self {
        let round = |value: f64| (value * 1e3).round() / 1e3;
        Self {
            file: decided.file.clone(),
            title: decided.title.clone(),
            sentence: decided.facts.sentence(),
            facts: decided.facts.clone(),
            at: decided.at.clone(),
            status: decided.status,
            score: round(score),
            share: round(share),
            is_near: false,
            name: decided.name.clone(),
            names_files: false,
            read_files: Vec::new(),
        }
    }
}

impl Recalled {
    /// Returns the sentence, with how it stands if it is no decision in force.
    pub fn marked_sentence(&self) -> String {
        if self.facts.in_force {
            self.sentence.clone()
        } else {
            format!("{} ({})", self.sentence, self.facts.words())
        }
    }
}

/// Cuts a line to at most `most` characters.
pub(crate) fn clipped(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

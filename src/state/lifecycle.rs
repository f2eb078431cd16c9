//! The notes of people about a decision after it was made: when to look at it again, which files it is about, and what
//! became of it.

mod date;
#[cfg(test)]
mod laws;
mod patterns;
mod read;

use chrono::NaiveDate;

use crate::codes::words;
use crate::transcript::{Name, Time};
pub(super) use date::head_day;
pub(crate) use date::read_day;
pub(super) use read::{Notes, note};

/// The notes about one decision, or about a discussion as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lifecycle {
    /// The day on which people should look at the decision again; the latest `REVIEW-BY:` counts.
    pub review_by: Option<ReviewDate>,
    /// The files that the decision is about, in file order.
    pub affects: Vec<AffectedFiles>,
    /// The results of the decision in hindsight, oldest first; the newest counts.
    pub hindsight: Vec<Hindsight>,
}

/// A day, with its author and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewDate {
    /// The day, UTC; it ends with the day.
    pub date: NaiveDate,
    /// The author of the marker.
    pub by: Name,
    /// True if the author is a person.
    pub(crate) by_person: bool,
    /// Line in the file, from 1.
    pub line: usize,
}

/// A gitignore pattern from the project's root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffectedFiles {
    /// The pattern.
    pub pattern: String,
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

words! {
    /// The result of a decision in hindsight.
    pub enum HindsightResult {
        /// It held.
        Held = "held",
        /// It failed.
        Failed = "failed",
        /// It held in part.
        Mixed = "mixed",
    }
}

/// One statement of what became of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hindsight {
    /// The result.
    pub result: HindsightResult,
    /// The text behind the result; may be empty.
    pub text: String,
    /// The author, a person.
    pub by: Name,
    /// The time of the comment, if the file contains it.
    pub at: Option<Time>,
    /// Line in the file, from 1.
    pub line: usize,
}

//! Why an answer is asked for again.

use super::FailureCode;

words! {
    /// Why an answer could not be used as it was.
    pub enum AgainCode {
        /// It says nothing.
        Empty = "empty",
        /// It votes for different things.
        TwoVotes = "two_votes",
        /// It lacks a marker that is required.
        MarkerMissing = "marker_missing",
    }
}

impl AgainCode {
    /// What the call failed with, when the second answer is no better and nothing can be kept.
    pub fn failure(self) -> FailureCode {
        match self {
            Self::Empty => FailureCode::Empty,
            Self::TwoVotes | Self::MarkerMissing => FailureCode::Unreadable,
        }
    }
}

//! The reasons to ask for an answer a second time.

use super::FailureCode;

words! {
    /// The reason why an answer could not be used as it was.
    pub enum AgainCode {
        /// The answer is empty.
        Empty = "empty",
        /// The answer votes for different options.
        TwoVotes = "two_votes",
        /// The answer lacks a required marker.
        MarkerMissing = "marker_missing",
    }
}

impl AgainCode {
    /// Returns the failure of a call whose second answer is no better, if no part of the two answers can be kept.
    pub fn failure(self) -> FailureCode {
        match self {
            Self::Empty => FailureCode::Empty,
            Self::TwoVotes | Self::MarkerMissing => FailureCode::Unreadable,
        }
    }
}

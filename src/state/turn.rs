//! Turns: the participants that were asked, and their outcomes.

use std::collections::BTreeMap;

use crate::codes::FailureCode;
use crate::transcript::{Alias, TurnLine};

/// The outcome of asking one participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnOutcome {
    /// Index of the comment in [`State::said`](super::State::said).
    Answered(usize),
    /// The participant had nothing to say.
    Passed,
    /// The call failed.
    Failed {
        /// True if a retry may help.
        retryable: bool,
    },
}

/// One turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The `TURN` line.
    pub line: TurnLine,
    /// Index of its entry.
    pub entry: usize,
    /// Byte offset after the line's LF. Participants that are asked in parallel see the file up to here.
    pub cut: usize,
    /// Index of the phase.
    pub phase: usize,
    /// The index of the visit, counted over all phases in the file.
    pub visit: usize,
    /// The round it belongs to, counted from 1; 0 before the first round.
    pub round: u32,
    /// True if it asks every speaker of its phase, so that it is one of the phase's rounds.
    pub is_round: bool,
    /// True if it only answers mentions, and a person mentioned each participant that is asked.
    pub for_people: bool,
    /// The outcomes so far.
    pub outcomes: BTreeMap<Alias, TurnOutcome>,
}

impl Turn {
    /// Returns the participants that were asked and have no outcome yet.
    pub fn missing(&self) -> impl Iterator<Item = &Alias> {
        self.line.asks.iter().filter(|alias| !self.outcomes.contains_key(alias))
    }

    /// Returns the number of participants that answered or passed.
    pub(crate) fn answer_count(&self) -> usize {
        self.outcomes
            .values()
            .filter(|outcome| !matches!(outcome, TurnOutcome::Failed { .. }))
            .count()
    }
}

/// A recorded failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// The participant that could not answer.
    pub who: Alias,
    /// The failure code as written in the file; another program may have written its own.
    pub code: String,
    /// The error message.
    pub message: String,
    /// True if a retry may help.
    pub retryable: bool,
    /// Line in the file.
    pub line: usize,
}

impl FailedCall {
    /// Returns the failure code; none if the word is not one of this program's.
    pub(crate) fn kind(&self) -> Option<FailureCode> {
        FailureCode::parse(&self.code)
    }
}

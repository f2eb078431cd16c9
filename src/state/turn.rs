//! Turns: who was asked, and what came of it.

use std::collections::BTreeMap;

use crate::codes::FailureCode;
use crate::transcript::{Alias, TurnLine};

/// What came of asking one participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Index of the comment in [`State::said`](super::State::said).
    Answered(usize),
    /// Nothing to say.
    Passed,
    /// No answer could be had.
    Failed {
        /// Whether asking again may help.
        retryable: bool,
    },
}

/// One turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The line as written.
    pub line: TurnLine,
    /// Index of its entry.
    pub entry: usize,
    /// Byte offset behind the line's LF: what a parallel speaker sees ends here.
    pub cut: usize,
    /// Index of the phase.
    pub phase: usize,
    /// Which visit of any phase it belongs to, counted over the file.
    pub visit: usize,
    /// The round it belongs to, from 1; 0 before the first.
    pub round: u32,
    /// It asks everybody who speaks in its phase, and so is one of the phase's rounds.
    pub is_round: bool,
    /// It is for calls, and a person called each who is asked.
    pub for_people: bool,
    /// What came of it so far.
    pub outcomes: BTreeMap<Alias, Outcome>,
}

impl Turn {
    /// Those who were asked and of whom nothing is recorded yet.
    pub fn missing(&self) -> impl Iterator<Item = &Alias> {
        self.line.asks.iter().filter(|alias| !self.outcomes.contains_key(alias))
    }

    /// How many answered or passed.
    pub(crate) fn answered(&self) -> usize {
        self.outcomes.values().filter(|outcome| !matches!(outcome, Outcome::Failed { .. })).count()
    }
}

/// A recorded failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCall {
    /// Who could not answer.
    pub who: Alias,
    /// The word as it stands in the file: another program may have written one of its own.
    pub code: String,
    /// The real error.
    pub message: String,
    /// Whether asking again may help.
    pub retryable: bool,
    /// Line in the file.
    pub line: usize,
}

impl FailedCall {
    /// What kind of failure the word stands for; nothing where it is somebody else's.
    pub(crate) fn kind(&self) -> Option<FailureCode> {
        FailureCode::parse(&self.code)
    }
}

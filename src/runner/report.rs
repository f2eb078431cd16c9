//! What a run did.

use std::path::PathBuf;

use super::limits::Limit;
use crate::engine::Stop;
use crate::result::ErrorCode;
use crate::transcript::{Alias, Choice, Tokens, Usd};

/// What a run did.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// The discussion.
    pub file: PathBuf,
    /// How many turns it opened or went on with.
    pub turns: u32,
    /// Each participant that was asked, in the order of their answers.
    pub calls: Vec<CallReport>,
    /// Why it stopped.
    pub stopped: Stopped,
}

impl RunReport {
    /// How many answered or passed.
    pub fn answered(&self) -> usize {
        self.calls.iter().filter(|call| !matches!(call.outcome, CallOutcome::Failed { .. })).count()
    }
}

/// One participant that was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct CallReport {
    /// Who.
    pub participant: Alias,
    /// The provider that was used last.
    pub provider: String,
    /// The turn's number.
    pub turn: u32,
    /// Milliseconds from the first call's start to the end.
    pub ms: u64,
    /// Tokens over all calls.
    pub tokens: Option<Tokens>,
    /// Money over all calls.
    pub usd: Option<Usd>,
    /// Bytes of the prompt.
    pub prompt_bytes: usize,
    /// Bytes at its beginning that an earlier prompt of this run began with too: what provider caches can reuse.
    pub cached_prefix: usize,
    /// Model calls that it took.
    pub calls: u32,
    /// What came of it.
    pub outcome: CallOutcome,
}

/// What came of asking somebody.
#[derive(Clone, Debug, PartialEq)]
pub enum CallOutcome {
    /// An answer, and its vote.
    Answered {
        /// The vote.
        vote: Option<Choice>,
    },
    /// Nothing to say.
    Passed,
    /// No answer.
    Failed {
        /// A stable word.
        code: String,
        /// The real error.
        message: String,
        /// Whether asking again may help.
        retryable: bool,
    },
}

impl CallOutcome {
    /// A stable word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Answered { .. } => "answered",
            Self::Passed => "passed",
            Self::Failed { .. } => "failed",
        }
    }
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing is left that a program can do.
    Stop(Stop),
    /// The turn is over; the phase may advance.
    TurnOver {
        /// Whether the phase's condition holds.
        may_advance: bool,
    },
    /// A limit was reached.
    Limit(Limit),
    /// Somebody stopped it.
    Aborted,
}

impl Stopped {
    /// Why the run did not come to its end, where that is an error of its own.
    pub fn error(&self) -> Option<(ErrorCode, &'static str)> {
        match self {
            Self::Stop(Stop::TooFew) => {
                Some((ErrorCode::InsufficientProviders, "too few answered for the turn to count"))
            }
            Self::Limit(Limit::Time) => Some((ErrorCode::Timeout, "the time for this run was up")),
            Self::Limit(Limit::Usd) => {
                Some((ErrorCode::CostBudgetExceeded, "the money for this run was spent"))
            }
            Self::Stop(_) | Self::TurnOver { .. } | Self::Limit(_) | Self::Aborted => None,
        }
    }

    /// A stable word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Stop(Stop::Closed) => "closed",
            Self::Stop(Stop::Finished) => "finished",
            Self::Stop(Stop::Waiting(_)) => "waiting_for_person",
            Self::Stop(Stop::PhaseEnd) => "person_advances",
            Self::Stop(Stop::Trigger) => "condition_not_met",
            Self::Stop(Stop::Mentions(_)) => "mentions_pending",
            Self::Stop(Stop::PersonVote) => "person_votes",
            Self::Stop(Stop::TooFew) => "too_few_answers",
            Self::Stop(Stop::Nobody) => "nobody_to_ask",
            Self::TurnOver { .. } => "turn_over",
            Self::Limit(limit) => limit.as_str(),
            Self::Aborted => "aborted",
        }
    }
}

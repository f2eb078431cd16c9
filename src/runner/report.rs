//! The report of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::codes::{ErrorCode, ResultError, StopCode};
use crate::engine::Stop;
use crate::provider::FailureCode;
use crate::transcript::{Alias, Tokens, Usd};
use crate::view::{self, Call, CallOutcome, Ran, RunCost};

/// The report of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// The discussion.
    pub file: PathBuf,
    /// The number of turns that it opened or continued.
    pub turns: u32,
    /// The participants that were asked, in the order of their answers.
    pub calls: Vec<CallReport>,
    /// Milliseconds from its beginning to its end.
    pub ms: u64,
    /// Why it stopped.
    pub stopped: Stopped,
    /// Votes of people that arrived during the run, by name.
    pub person_votes: BTreeMap<String, String>,
    /// Why the summary beside the discussion could not be written.
    pub summary: Option<String>,
}

impl RunReport {
    /// Returns how many participants answered or passed.
    #[cfg(any(test, not(discussions_sealed)))]
    pub fn answered(&self) -> usize {
        self.calls.iter().filter(|call| !matches!(call.outcome, CallOutcome::Failed { .. })).count()
    }
}

/// A run that has ended, with the money that it spent.
pub(super) struct FinishedRun {
    pub(super) report: RunReport,
    /// US dollars, those of sub-discussions included.
    pub(super) usd: f64,
}

/// The calls for one participant.
#[derive(Clone, Debug, PartialEq)]
pub struct CallReport {
    /// The participant.
    pub participant: Alias,
    /// The provider that was called last.
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
    /// Bytes at the start of the prompt that the same provider has read and answered before in this run, if they are
    /// 1,024 tokens or more: the part that its cache can reuse.
    pub cached_prefix: usize,
    /// Prompt tokens that came from a cache, if the provider reports them.
    pub cached_tokens: Option<u64>,
    /// Why the last answer ended, as a stable word, if the provider reports it.
    pub finish: Option<String>,
    /// The number of model calls.
    pub calls: u32,
    /// The outcome of the calls.
    pub outcome: CallOutcome,
}

impl CallReport {
    /// Returns whether the budget covered no call at all.
    pub(super) fn was_refused(&self) -> bool {
        let over = FailureCode::OverBudget.as_str();
        self.calls == 0
            && matches!(&self.outcome, CallOutcome::Failed { error } if error.code == over)
    }
}

/// The limit that stopped a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The number of turns.
    Turns,
    /// The number of model calls.
    Calls,
    /// Money.
    Usd,
    /// Money, because the price of a call is unknown.
    Price,
    /// Time.
    Time,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Nothing is left that a program can do.
    Stop(Stop),
    /// The turn is over; the phase may advance.
    TurnOver {
        /// True if the phase's condition holds.
        may_advance: bool,
    },
    /// A limit was reached.
    Limit(Limit),
    /// A sub-discussion stopped, and the run with it.
    Within {
        /// The file of the sub-discussion, as front ends show it.
        file: String,
        /// Why it stopped.
        stopped: Box<Stopped>,
    },
    /// The user or another program stopped it.
    Aborted,
}

impl Stopped {
    /// Returns the code and the message of the error that ended the run, if it was an error.
    pub(crate) fn error(&self) -> Option<(ErrorCode, &'static str)> {
        match self {
            Self::Stop(Stop::TooFew) => Some((
                ErrorCode::InsufficientProviders,
                "too few participants answered, so the turn does not count",
            )),
            Self::Limit(Limit::Time) => {
                Some((ErrorCode::Timeout, "the time limit of this run was reached"))
            }
            Self::Limit(Limit::Calls) => {
                Some((ErrorCode::CostBudgetExceeded, "no more calls are allowed"))
            }
            Self::Limit(Limit::Price) => Some((
                ErrorCode::CostBudgetExceeded,
                "money is limited, but the price of a call is unknown",
            )),
            Self::Limit(Limit::Usd) => Some((
                ErrorCode::CostBudgetExceeded,
                "the remaining budget does not cover another call",
            )),
            Self::Within { stopped, .. } => stopped.error(),
            Self::Stop(_) | Self::TurnOver { .. } | Self::Limit(_) | Self::Aborted => None,
        }
    }

    /// Returns the stable code.
    pub(crate) fn code(&self) -> StopCode {
        match self {
            Self::Stop(Stop::Closed) => StopCode::Closed,
            Self::Stop(Stop::Finished) => StopCode::Finished,
            Self::Stop(Stop::Waiting(_)) => StopCode::WaitingForPerson,
            Self::Stop(Stop::PhaseEnd) => StopCode::PersonAdvances,
            Self::Stop(Stop::Trigger) => StopCode::ConditionNotMet,
            Self::Stop(Stop::Mentions(_)) => StopCode::MentionsPending,
            Self::Stop(Stop::Questions(_)) => StopCode::QuestionsToPeople,
            Self::Stop(Stop::PersonVote) => StopCode::PersonVotes,
            Self::Stop(Stop::TooFew) => StopCode::TooFewAnswers,
            Self::Stop(Stop::Nobody) => StopCode::NobodyToAsk,
            Self::TurnOver { .. } => StopCode::TurnOver,
            Self::Limit(Limit::Turns) => StopCode::MaxTurns,
            Self::Limit(Limit::Calls) => StopCode::MaxCalls,
            Self::Limit(Limit::Usd) => StopCode::MaxUsd,
            Self::Limit(Limit::Price) => StopCode::Unpriced,
            Self::Limit(Limit::Time) => StopCode::Timeout,
            Self::Within { stopped, .. } => stopped.code(),
            Self::Aborted => StopCode::Aborted,
        }
    }

    /// Returns the innermost sub-discussion that stopped the run, as front ends show it.
    pub(crate) fn within(&self) -> Option<&str> {
        match self {
            Self::Within { file, stopped } => Some(stopped.within().unwrap_or(file)),
            _ => None,
        }
    }

    /// Returns the stable word.
    pub fn as_str(&self) -> &'static str {
        self.code().as_str()
    }
}

impl RunReport {
    /// Returns the cost of all calls. `shown` are the same calls as front ends show them.
    fn cost(&self, shown: &[Call]) -> RunCost {
        let mut cost = RunCost { ms: self.ms, ..RunCost::default() };
        for call in &self.calls {
            cost.calls += call.calls;
            let tokens = call.tokens.unwrap_or_default();
            cost.prompt_tokens += tokens.input;
            cost.answer_tokens += tokens.output;
            if let Some(usd) = call.usd {
                *cost.usd.get_or_insert_default() += usd.amount;
                cost.estimated |= usd.estimated;
            }
        }
        if cost.calls == 0 {
            cost.usd = Some(0.0);
        }
        let tokens = self.calls.iter().map(|call| call.tokens.map_or(0, |tokens| tokens.input));
        cost.with_shares(shown, tokens)
    }

    /// Returns the report for front ends, with the status of the discussion.
    pub(crate) fn view(&self, status: view::Status) -> Ran {
        let call = |call: &CallReport| Call {
            participant: call.participant.to_string(),
            provider: call.provider.clone(),
            turn: call.turn,
            ms: call.ms,
            tokens: call.tokens.map(|tokens| tokens.input.saturating_add(tokens.output)),
            prompt_bytes: call.prompt_bytes,
            cached_prefix: call.cached_prefix,
            cached_tokens: call.cached_tokens,
            finish: call.finish.clone(),
            outcome: call.outcome.as_str(),
            failure: match &call.outcome {
                CallOutcome::Failed { error } => Some(error.code.to_string()),
                _ => None,
            },
        };
        let calls: Vec<Call> = self.calls.iter().map(call).collect();
        Ran {
            file: status.file.clone(),
            turns: self.turns,
            cost: self.cost(&calls),
            calls,
            stopped: self.stopped.code(),
            within: self.stopped.within().map(str::to_owned),
            error: self.stopped.error().map(|(code, message)| ResultError {
                retryable: code.retryable() || self.stopped.code() == StopCode::MaxCalls,
                ..ResultError::new(code, message)
            }),
            person_votes: self.person_votes.clone(),
            status,
            summary: self.summary.clone(),
        }
    }
}

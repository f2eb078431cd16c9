//! The report of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::codes::StopCode;
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
    pub stopped: StopCode,
    /// The innermost sub-discussion that stopped it, as front ends show it.
    pub within: Option<String>,
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

/// Why a run stopped, and the sub-discussion that stopped it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stopped {
    pub(super) code: StopCode,
    /// The innermost sub-discussion that stopped the run, as front ends show it.
    pub(super) within: Option<String>,
}

impl From<StopCode> for Stopped {
    fn from(code: StopCode) -> Self {
        Self { code, within: None }
    }
}

impl Stopped {
    /// Adds the sub-discussion that stopped, unless one within it did.
    pub(super) fn in_child(self, file: String) -> Self {
        Self { within: self.within.or(Some(file)), ..self }
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
            stopped: self.stopped,
            within: self.within.clone(),
            error: self.stopped.error(),
            person_votes: self.person_votes.clone(),
            status,
            summary: self.summary.clone(),
        }
    }
}

//! The report of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::codes::StopCode;
use crate::view::{self, Call, Ran, RunCost};

/// The report of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// The discussion.
    pub file: PathBuf,
    /// The number of turns that it opened or continued.
    pub turns: u32,
    /// The participants that were asked, in the order of their answers.
    pub calls: Vec<Call>,
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
        self.calls.iter().filter(|call| call.outcome != "failed").count()
    }
}

/// A run that has ended, with the money that it spent.
pub(super) struct FinishedRun {
    pub(super) report: RunReport,
    /// US dollars, those of sub-discussions included.
    pub(super) usd: f64,
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
    /// Returns the cost of all calls.
    fn cost(&self) -> RunCost {
        let mut cost = RunCost { ms: self.ms, ..RunCost::default() };
        for call in &self.calls {
            cost.calls += call.calls;
            let tokens = call.both_tokens.unwrap_or_default();
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
        cost.with_shares(&self.calls)
    }

    /// Returns the report for front ends, with the status of the discussion.
    pub(crate) fn view(&self, status: view::Status) -> Ran {
        Ran {
            file: status.file.clone(),
            turns: self.turns,
            cost: self.cost(),
            calls: self.calls.clone(),
            stopped: self.stopped,
            within: self.within.clone(),
            error: self.stopped.error(),
            person_votes: self.person_votes.clone(),
            status,
            summary: self.summary.clone(),
        }
    }
}

//! The budget of a discussion: its own limits, its parents' limits, the spending of its sub-discussions, and the calls
//! that a run began and did not record.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::chain::{Ancestor, nesting};
use crate::duration;
use crate::engine::{Snapshot, ahead_in_agreement, max_calls};
use crate::state::{Cost, TurnOutcome};
use crate::store::{Reservations, Reserved};
use crate::transcript::{Depth, HeadLimits, Time};
use crate::view::{EventKind, changes};
use crate::workspace::{Help, Workspace, WorkspaceError};

/// The default number of calls of a tree (INV-DISC-620).
const CALLS: u32 = 20;

/// The remaining budget, according to heads and configuration. The flags of a single run are not part of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Budget {
    /// Model calls.
    pub(crate) calls: Option<u32>,
    /// US dollars.
    pub(crate) usd: Option<f64>,
    /// The number of recorded calls with an unreadable price; counted only if money is limited.
    pub(crate) unreadable: u64,
    /// The time that turns may still take.
    pub(crate) time: Option<Duration>,
    /// The time at which the discussion must end.
    pub(crate) until: Option<Time>,
    /// The time of the whole tree, from which shares are computed.
    pub(crate) total: Option<Duration>,
}

impl Budget {
    /// Returns true if calls or money are limited beyond one run.
    pub(crate) fn limits_spending(&self) -> bool {
        self.calls.is_some() || self.usd.is_some()
    }
}

/// The spending of a discussion and its sub-discussions.
#[derive(Default)]
struct ChildSpending {
    cost: Cost,
    time: Duration,
    /// Also count calls that a run began and did not record before it ended.
    with_reserved: bool,
}

impl Workspace {
    /// Returns the budget of the first discussion in a chain: the limits of its head and of each parent, less the
    /// spending of each tree.
    ///
    /// # Errors
    /// Fails if a limit cannot be read. No provider is called if a written limit cannot be enforced.
    pub(crate) fn budget(&self, chain: &[Ancestor]) -> Result<Budget, WorkspaceError> {
        let mut budget = Budget::default();
        let Some(last) = chain.len().checked_sub(1) else { return Ok(budget) };
        for (index, link) in chain.iter().enumerate() {
            let head = link.snapshot.transcript.head.as_ref();
            if let Some(problem) = link.snapshot.unreadable_head() {
                let place = format!("{}:{}", self.setup.shown_path(&link.path), problem.line);
                // The message must not say that the head is ignored, because this error prevents the run.
                let why = problem.message.replace(" and is ignored", "");
                let message = format!(
                    "{place}: {why}; not run, because the limits in the head cannot be enforced"
                );
                return Err(WorkspaceError::refuse(message).with_help(Help::Hint(HEAD.to_owned())));
            }
            budget.until = least(budget.until, head.and_then(|head| head.until));
            let own = head.map(|head| head.limits.clone()).unwrap_or_default();
            let configured = (index == last).then(|| self.setup.config.limits.clone());
            let mut all: Vec<HeadLimits> = configured.into_iter().chain([own]).collect();
            let nests =
                head.is_some_and(|head| head.nesting.is_some()) || link.snapshot.template().nests();
            if index == last && nests && all.iter().all(|limits| limits.max_calls.is_none()) {
                all.push(HeadLimits { max_calls: Some(CALLS), ..HeadLimits::default() });
            }
            if all.iter().all(|limits| *limits == HeadLimits::default()) {
                continue;
            }
            let spent = ChildSpending { with_reserved: true, ..ChildSpending::default() };
            let spent = self.spent(&link.path, &link.snapshot, spent);
            for limits in &all {
                let whole = budget.narrow(limits, &spent)?;
                budget.total = least(budget.total, whole);
            }
        }
        if let Some(time) = &nesting(&chain[0].snapshot).time {
            let time = parse(time)?;
            budget.total = Some(budget.total.map_or(time, |total| total.min(time)));
        }
        Ok(budget)
    }

    /// Returns the remaining budget of the discussion's own head, without its parents and the configuration.
    ///
    /// # Errors
    /// Fails if a limit cannot be read.
    pub(crate) fn own_budget(
        &self,
        path: &Path,
        snapshot: &Snapshot,
    ) -> Result<Budget, WorkspaceError> {
        let Some(head) = snapshot.transcript.head.as_ref() else { return Ok(Budget::default()) };
        let mut own = Budget { until: head.until, ..Budget::default() };
        let spent = self.spent(
            path,
            snapshot,
            ChildSpending { with_reserved: true, ..ChildSpending::default() },
        );
        own.narrow(&head.limits, &spent)?;
        Ok(own)
    }

    /// Returns how many of the remaining calls a parent keeps for itself when it opens a
    /// sub-discussion. The parent keeps its maximum, or less if the child needs more calls, but at
    /// least the calls that the parent makes if all its participants agree.
    ///
    /// # Errors
    /// Fails if an expression of the parent's template fails.
    pub(crate) fn calls_kept(
        parent: &Snapshot,
        child: Option<&Snapshot>,
        budget: &Budget,
    ) -> Result<u32, WorkspaceError> {
        let count = |calls: usize| u32::try_from(calls).unwrap_or(u32::MAX);
        let most = max_calls(parent)?.len();
        let (Some(left), Some(child)) = (budget.calls, child) else { return Ok(count(most)) };
        let needed = count(max_calls(child)?.len());
        if left.saturating_sub(count(most)) >= needed {
            return Ok(count(most));
        }
        let least = count(ahead_in_agreement(parent, most)?);
        Ok(left.saturating_sub(needed).clamp(least, count(most)))
    }

    /// Returns the cost of a discussion and its sub-discussions, by provider (INV-DISC-644).
    pub(crate) fn tree_cost(&self, path: &Path, snapshot: &Snapshot) -> Cost {
        self.spent(path, snapshot, ChildSpending::default()).cost
    }

    /// Returns the cost of a discussion and its sub-discussions, and the milliseconds that the sub-discussions took.
    pub(crate) fn tree_spent(&self, path: &Path, snapshot: &Snapshot) -> (Cost, u64) {
        let spent = self.spent(path, snapshot, ChildSpending::default());
        let within = spent.time.saturating_sub(time_taken(snapshot));
        (spent.cost, u64::try_from(within.as_millis()).unwrap_or(u64::MAX))
    }

    fn spent(&self, path: &Path, snapshot: &Snapshot, mut spent: ChildSpending) -> ChildSpending {
        self.add(path, snapshot, Some(Depth::ROOT), &mut HashSet::new(), &mut spent);
        spent
    }

    /// Adds the spending of a discussion and its sub-discussions. `depth` is the number of its parents. `None` means
    /// more parents than allowed; its sub-discussions are then not read.
    fn add(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        depth: Option<Depth>,
        known: &mut HashSet<PathBuf>,
        spent: &mut ChildSpending,
    ) {
        spent.cost.absorb(&snapshot.state.cost);
        spent.time += time_taken(snapshot);
        if spent.with_reserved {
            let reserved = self.reserved(path, snapshot);
            reserved.iter().for_each(|one| {
                spent.cost.add_unknown(one.calls.into(), Some(one.usd).filter(|usd| *usd > 0.0))
            });
        }
        let Some(depth) = depth else { return };
        for child in &snapshot.state.children {
            let Some(file) = path.parent().map(|folder| folder.join(child.line.file.as_str()))
            else {
                continue;
            };
            if !known.insert(file.clone()) {
                continue;
            }
            match self.snapshot(&file) {
                Ok(snapshot) => self.add(&file, &snapshot, depth.next(), known, spent),
                // The calls of a deleted sub-discussion were paid too.
                Err(_) => {
                    let end = child.end.iter();
                    let cost = end.map(|end| (end.calls, end.usd.map(|usd| usd.amount)));
                    cost.for_each(|(calls, usd)| spent.cost.add_unknown(calls, usd));
                }
            }
        }
    }
}

impl Budget {
    /// Applies limits, less the amount spent. Returns the total time that they allow.
    fn narrow(
        &mut self,
        limits: &HeadLimits,
        spent: &ChildSpending,
    ) -> Result<Option<Duration>, WorkspaceError> {
        if let Some(most) = limits.max_usd {
            if !(most.is_finite() && most >= 0.0) {
                return Err(unreadable_limit("max_usd", "it must be US dollars, 0 or more"));
            }
            let left = (most - spent.cost.usd).max(0.0);
            self.usd = Some(self.usd.map_or(left, |known| known.min(left)));
            self.unreadable = self.unreadable.max(spent.cost.unreadable);
        }
        if let Some(most) = limits.max_calls {
            let made = u32::try_from(spent.cost.calls).unwrap_or(u32::MAX);
            self.calls = least(self.calls, Some(most.saturating_sub(made)));
        }
        let Some(time) = &limits.timeout else { return Ok(None) };
        let time = parse(time)?;
        self.time = least(self.time, Some(time.saturating_sub(spent.time)));
        Ok(Some(time))
    }
}

fn parse(time: &str) -> Result<Duration, WorkspaceError> {
    duration::parse(time).map_err(|why| unreadable_limit("timeout", &why))
}

/// Creates the error for a limit of the head or the configuration that cannot be read.
fn unreadable_limit(key: &str, why: &str) -> WorkspaceError {
    WorkspaceError::refuse(format!("the limit `{key}` cannot be read: {why}"))
}

/// The help if a head cannot be read.
const HEAD: &str =
    "correct that line: the head, between `<!-- DISCUSSION` and `-->`, is YAML with one key a line";

/// Returns the smaller of two values, or the only one.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

/// Returns the time that all turns took, from the file. Calls of a turn count one after the other or all at once, as
/// they ran. Of an unfinished turn, only the longest call counts.
fn time_taken(snapshot: &Snapshot) -> Duration {
    let (mut whole, mut open) = (0, 0);
    for change in changes(None, snapshot) {
        match change.kind {
            EventKind::TurnStart { .. } => {
                whole += std::mem::take(&mut open);
            }
            EventKind::AnswerEnd { ms, .. } => open = open.max(ms),
            EventKind::TurnEnd { ms, .. } => (whole, open) = (whole + ms, 0),
            _ => {}
        }
    }
    Duration::from_millis(whole + open)
}

impl Workspace {
    /// Returns the calls of a discussion that began and may have been paid, but are not recorded in its file.
    pub(crate) fn reserved(&self, path: &Path, snapshot: &Snapshot) -> Vec<Reserved> {
        let mut left =
            self.open_with(path, Reservations::of).map_or_else(|_| Vec::new(), |it| it.pending());
        left.retain(|one| is_unrecorded(one, snapshot));
        left
    }
}

/// Returns true if the file has the turn of the call, unchanged since the call began and without an answer from its
/// participant.
fn is_unrecorded(one: &Reserved, snapshot: &Snapshot) -> bool {
    let turns = &mut snapshot.state.turns.iter();
    turns.any(|turn| {
        (turn.line.number, turn.line.at) == (one.turn, one.opened)
            && turn.line.asks.contains(&one.who)
            && matches!(turn.outcomes.get(&one.who), None | Some(TurnOutcome::Failed { .. }))
    })
}

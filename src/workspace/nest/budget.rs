//! What a discussion may still spend, with all that stand above it and within it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::chain::{Ancestor, nesting};
use crate::duration;
use crate::engine::{Snapshot, ahead, ahead_in_agreement};
use crate::state::Cost;
use crate::transcript::{Depth, HeadLimits, Time};
use crate::view::{EventKind, changes};
use crate::workspace::{Workspace, WorkspaceError};

/// Calls of a tree where nobody says how many (INV-DISC-620).
const CALLS: u32 = 20;

/// What may still be spent, by heads and configuration: what flags of one run say is no part of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Budget {
    /// Model calls.
    pub(crate) calls: Option<u32>,
    /// US dollars.
    pub(crate) usd: Option<f64>,
    /// Recorded calls under a limit of money whose price cannot be read.
    pub(crate) unreadable: u64,
    /// Time that turns may take.
    pub(crate) time: Option<Duration>,
    /// When the time is up.
    pub(crate) until: Option<Time>,
    /// The time of the whole tree, of which shares are computed.
    pub(crate) total: Option<Duration>,
}

impl Budget {
    /// Whether calls or money are limited beyond one run.
    pub(crate) fn limits_spending(&self) -> bool {
        self.calls.is_some() || self.usd.is_some()
    }
}

/// What a discussion and those within it spent.
#[derive(Default)]
struct Spent {
    cost: Cost,
    time: Duration,
    /// Calls count too that a run began and did not live to record.
    with_reserved: bool,
}

impl Workspace {
    /// What the first of a chain may still spend: what its own head allows, and each above it, less what each tree spent.
    ///
    /// # Errors
    /// A limit that cannot be read: nothing is asked where a limit that somebody wrote would not hold.
    pub(crate) fn budget(&self, chain: &[Ancestor]) -> Result<Budget, WorkspaceError> {
        let mut budget = Budget::default();
        let Some(last) = chain.len().checked_sub(1) else { return Ok(budget) };
        for (index, link) in chain.iter().enumerate() {
            let head = link.snapshot.transcript.head.as_ref();
            if let Some(problem) = link.snapshot.unreadable_head() {
                let place = format!("{}:{}", self.setup.shown(&link.path), problem.line);
                // It is not ignored here: nothing is run.
                let why = problem.message.replace(" and is ignored", "");
                return Err(WorkspaceError::HeadUnreadable(place, why));
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
            let spent = Spent { with_reserved: true, ..Spent::default() };
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

    /// Returns what the discussion's own head still allows, without its parents and the configuration.
    ///
    /// # Errors
    /// A limit that cannot be read.
    pub(crate) fn own_budget(
        &self,
        path: &Path,
        snapshot: &Snapshot,
    ) -> Result<Budget, WorkspaceError> {
        let Some(head) = snapshot.transcript.head.as_ref() else { return Ok(Budget::default()) };
        let mut own = Budget { until: head.until, ..Budget::default() };
        let spent = self.spent(path, snapshot, Spent { with_reserved: true, ..Spent::default() });
        own.narrow(&head.limits, &spent)?;
        Ok(own)
    }

    /// Returns how many of the calls that are left a parent keeps for itself when it opens a discussion: all that it may
    /// make, or fewer if the child needs more, but never fewer than it makes if everybody agrees.
    ///
    /// # Errors
    /// When an expression of the parent's template fails.
    pub(crate) fn calls_kept(
        parent: &Snapshot,
        child: Option<&Snapshot>,
        budget: &Budget,
    ) -> Result<u32, WorkspaceError> {
        let count = |calls: usize| u32::try_from(calls).unwrap_or(u32::MAX);
        let most = ahead(parent)?.len();
        let (Some(left), Some(child)) = (budget.calls, child) else { return Ok(count(most)) };
        let needed = count(ahead(child)?.len());
        if left.saturating_sub(count(most)) >= needed {
            return Ok(count(most));
        }
        let least = count(ahead_in_agreement(parent, most)?);
        Ok(left.saturating_sub(needed).clamp(least, count(most)))
    }

    /// What a discussion and all within it cost, by provider (INV-DISC-644).
    pub(crate) fn tree_cost(&self, path: &Path, snapshot: &Snapshot) -> Cost {
        self.spent(path, snapshot, Spent::default()).cost
    }

    /// What a discussion and all within it cost, and how many milliseconds those within it took.
    pub(crate) fn tree_spent(&self, path: &Path, snapshot: &Snapshot) -> (Cost, u64) {
        let spent = self.spent(path, snapshot, Spent::default());
        let within = spent.time.saturating_sub(taken(snapshot));
        (spent.cost, u64::try_from(within.as_millis()).unwrap_or(u64::MAX))
    }

    fn spent(&self, path: &Path, snapshot: &Snapshot, mut spent: Spent) -> Spent {
        self.add(path, snapshot, Some(Depth::ROOT), &mut HashSet::new(), &mut spent);
        spent
    }

    /// `depth`: how many stand above it; none: more than may, which is read no further.
    fn add(
        &self,
        path: &Path,
        snapshot: &Snapshot,
        depth: Option<Depth>,
        known: &mut HashSet<PathBuf>,
        spent: &mut Spent,
    ) {
        spent.cost.absorb(&snapshot.state.cost);
        spent.time += taken(snapshot);
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
                Ok(snapshot) => self.add(&file, &snapshot, depth.below(), known, spent),
                // What is gone was paid all the same.
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
    /// Takes in limits of which so much is spent; gives the time that they allow altogether.
    fn narrow(
        &mut self,
        limits: &HeadLimits,
        spent: &Spent,
    ) -> Result<Option<Duration>, WorkspaceError> {
        if let Some(most) = limits.max_usd {
            if !(most.is_finite() && most >= 0.0) {
                let why = "it must be US dollars, 0 or more".to_owned();
                return Err(WorkspaceError::Limit("max_usd", why));
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
    duration::parse(time).map_err(|why| WorkspaceError::Limit("timeout", why))
}

/// The smaller of two, where there are two.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

/// What all turns took so far, as the file tells: calls one after the other, or all at once. Of a turn that is not
/// over the longest call counts.
fn taken(snapshot: &Snapshot) -> Duration {
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

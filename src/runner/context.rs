//! The state of one run: its limits and what it has spent, what its calls share, and the signal that stops it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;
use tokio::time::Instant;

use super::blocking::blocking;
use super::options::{Extent, RunOptions};
use super::prompt_cache::PromptCache;
use super::providers::{Link, Providers};
use super::report::{FinishedRun, RunReport, Stopped};
use crate::codes::StopCode;
use crate::engine::Snapshot;
use crate::provider::{CallError, FailureCode, ProviderName, SpendLimiter, Unaffordable};
use crate::store::Writer;
use crate::transcript::{Alias, Draft};
use crate::view::Call;
use crate::workspace::{Budget, Workspace, WorkspaceError};

/// The deadline of a run without a time limit, so that one loop serves runs with and without a limit.
const NO_DEADLINE: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// Stops a run: running calls end, and everything in the file stays.
#[derive(Clone, Debug)]
pub struct AbortHandle(watch::Sender<bool>);

/// The signal that stops a run.
#[derive(Clone, Debug)]
pub struct Abort(watch::Receiver<bool>);

impl Abort {
    /// Returns a handle and the signal that it gives.
    pub fn new() -> (AbortHandle, Self) {
        let (sender, receiver) = watch::channel(false);
        (AbortHandle(sender), Self(receiver))
    }

    /// Returns a signal that is never given.
    #[cfg(any(test, not(discussions_sealed)))]
    pub fn never() -> Self {
        Self::new().1
    }

    pub(super) fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the signal; forever if its handle is gone.
    pub(super) async fn wait(&mut self) {
        if self.0.wait_for(|set| *set).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl AbortHandle {
    /// Stops the run. A second call has no effect.
    pub fn abort(&self) {
        self.0.send_replace(true);
    }
}

/// The state of one run.
pub(super) struct RunContext<'r> {
    pub(super) providers: &'r Providers,
    pub(super) path: PathBuf,
    /// The options, with limits as narrow as the budgets of heads and configuration.
    pub(super) options: RunOptions,
    /// True if the run, before it writes anything, must check that the limit of money covers one call.
    pub(super) checks_price: bool,
    /// Limits the money of all calls, however many run at once.
    pub(super) money: SpendLimiter,
    pub(super) shared: Arc<SharedState>,
    /// Turns that the run opened or continued, those of sub-discussions included.
    pub(super) turns: u32,
    pub(super) reports: Vec<Call>,
    /// The calls of sub-discussions.
    pub(super) child_reports: Vec<Call>,
    pub(super) prompt_cache: PromptCache,
    /// True if a note said that the reviewer is the same model as the author.
    pub(super) noted_author_again: bool,
    pub(super) abort: Abort,
    /// Set when the run no longer waits for a lock, so that the waiting thread gives the lock back.
    pub(super) given_up: Arc<AtomicBool>,
    start: Instant,
    /// The budget that heads and configuration left when the run began.
    budget: Budget,
}

impl<'r> RunContext<'r> {
    pub(super) fn new(
        providers: &'r Providers,
        path: PathBuf,
        options: RunOptions,
        checks_price: bool,
        abort: Abort,
    ) -> Self {
        Self {
            providers,
            path,
            money: SpendLimiter::new(options.max_usd, options.unpriced),
            options,
            checks_price,
            shared: Arc::default(),
            turns: 0,
            reports: Vec::new(),
            child_reports: Vec::new(),
            prompt_cache: PromptCache::default(),
            noted_author_again: false,
            abort,
            given_up: Arc::default(),
            start: Instant::now(),
            budget: Budget::default(),
        }
    }

    pub(super) fn workspace(&self) -> &'r Arc<Workspace> {
        &self.providers.workspace
    }

    /// Returns the time at which the run ends.
    pub(super) fn deadline(&self) -> Instant {
        self.start + self.options.timeout.unwrap_or(NO_DEADLINE)
    }

    /// Adds the limits of the file, of the discussions above it and of the configuration, minus the spending that the
    /// files record.
    ///
    /// # Errors
    /// Fails if a limit cannot be read. The run then makes no call, because it could not keep a limit that a user
    /// wrote.
    pub(super) fn apply_budget(&mut self, snapshot: &Snapshot) -> Result<(), WorkspaceError> {
        let workspace = self.workspace();
        let budget = workspace.budget(&workspace.chain(&self.path, snapshot)?)?;
        // Refuse unreadable amounts: a line that a user wrote or changed by hand could hide money that was spent.
        if budget.unreadable > 0 && !self.options.unpriced {
            return Err(Unaffordable::UnreadablePrices { calls: budget.unreadable }.into());
        }
        if let Some(usd) = budget.usd {
            self.money.narrow(usd);
        }
        if let Some(calls) = budget.calls {
            self.options.max_calls = Some(self.options.most_calls().min(calls));
        }
        if let Some(time) = budget.time {
            self.limit_time(time);
        }
        if let Some(until) = budget.until {
            self.limit_time((until - workspace.now()).to_std().unwrap_or_default());
        }
        self.budget = budget;
        Ok(())
    }

    fn limit_time(&mut self, most: Duration) {
        self.options.timeout = Some(self.options.timeout.map_or(most, |known| known.min(most)));
    }

    /// Returns the budget that heads and configuration leave now.
    pub(super) fn remaining_budget(&self) -> Budget {
        let calls = self.budget.calls.map(|calls| calls.saturating_sub(self.calls_made()));
        let usd = self.budget.usd.map(|usd| (usd - self.money.spent()).max(0.0));
        let time = self.budget.time.map(|time| time.saturating_sub(self.start.elapsed()));
        Budget { calls, usd, time, ..self.budget.clone() }
    }

    /// Returns whether heads or configuration limit calls or money over several runs.
    pub(super) fn limits_spending(&self) -> bool {
        self.budget.limits_spending()
    }

    /// Returns the options with the rest of all limits, for a sub-discussion.
    pub(super) fn remaining_options(&self) -> RunOptions {
        let elapsed = self.start.elapsed();
        let options = self.options.clone();
        RunOptions {
            extent: Extent::Run,
            max_turns: options.max_turns.map(|most| most.saturating_sub(self.turns)),
            max_calls: options.max_calls.map(|most| most.saturating_sub(self.calls_made())),
            max_usd: self.money.remaining(),
            timeout: options.timeout.map(|timeout| timeout.saturating_sub(elapsed)),
            ..options
        }
    }

    /// Counts the spending of a sub-discussion.
    pub(super) fn add_child(&mut self, finished: FinishedRun) {
        self.turns = self.turns.saturating_add(finished.report.turns);
        self.child_reports.extend(finished.report.calls);
        self.money.charge(finished.usd);
    }

    /// Returns the limit that forbids another turn; none if a turn may begin.
    pub(super) fn turn_limit(&self) -> Option<StopCode> {
        let late = self.options.timeout.is_some_and(|timeout| self.start.elapsed() >= timeout);
        if self.options.max_turns.is_some_and(|most| self.turns >= most) {
            Some(StopCode::MaxTurns)
        } else if self.money.is_empty() {
            Some(StopCode::MaxUsd)
        } else if self.calls_made() >= self.options.most_calls() {
            Some(StopCode::MaxCalls)
        } else if late {
            Some(StopCode::Timeout)
        } else {
            None
        }
    }

    /// Returns how many of the `wanted` participants the run may ask in the current turn.
    pub(super) fn allowed_calls(&self, wanted: usize) -> Result<usize, StopCode> {
        match self.turn_limit() {
            Some(limit) if limit != StopCode::MaxTurns => Err(limit),
            _ => {
                Ok(wanted.min(self.options.most_calls().saturating_sub(self.calls_made()) as usize))
            }
        }
    }

    /// Returns how many calls are left beyond the first one of each participant.
    pub(super) fn extra_calls(&self, participants: usize) -> u32 {
        let first_calls = u32::try_from(participants).unwrap_or(u32::MAX);
        let left = self.options.most_calls().saturating_sub(self.calls_made());
        left.saturating_sub(first_calls)
    }

    fn calls_made(&self) -> u32 {
        self.reports.iter().chain(&self.child_reports).map(|call| call.calls).sum()
    }

    /// Returns whether this run has asked one of these participants in the last turn.
    pub(super) fn has_asked(&self, snapshot: &Snapshot, aliases: &[Alias]) -> bool {
        let turn = snapshot.state.turns.last().map(|turn| turn.line.number);
        let is_asked = |call: &Call| {
            let is_named = aliases.iter().any(|alias| alias.as_str() == call.participant);
            Some(call.turn) == turn && is_named
        };
        self.reports.iter().any(is_asked)
    }

    /// Reads the file under its lock, so that no other process writes between reading and deciding. Returns none if the
    /// run is stopped first.
    pub(super) fn lock_file(
        &self,
    ) -> impl Future<Output = Option<Result<(Writer, Snapshot), WorkspaceError>>> + Send + use<>
    {
        let (workspace, path) = (Arc::clone(self.workspace()), self.path.clone());
        let (patience, given_up) = (workspace.patience(&self.given_up), Arc::clone(&self.given_up));
        let mut abort = self.abort.clone();
        let read = blocking(move || {
            let writer = workspace.patient_writer(&path, patience)?;
            let snapshot = workspace.exact(&writer.read()?)?;
            Ok((writer, snapshot))
        });
        async move {
            tokio::select! {
                biased;
                () = abort.wait() => {
                    given_up.store(true, Ordering::Relaxed);
                    None
                }
                read = read => Some(read),
            }
        }
    }

    /// Appends lines. Returns the file with them, still locked, so that the next step needs not read it again; none if
    /// another program changed it in the meantime.
    pub(super) async fn append(
        &self,
        mut writer: Writer,
        before: Snapshot,
        drafts: Vec<Draft>,
    ) -> Result<Option<(Writer, Snapshot)>, WorkspaceError> {
        let (workspace, path) = (Arc::clone(self.workspace()), self.path.clone());
        blocking(move || {
            let receipt = writer.append(&drafts)?;
            let before = before.transcript.text.as_str();
            if usize::try_from(receipt.offset) != Ok(before.len()) {
                return Ok(None);
            }
            let now = workspace.exact_text(&path, &format!("{before}{}", receipt.added))?;
            Ok(Some((writer, now)))
        })
        .await
    }

    /// Ends the run with its report. The caller adds the votes of people and the summary.
    pub(super) fn finish(mut self, stopped: Stopped) -> FinishedRun {
        self.reports.append(&mut self.child_reports);
        let report = RunReport {
            file: self.path,
            turns: self.turns,
            calls: self.reports,
            ms: millis_since(self.start),
            stopped: stopped.code,
            within: stopped.within,
            person_votes: BTreeMap::new(),
            summary: None,
        };
        FinishedRun { report, usd: self.money.spent() }
    }
}

/// The state that the concurrent calls of a run share.
#[derive(Debug, Default)]
pub(super) struct SharedState {
    /// Notices that were given, so that each is given once in a run.
    notices: Mutex<BTreeSet<String>>,
    /// Providers that fail for every prompt. The next run tries them again: the user may have logged in.
    unavailable: Mutex<BTreeSet<String>>,
    /// Calls beyond the first of each participant that the turn may still make: retries, repair requests, fallbacks.
    extra_calls: AtomicU32,
}

impl SharedState {
    /// Sets how many extra calls the next turn may make. No call may be running.
    pub(super) fn set_extra_calls(&self, calls: u32) {
        self.extra_calls.store(calls, Ordering::Relaxed);
    }

    /// Takes one extra call; returns false if none is left.
    pub(super) fn take_extra_call(&self) -> bool {
        let less = |left: u32| left.checked_sub(1);
        self.extra_calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    /// Returns the notice, unless the run has already given it.
    pub(super) fn once(&self, notice: String) -> Option<String> {
        self.is_new(&notice).then_some(notice)
    }

    /// Returns whether a notice is new, and remembers it.
    pub(super) fn is_new(&self, notice: &str) -> bool {
        lock(&self.notices).insert(notice.to_owned())
    }

    /// Remembers a provider if its failure does not depend on the prompt, so that no later call has to fail as well.
    pub(super) fn note_failure(&self, provider: &ProviderName, error: &CallError) {
        if fails_always(error.code) {
            lock(&self.unavailable).insert(provider.as_str().to_owned());
        }
    }

    /// Removes unavailable providers from a chain. Keeps the whole chain if all of them are unavailable, because the
    /// failure then states a reason.
    pub(super) fn without_unavailable(&self, chain: Vec<Link>) -> Vec<Link> {
        let unavailable = lock(&self.unavailable);
        let is_available = |link: &Link| !unavailable.contains(link.provider.name().as_str());
        if chain.iter().any(is_available) {
            chain.into_iter().filter(is_available).collect()
        } else {
            chain
        }
    }
}

fn lock(names: &Mutex<BTreeSet<String>>) -> MutexGuard<'_, BTreeSet<String>> {
    // A panic cannot leave a set half changed.
    names.lock()
}

/// Returns whether every other prompt would fail in this way too.
fn fails_always(code: FailureCode) -> bool {
    use FailureCode as F;
    match code {
        F::NotInstalled | F::Misconfigured | F::SpendLimit | F::Unauthorized | F::UnknownModel => {
            true
        }
        F::CannotStart
        | F::Exit
        | F::Empty
        | F::Timeout
        | F::OutputTooLong
        | F::Unreadable
        | F::CutStream
        | F::Unreachable
        | F::RateLimited
        | F::Overloaded
        | F::Server
        | F::OverBudget
        | F::BudgetSpent
        | F::ContentFilter
        | F::PromptTooLong
        | F::Stopped => false,
    }
}

/// Returns the milliseconds since an instant.
pub(super) fn millis_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

//! The dispatcher: asks several at once, appends each answer as it arrives whole, and keeps count.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

use super::abort::Abort;
use super::answer::Answered;
use super::call::{Chunk, call};
use super::error::RunError;
use super::job::Job;
use super::limits::{Limit, Limits};
use super::prefix::Prefixes;
use super::report::{CallReport, RunReport, Stopped};
use super::{CallOptions, Observer, Runner};
use crate::engine::Snapshot;
use crate::transcript::{Alias, Name, time};
use crate::view::{Change, Event, EventKind, changes};

/// How asking ended.
pub(super) enum Asked {
    All,
    Stopped(Stopped),
}

/// What is remembered of a running call.
struct Running {
    alias: Alias,
    name: Name,
    turn: u32,
    prompt_bytes: usize,
    cached_prefix: usize,
}

/// The turn whose beginning was told, and not yet its end.
struct Round {
    turn: u32,
    round: Option<u32>,
}

/// Owns a run's counters and its observer.
pub(super) struct Dispatcher<'r> {
    runner: &'r Runner,
    path: PathBuf,
    options: CallOptions,
    limits: Limits,
    observer: Observer<'r>,
    abort: Abort,
    start: Instant,
    turns: u32,
    calls: Vec<CallReport>,
    prefixes: Prefixes,
    round: Option<Round>,
    /// The last reading whose changes were told.
    seen: Option<Snapshot>,
    /// What went wrong on the way to an answer; the file does not hold it.
    notes: HashMap<String, Vec<String>>,
}

impl<'r> Dispatcher<'r> {
    /// Whether this run asked one of them in the last turn already.
    pub(super) fn was_asked(&self, snapshot: &Snapshot, aliases: &[Alias]) -> bool {
        let turn = snapshot.state.turns.last().map(|turn| turn.line.number);
        self.calls.iter().any(|call| Some(call.turn) == turn && aliases.contains(&call.participant))
    }

    pub(super) fn new(
        runner: &'r Runner,
        path: &Path,
        options: &CallOptions,
        limits: Limits,
        observer: Observer<'r>,
        abort: Abort,
    ) -> Self {
        Self {
            runner,
            path: path.to_owned(),
            options: options.clone(),
            limits,
            observer,
            abort,
            start: Instant::now(),
            turns: 0,
            calls: Vec::new(),
            prefixes: Prefixes::default(),
            round: None,
            seen: None,
            notes: HashMap::new(),
        }
    }

    pub(super) fn path(&self) -> &PathBuf {
        &self.path
    }

    pub(super) fn options(&self) -> &CallOptions {
        &self.options
    }

    pub(super) fn aborted(&self) -> bool {
        self.abort.is_set()
    }

    pub(super) fn report(self, stopped: Stopped) -> RunReport {
        RunReport { file: self.path, turns: self.turns, calls: self.calls, stopped }
    }

    /// Tells what is not in the file.
    pub(super) fn emit(&mut self, kind: EventKind) {
        self.emit_of(None, kind);
    }

    fn emit_of(&mut self, participant: Option<String>, kind: EventKind) {
        let round = self.round.as_ref().and_then(|round| round.round);
        self.send(Change { at: None, round, participant, kind });
    }

    fn send(&mut self, change: Change) {
        let Change { round, participant, kind, .. } = change;
        let workspace = &self.runner.workspace;
        let (file, at) = (workspace.shown(&self.path), time(workspace.now()));
        (self.observer)(Event { event: kind.name(), file, at, round, participant, kind });
    }

    /// Whether another turn may begin.
    pub(super) fn turn_limit(&self) -> Option<Limit> {
        let spent: f64 = self.calls.iter().filter_map(|call| call.usd).map(|usd| usd.amount).sum();
        let late = self.limits.timeout.is_some_and(|timeout| self.start.elapsed() >= timeout);
        match () {
            () if self.turns >= self.limits.max_turns => Some(Limit::Turns),
            () if self.limits.max_usd.is_some_and(|most| spent >= most) => Some(Limit::Usd),
            () if self.made() >= self.limits.max_calls => Some(Limit::Calls),
            () if late => Some(Limit::Time),
            () => None,
        }
    }

    /// How many of so many participants may be asked.
    pub(super) fn call_limit(&self, wanted: usize) -> Result<usize, Limit> {
        match self.turn_limit() {
            Some(limit) if limit != Limit::Turns => Err(limit),
            _ => Ok(wanted.min((self.limits.max_calls - self.made()) as usize)),
        }
    }

    fn made(&self) -> u32 {
        self.calls.iter().map(|call| call.calls).sum()
    }

    /// Tells what has changed in the file since it was last read. A turn that was left unfinished begins anew for
    /// whoever watches this run.
    pub(super) fn saw(&mut self, snapshot: &Snapshot) {
        let told = match &self.seen {
            Some(seen) => changes(Some(seen), snapshot),
            None => resumed(snapshot),
        };
        for change in told {
            self.tell(change);
        }
        self.seen = Some(snapshot.clone());
    }

    fn tell(&mut self, mut change: Change) {
        match &mut change.kind {
            EventKind::RoundStart { turn, .. } => {
                self.turns += 1;
                self.round = Some(Round { turn: *turn, round: change.round });
            }
            EventKind::RoundEnd { turn, .. }
                if self.round.take_if(|round| round.turn == *turn).is_none() =>
            {
                return;
            }
            EventKind::AnswerEnd { notes, .. } => {
                let who = change.participant.as_deref().unwrap_or_default();
                *notes = self.notes.remove(who).unwrap_or_default();
            }
            _ => {}
        }
        self.send(change);
    }

    /// Ends, for whoever watches, a turn that this run leaves unfinished.
    pub(super) fn end_round(&mut self) {
        if let Some(Round { turn, .. }) = self.round {
            self.emit(EventKind::RoundEnd { turn, ms: 0 });
            self.round = None;
        }
    }

    /// Asks all at once and appends each answer as it arrives.
    pub(super) async fn ask(&mut self, jobs: Vec<Job>) -> Result<Asked, RunError> {
        let (sender, mut chunks) = mpsc::unbounded_channel();
        let mut set = JoinSet::new();
        let mut running: HashMap<Id, Running> = HashMap::new();
        for job in jobs {
            let cached_prefix = self.prefixes.shared(&job.prompt);
            let (provider, fallbacks) = job.providers();
            let start = EventKind::AnswerStart {
                name: job.name.to_string(),
                provider,
                fallbacks,
                passed_over: job.passed_over.clone(),
            };
            self.emit_of(Some(job.alias.to_string()), start);
            let known = Running {
                alias: job.alias.clone(),
                name: job.name.clone(),
                turn: job.turn,
                prompt_bytes: job.prompt.size(),
                cached_prefix,
            };
            let handle = set.spawn(call(job, self.options.provider_timeout, sender.clone()));
            running.insert(handle.id(), known);
        }
        drop(sender);
        let mut abort = self.abort.clone();
        // Without a limit the far future stands in, so that one loop serves both.
        let far = Instant::now() + std::time::Duration::from_secs(60 * 60 * 24 * 365);
        let end = self.limits.timeout.map_or(far, |timeout| self.start + timeout);
        loop {
            tokio::select! {
                biased;
                () = abort.set() => {
                    set.shutdown().await;
                    return Ok(Asked::Stopped(Stopped::Aborted));
                }
                Some(chunk) = chunks.recv() => self.chunk(chunk),
                joined = set.join_next_with_id() => match joined {
                    Some(joined) => {
                        self.drain(&mut chunks);
                        if let Err(error) = self.finish(joined, &mut running) {
                            set.shutdown().await;
                            return Err(error);
                        }
                    }
                    None => return Ok(Asked::All),
                },
                () = sleep_until(end) => {
                    set.shutdown().await;
                    return Ok(Asked::Stopped(Stopped::Limit(Limit::Time)));
                }
            }
        }
    }

    fn chunk(&mut self, chunk: Chunk) {
        let participant = Some(chunk.participant.to_string());
        self.emit_of(participant, EventKind::AnswerChunk { text: chunk.text });
    }

    /// What was said before the end is told before the end.
    fn drain(&mut self, chunks: &mut UnboundedReceiver<Chunk>) {
        while let Ok(chunk) = chunks.try_recv() {
            self.chunk(chunk);
        }
    }

    fn finish(
        &mut self,
        joined: Result<(Id, Answered), JoinError>,
        running: &mut HashMap<Id, Running>,
    ) -> Result<(), RunError> {
        let id = joined.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Some(known) = running.remove(&id) else { return Ok(()) };
        let answered = match joined {
            Ok((_, answered)) => answered,
            Err(_) => Answered::died(known.alias.clone(), known.name.clone(), known.turn),
        };
        let workspace = Arc::clone(&self.runner.workspace);
        workspace.append(&self.path, &[answered.draft(workspace.now())])?;
        self.notes.insert(answered.alias.to_string(), answered.notes.clone());
        let report = answered.report(known.prompt_bytes, known.cached_prefix);
        let snapshot = workspace.snapshot(&self.path)?;
        self.saw(&snapshot);
        self.calls.push(report);
        Ok(())
    }
}

/// What a run that begins tells of the turn that it goes on with.
fn resumed(snapshot: &Snapshot) -> Vec<Change> {
    let Some(turn) = snapshot.state.unfinished() else { return Vec::new() };
    let number = turn.line.number;
    let mut told = changes(None, snapshot);
    let begins = told.iter().rposition(
        |change| matches!(change.kind, EventKind::RoundStart { turn, .. } if turn == number),
    );
    told.drain(..begins.unwrap_or(told.len()));
    told.retain(|change| {
        matches!(change.kind, EventKind::RoundStart { .. } | EventKind::ConsensusStart {})
    });
    told
}

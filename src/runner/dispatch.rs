//! The dispatcher: asks several at once, appends each answer as it arrives whole, and keeps count.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

use super::abort::Abort;
use super::answer::{Answered, Said};
use super::call::{Chunk, call};
use super::error::RunError;
use super::event::{Event, EventKind};
use super::job::Job;
use super::limits::{Limit, Limits};
use super::prefix::Prefixes;
use super::report::{CallOutcome, CallReport, RunReport, Stopped};
use super::{CallOptions, Observer, Runner, since};
use crate::engine::Snapshot;
use crate::state::confidence;
use crate::transcript::{Alias, Comment, Control, Draft, Marker, Name};

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
    wanted: crate::transcript::MarkerSet,
    votes: bool,
}

/// The turn that runs.
struct Round {
    turn: u32,
    round: u32,
    start: Instant,
    voting: bool,
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

    pub(super) fn emit(&mut self, kind: EventKind) {
        let round = self.round.as_ref().map(|round| round.round).filter(|round| *round > 0);
        let at = self.runner.workspace.now();
        (self.observer)(Event { file: self.path.clone(), at, round, kind });
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

    /// Looks at what the file says before each step: a turn that is over is told.
    pub(super) fn saw(&mut self, snapshot: &Snapshot) {
        let running = snapshot.state.unfinished();
        let Some(turn) = snapshot.state.turns.last() else { return };
        let known = self.round.as_ref().is_some_and(|round| round.turn == turn.line.number);
        if !known && let Some(turn) = running {
            self.end_round();
            self.turns += 1;
            let phase = &snapshot.template().phases[turn.phase];
            self.round = Some(Round {
                turn: turn.line.number,
                round: turn.round,
                start: Instant::now(),
                voting: phase.voting_mode,
            });
            self.emit(EventKind::RoundStart {
                turn: turn.line.number,
                phase: phase.id.clone(),
                asks: turn.line.asks.clone(),
            });
            if phase.voting_mode {
                self.emit(EventKind::ConsensusStart);
            }
        }
        if known && running.is_none() {
            let voting = self.round.as_ref().is_some_and(|round| round.voting);
            if voting && let Some(tally) = snapshot.tally() {
                self.emit(EventKind::Consensus {
                    reached: tally.carries,
                    outcome: tally.outcome.map(|choice| choice.to_string()),
                    blocked_by: tally.blocked_by,
                });
            }
            self.end_round();
        }
    }

    pub(super) fn end_round(&mut self) {
        if let Some((turn, ms)) = self.round.as_ref().map(|round| (round.turn, since(round.start)))
        {
            self.emit(EventKind::RoundEnd { turn, ms });
            self.round = None;
        }
    }

    /// Whatever begins a turn is told when the turn is seen in the file.
    pub(super) fn wrote(&mut self, drafts: &[Draft]) {
        if drafts.iter().any(|draft| matches!(draft, Draft::Control(Control::Phase(_)))) {
            self.end_round();
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
            self.emit(EventKind::AnswerStart {
                participant: job.alias.clone(),
                name: job.name.to_string(),
                provider,
                fallbacks,
                passed_over: job.passed_over.clone(),
            });
            let known = Running {
                alias: job.alias.clone(),
                name: job.name.clone(),
                turn: job.turn,
                prompt_bytes: job.prompt.len(),
                cached_prefix,
                wanted: job.wanted.markers.clone(),
                votes: job.votes,
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
        self.emit(EventKind::AnswerChunk { participant: chunk.participant, text: chunk.text });
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
        let report = answered.report(known.prompt_bytes, known.cached_prefix);
        let text = match &answered.result {
            Ok(Said::Answer { body, .. }) => body.clone(),
            _ => String::new(),
        };
        self.emit(EventKind::AnswerEnd {
            participant: answered.alias.clone(),
            provider: report.provider.clone(),
            outcome: report.outcome.clone(),
            ms: report.ms,
            text: text.clone(),
            notes: answered.notes.clone(),
        });
        if let CallOutcome::Answered { vote: Some(vote) } = &report.outcome
            && known.votes
        {
            let marks = Comment::plain(&text).read(&known.wanted).marks;
            let stated = marks
                .iter()
                .find(|mark| mark.marker == Marker::Confidence)
                .and_then(|mark| confidence(&mark.text));
            self.emit(EventKind::Vote {
                participant: answered.alias.clone(),
                vote: vote.to_string(),
                confidence: stated.map(|(share, _)| share),
            });
        }
        self.calls.push(report);
        Ok(())
    }
}

//! Makes the calls of one turn all at once, and records each answer as soon as it is complete.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{sleep_until, timeout};

use super::answer::{CallRecord, Job};
use super::blocking::blocking;
use super::call::{CallMeans, Chunk, call};
use super::context::RunContext;
use super::events::EventEmitter;
use super::record::{AnswerWriter, Recorded};
use super::recovery::ledger_for;
use super::report::Stopped;
use crate::codes::StopCode;
use crate::engine::{AnswerSpec, Prompt, Prompts, Pseudonyms, Snapshot};
use crate::provider::{FailureCode, RefusedCall, SpendLimiter};
use crate::store::Reservations;
use crate::transcript::{Alias, Draft, Name};
use crate::view::EventKind;
use crate::workspace::WorkspaceError;

/// The time for recording complete answers after a run is stopped, because they are already paid for.
const GRACE: Duration = Duration::from_millis(500);

/// Why a call failed that had not ended at the time limit of a run that goes on.
const LATE: &str = "no answer before the time limit of the run";

/// The failure of a call that the end of the run stopped.
const STOPPED: &str = "the run was stopped during this call, which counts at its maximum price";

/// The note that no other vendor's model can review the author's text.
const AUTHOR_AGAIN: &str = "the reviewer is the same model as the author: no other vendor is ready";

/// Describes the calls for these participants of the last turn.
pub(super) fn jobs(
    run: &RunContext<'_>,
    snapshot: &Snapshot,
    aliases: &[Alias],
) -> Result<Vec<Job>, WorkspaceError> {
    let state = &snapshot.state;
    let turn = state.unfinished().unwrap_or(&state.turns[state.turns.len() - 1]);
    let phase = &snapshot.template().phases[turn.phase];
    let prompts = Prompts::of(snapshot, turn);
    let pseudonyms = Pseudonyms::of(snapshot, turn);
    let sharing = run.providers.sharing(snapshot, &run.options);
    let job = |alias: &Alias| {
        let name = snapshot.config.persona(alias).map(|persona| persona.name.clone());
        let name = name.or_else(|| Name::parse(alias.as_str()).ok());
        let chain = run.providers.chain(snapshot, alias, &run.options)?;
        let prompt = prompts.of_participant(alias, sharing.layout(&chain))?;
        Ok(Job {
            alias: alias.clone(),
            name: name.ok_or_else(|| WorkspaceError::person_is_asked(alias.as_str()))?,
            prompt: run.workspace().redact_prompt(prompt),
            wanted: AnswerSpec::of(snapshot, turn, alias),
            pseudonyms: pseudonyms.clone(),
            phase: phase.id.clone(),
            turn: turn.line.number,
            opened: turn.line.at,
            temperature: phase.temperature.or(run.options.temperature),
            wished_temperature: run.options.temperature.is_some(),
            wished_length: run.options.max_tokens.is_some(),
            reach: run.options.reach(),
            chain: run.shared.without_unavailable(run.providers.open(&chain)?),
            passed_over: chain.passed_over,
            is_author_again: chain.is_author_again,
            file: run.path.clone(),
            project: run.workspace().setup.base().to_owned(),
        })
    };
    aliases.iter().map(job).collect()
}

/// Asks all participants at once and records each answer as it arrives. Returns why the run stops; none if it goes on.
pub(super) async fn ask(
    run: &mut RunContext<'_>,
    events: &mut EventEmitter<'_>,
    jobs: Vec<Job>,
) -> Result<Option<Stopped>, WorkspaceError> {
    // A limit over several runs also counts calls that a killed run had begun, so each call is reserved first.
    let reservations = if run.limits_spending() {
        Some(run.workspace().open_with(&run.path, Reservations::of)?)
    } else {
        None
    };
    TurnCalls { run, events, reservations }.ask(jobs).await
}

/// Removes the reservations of a turn when all its calls are recorded. A leftover reservation is ignored if the
/// file already has the answer.
async fn clear(reservations: Option<Reservations>) {
    if let Some(reservations) = reservations {
        let _ = blocking(move || reservations.clear()).await;
    }
}

/// The calls of a turn, with the parts of the run that they need.
struct TurnCalls<'a, 'r, 'o> {
    run: &'a mut RunContext<'r>,
    events: &'a mut EventEmitter<'o>,
    reservations: Option<Reservations>,
}

/// A running call.
struct Running {
    /// Its record, as it is if the call breaks.
    begun: CallRecord,
    prompt: Prompt,
    /// Bytes at the start of the prompt that each provider may have cached when the call began.
    cached: Vec<(String, usize)>,
    /// The provider that is called first.
    provider: String,
    /// Counts the money of this participant's calls.
    money: SpendLimiter,
}

/// The calls that are running.
struct RunningCalls {
    tasks: JoinSet<CallRecord>,
    by_task: HashMap<Id, Running>,
    chunks: UnboundedReceiver<Chunk>,
}

impl TurnCalls<'_, '_, '_> {
    async fn ask(&mut self, jobs: Vec<Job>) -> Result<Option<Stopped>, WorkspaceError> {
        // Under a limit of money, a call may be refused only because running calls have reserved the rest. The run
        // makes the refused call again after the running calls have ended.
        let retryable: Vec<Job> =
            if self.run.money.remaining().is_some() { jobs.clone() } else { Vec::new() };
        let (mut refused, mut has_answers) = (Vec::new(), false);
        let mut calls = self.begin(jobs);
        let mut writer =
            AnswerWriter::new(self.run, self.events.last_snapshot(), self.reservations.clone());
        let mut abort = self.run.abort.clone();
        let deadline = self.run.deadline();
        while !(calls.tasks.is_empty() && writer.is_empty()) {
            let stopped = tokio::select! {
                biased;
                () = abort.wait() => StopCode::Aborted,
                Some(chunk) = calls.chunks.recv() => {
                    self.emit_chunk(chunk);
                    continue;
                }
                Some(joined) = calls.tasks.join_next_with_id() => {
                    // Report all pieces of an answer before its end.
                    while let Ok(chunk) = calls.chunks.try_recv() {
                        self.emit_chunk(chunk);
                    }
                    match self.finished(joined, &mut calls.by_task) {
                        Some(record) if record.was_refused() => refused.push(record.alias),
                        Some(record) => {
                            has_answers = true;
                            writer.push(record);
                        }
                        None => {}
                    }
                    continue;
                }
                recorded = writer.next() => {
                    // If an answer cannot be recorded, the other calls continue, because they are paid for. Their
                    // answers are recorded or kept as well.
                    self.advance(&mut writer, recorded);
                    continue;
                }
                () = sleep_until(deadline) => StopCode::Timeout,
            };
            calls.tasks.shutdown().await;
            let running = calls.by_task.into_values();
            // The run does not wait for a lock that another process keeps.
            let recorded = timeout(GRACE, async {
                while !writer.is_empty() {
                    let recorded = writer.next().await;
                    self.advance(&mut writer, recorded);
                }
                let goes_on = stopped == StopCode::Timeout && self.has_partial_verdict();
                let broken =
                    if goes_on { self.late_calls(running) } else { self.broken_calls(running) };
                writer.append(broken).await.map(|()| goes_on)
            })
            .await;
            if matches!(recorded, Ok(Ok(_))) && writer.is_empty() && !writer.has_kept() {
                clear(self.reservations.take()).await;
            }
            if let Some(error) = writer.unrecorded() {
                self.run.given_up.store(true, Ordering::Relaxed);
                return Err(error);
            }
            if matches!(recorded, Ok(Ok(true))) {
                return Ok(None);
            }
            self.run.given_up.store(true, Ordering::Relaxed);
            return Ok(Some(stopped.into()));
        }
        // Reservations of answers that are not in the file remain, and count against the discussion's limits.
        if let Some(error) = writer.unrecorded() {
            return Err(error);
        }
        clear(self.reservations.clone()).await;
        if has_answers && !refused.is_empty() {
            let again = retryable.into_iter().filter(|job| refused.contains(&job.alias)).collect();
            self.run.money.take_refusal();
            return Box::pin(self.ask(again)).await;
        }
        // A repair request may be refused as well. Then the first answer is recorded, but the run still stops.
        Ok(match self.run.money.take_refusal() {
            Some(RefusedCall::Money) => Some(StopCode::MaxUsd.into()),
            Some(RefusedCall::Price) => Some(StopCode::Unpriced.into()),
            None => None,
        })
    }

    fn begin(&mut self, jobs: Vec<Job>) -> RunningCalls {
        let (sender, chunks) = mpsc::unbounded_channel();
        let mut tasks = JoinSet::new();
        let mut by_task = HashMap::new();
        self.run.shared.set_extra_calls(self.run.extra_calls(jobs.len()));
        for job in jobs {
            if job.is_author_again && !std::mem::replace(&mut self.run.noted_author_again, true) {
                self.events.emit(EventKind::Note { message: AUTHOR_AGAIN.to_owned() });
            }
            let (provider, fallbacks) = job.providers();
            let start = EventKind::AnswerStart {
                name: job.name.to_string(),
                provider: provider.clone(),
                fallbacks,
                passed_over: job.passed_over.clone(),
            };
            self.events.emit_for(Some(&job.alias), start);
            let ledger = self.reservations.as_ref().map(|all| ledger_for(all, &job, &provider));
            let money = self.run.money.counting(ledger);
            let running = Running {
                begun: CallRecord::new(job.alias.clone(), job.name.clone(), job.turn),
                prompt: job.prompt.clone(),
                cached: self.run.prompt_cache.cached(&job.prompt),
                provider,
                money: money.clone(),
            };
            let means = CallMeans {
                timeout: self.run.options.call_timeout,
                chunks: sender.clone(),
                money,
                shared: Arc::clone(&self.run.shared),
            };
            let handle = tasks.spawn(call(job, means));
            by_task.insert(handle.id(), running);
        }
        RunningCalls { tasks, by_task, chunks }
    }

    fn emit_chunk(&mut self, chunk: Chunk) {
        let kind = EventKind::AnswerChunk { text: chunk.text };
        self.events.emit_for(Some(&chunk.participant), kind);
    }

    /// Returns the answer, pass or failure to record for a call that ended. If a call panicked, the others continue.
    fn finished(
        &mut self,
        joined: Result<(Id, CallRecord), JoinError>,
        by_task: &mut HashMap<Id, Running>,
    ) -> Option<CallRecord> {
        let id = joined.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Running { begun, prompt, cached, provider, money } = by_task.remove(&id)?;
        let record = match joined {
            Ok((_, record)) => record,
            Err(_) => {
                let why = "internal error during the call";
                begun.fail(provider, &money.paid(), FailureCode::Exit, why)
            }
        };
        let mut record = record.end_at(self.run.workspace().now());
        let provider = record.spent.provider.clone().unwrap_or_default();
        let cached = cached.iter().find(|(name, _)| *name == provider);
        record.cached_prefix = cached.map_or(0, |(_, bytes)| *bytes);
        record.prompt_bytes = prompt.size();
        if record.result.is_ok() {
            self.run.prompt_cache.add(provider, prompt);
        }
        Some(record)
    }

    /// Returns the lines for calls that were still running when the run ended; none if the discussion limits neither
    /// calls nor money. Under a limit they count: otherwise runs that are stopped again and again would exceed it.
    fn broken_calls(&self, running: impl Iterator<Item = Running>) -> Vec<Draft> {
        if !self.run.limits_spending() {
            return Vec::new();
        }
        let now = self.run.workspace().now();
        let broken = running.filter(|one| one.money.paid().calls > 0).map(|one| {
            let record =
                one.begun.fail(one.provider, &one.money.paid(), FailureCode::Stopped, STOPPED);
            record.end_at(now).draft()
        });
        broken.collect()
    }

    /// Returns true if the answers so far are enough for a verdict that the template computes. A caller with a deadline
    /// then gets a partial verdict instead of none.
    fn has_partial_verdict(&self) -> bool {
        self.events.last_snapshot().is_some_and(|snapshot| {
            !snapshot.template().result.verdict.is_empty()
                && snapshot.contributors() >= snapshot.least_contributors()
        })
    }

    /// Returns the failures of the calls that were still running at the deadline, and reports them.
    fn late_calls(&mut self, running: impl Iterator<Item = Running>) -> Vec<Draft> {
        let now = self.run.workspace().now();
        let mut late: Vec<CallRecord> = running
            .map(|one| {
                let (prompt_bytes, paid) = (one.prompt.size(), one.money.paid());
                let record = one.begun.fail(one.provider, &paid, FailureCode::Timeout, LATE);
                CallRecord { prompt_bytes, ..record.end_at(now) }
            })
            .collect();
        late.sort_by(|one, other| one.alias.cmp(&other.alias));
        self.run.reports.extend(late.iter().map(CallRecord::report));
        late.iter().map(CallRecord::draft).collect()
    }

    /// Reports a recorded answer, or keeps one that could not be recorded, and starts to record the next one.
    fn advance(&mut self, writer: &mut AnswerWriter, recorded: Result<Recorded, WorkspaceError>) {
        match recorded {
            Ok((record, snapshot)) => {
                writer.record_next();
                self.run.reports.push(record.report());
                self.events.note(&record.alias, record.notes);
                self.events.emit_changes(self.run, &snapshot);
            }
            Err(error) => {
                writer.keep(error);
                writer.record_next();
            }
        }
    }
}

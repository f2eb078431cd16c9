//! Asking several at once, and recording each answer as soon as it is whole.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};

use super::allowance::Allowance;
use super::answer::Answered;
use super::aside::aside;
use super::call::{Chunk, Means, call};
use super::dispatch::Dispatcher;
use super::job::Job;
use super::record::{Finished, Recorded, Records};
use super::report::Limit;
use super::report::Stopped;
use super::reserved::book;
use crate::engine::Prompt;
use crate::provider::{Purse, Refused};
use crate::store::Reservations;
use crate::transcript::{Alias, Draft, Name};
use crate::view::EventKind;
use crate::workspace::WorkspaceError;

/// How long answers that are whole may still take into the file when a run is stopped: they are paid for.
const GRACE: Duration = Duration::from_millis(500);
/// Without a limit the far future stands in, so that one loop serves both.
pub(super) const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// Everything that was begun is recorded. A note that stays all the same is held against the file when it is read.
async fn forget(notes: Option<Reservations>) {
    if let Some(notes) = notes {
        let _ = aside(move || notes.clear()).await;
    }
}

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
    prompt: Prompt,
    /// What each provider may have kept of the prompt's beginning when the call began.
    kept: Vec<(String, usize)>,
    /// Who is asked first.
    provider: String,
    /// Which counts what its calls come to.
    purse: Purse,
}

/// Calls that run.
struct Calls {
    set: JoinSet<Answered>,
    running: HashMap<Id, Running>,
    chunks: UnboundedReceiver<Chunk>,
}

impl Dispatcher<'_> {
    /// Opens the notes of what calls may cost that were begun.
    fn reservations(&self) -> Result<Reservations, WorkspaceError> {
        self.workspace().open_with(self.path(), Reservations::of)
    }

    /// Asks all at once and records each answer as it arrives.
    pub(super) async fn ask(&mut self, jobs: Vec<Job>) -> Result<Asked, WorkspaceError> {
        // Where money is limited, whoever is refused only because others' calls hold it is asked once they are over.
        let waiting: Vec<Job> =
            if self.purse().left().is_some() { jobs.clone() } else { Vec::new() };
        let (mut refused, mut made) = (Vec::new(), false);
        // Without a limit over several runs nobody has to know what one of them had begun.
        let limited = self.budget().limits_spending();
        let notes = if limited { Some(self.reservations()?) } else { None };
        let mut calls = self.begin(jobs, notes.as_ref());
        let records = Records::new(self.workspace(), self.path(), self.given_up());
        let mut records = records.noted_in(notes.clone()).based_on(self.seen());
        let mut abort = self.abort();
        let end = self.deadline().unwrap_or_else(|| Instant::now() + FAR);
        while !(calls.set.is_empty() && records.is_empty()) {
            let stopped = tokio::select! {
                biased;
                () = abort.set() => Stopped::Aborted,
                Some(chunk) = calls.chunks.recv() => {
                    self.chunk(chunk);
                    continue;
                }
                Some(joined) = calls.set.join_next_with_id() => {
                    // What was said before the end is told before the end.
                    while let Ok(chunk) = calls.chunks.try_recv() {
                        self.chunk(chunk);
                    }
                    match self.finished(joined, &mut calls.running) {
                        // Whoever was not asked, for want of money, is asked by a later run.
                        Some(finished) if finished.report.was_refused() => {
                            refused.push(finished.report.participant);
                        }
                        Some(finished) => {
                            made = true;
                            records.push(finished);
                        }
                        None => {}
                    }
                    continue;
                }
                recorded = records.next() => match recorded {
                    Ok(recorded) => {
                        records.continue_with(None);
                        self.recorded(recorded);
                        continue;
                    }
                    // The calls that still run are paid for, so they go on, and what they answer is kept as well.
                    Err(error) => {
                        records.continue_with(Some(error));
                        continue;
                    }
                },
                () = sleep_until(end) => Stopped::Limit(Limit::Time),
            };
            calls.set.shutdown().await;
            let unfinished = self.unfinished(calls.running.into_values());
            // A lock that somebody holds on to is no reason to wait any longer.
            let recorded = timeout(GRACE, async {
                self.record_all(&mut records).await;
                records.add(unfinished).await
            })
            .await;
            if matches!(recorded, Ok(Ok(()))) && records.is_empty() && !records.has_lost() {
                forget(notes).await;
            }
            self.given_up().store(true, Ordering::Relaxed);
            if let Some(error) = records.lost() {
                return Err(error);
            }
            return Ok(Asked::Stopped(stopped));
        }
        // What stays noted of answers that are not in the file counts against its limits.
        if let Some(error) = records.lost() {
            return Err(error);
        }
        forget(notes).await;
        if made && !refused.is_empty() {
            let again = waiting.into_iter().filter(|job| refused.contains(&job.alias)).collect();
            self.purse().refused();
            return Box::pin(self.ask(again)).await;
        }
        // One that was asked and could not be asked again is recorded; nobody else is asked all the same.
        Ok(match self.purse().refused() {
            Some(Refused::Money) => Asked::Stopped(Stopped::Limit(Limit::Usd)),
            Some(Refused::Price) => Asked::Stopped(Stopped::Limit(Limit::Price)),
            None => Asked::All,
        })
    }

    fn begin(&mut self, jobs: Vec<Job>, notes: Option<&Reservations>) -> Calls {
        let (sender, chunks) = mpsc::unbounded_channel();
        let mut set = JoinSet::new();
        let mut running = HashMap::new();
        let allowance = Allowance::new(self.calls_beyond(jobs.len()));
        for job in jobs {
            let kept = self.kept_prefixes(&job.prompt);
            let (provider, fallbacks) = job.providers();
            let start = EventKind::AnswerStart {
                name: job.name.to_string(),
                provider: provider.clone(),
                fallbacks,
                passed_over: job.passed_over.clone(),
            };
            self.emit_of(Some(job.alias.to_string()), start);
            let purse = self.purse().counting(notes.map(|notes| book(notes, &job, &provider)));
            let known = Running {
                alias: job.alias.clone(),
                name: job.name.clone(),
                turn: job.turn,
                prompt: job.prompt.clone(),
                kept,
                provider,
                purse: purse.clone(),
            };
            let (timeout, chunks) = (self.options().timeout, sender.clone());
            let (told, shut) = (self.told().clone(), self.shut().clone());
            let means = Means { purse, allowance: allowance.clone(), told, shut };
            let handle = set.spawn(call(job, timeout, chunks, means));
            running.insert(handle.id(), known);
        }
        Calls { set, running, chunks }
    }

    fn chunk(&mut self, chunk: Chunk) {
        let participant = Some(chunk.participant.to_string());
        self.emit_of(participant, EventKind::AnswerChunk { text: chunk.text });
    }

    /// A call that came to its end. A task that died takes nobody else down.
    fn finished(
        &mut self,
        joined: Result<(Id, Answered), JoinError>,
        running: &mut HashMap<Id, Running>,
    ) -> Option<Finished> {
        let id = joined.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Running { alias, name, turn, prompt, kept, provider, purse } = running.remove(&id)?;
        let answered = match joined {
            Ok((_, answered)) => answered,
            Err(_) => Answered::died(alias, name, turn, (provider, purse.paid())),
        };
        let by = answered.spent.provider.clone().unwrap_or_default();
        let cached =
            kept.iter().find(|(provider, _)| *provider == by).map_or(0, |(_, bytes)| *bytes);
        let report = answered.report(prompt.size(), cached);
        if answered.result.is_ok() {
            self.answered(by, prompt);
        }
        Some(Finished {
            draft: answered.draft(self.workspace().now()),
            report,
            notes: answered.notes,
        })
    }

    /// What was begun and is broken off: where a discussion limits calls or money it counts, or a run that is stopped again
    /// and again would pass the limit.
    fn unfinished(&self, running: impl Iterator<Item = Running>) -> Vec<Draft> {
        if !self.budget().limits_spending() {
            return Vec::new();
        }
        let now = self.workspace().now();
        let begun = running.filter(|one| one.purse.paid().calls > 0);
        let stopped = begun.map(|one| {
            let paid = one.purse.paid();
            Answered::stopped(one.alias, one.name, one.turn, (one.provider, paid))
        });
        stopped.map(|answered| answered.draft(now)).collect()
    }

    async fn record_all(&mut self, records: &mut Records) {
        while !records.is_empty() {
            match records.next().await {
                Ok(recorded) => {
                    records.continue_with(None);
                    self.recorded(recorded);
                }
                Err(error) => records.continue_with(Some(error)),
            }
        }
    }

    fn recorded(&mut self, Recorded { report, notes, snapshot }: Recorded) {
        self.note(report.participant.as_str(), notes);
        self.saw(&snapshot);
        self.add(report);
    }
}

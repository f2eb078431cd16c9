//! The front end for editors: a language server on standard input and output. It reads, checks and edits the text that the
//! editor holds; it calls no model and starts no run.
//!
//! One thread takes messages and never waits. Another one computes; the first puts jobs into its queue and takes the
//! results.

mod actions;
mod completion;
mod convert;
mod judge;
mod meaning;
mod navigation;
mod requests;
mod server;
mod text;
mod wire;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{Message, RequestId};
use parking_lot::{Condvar, Mutex};
use serde_json::Value;

use self::convert::ClientFacts;
use self::judge::{DocumentText, Judge, PlacedProblem};
use self::server::LanguageServer;
use self::text::{DiskText, DocumentPosition, TextRange, taken_in};
use self::wire::Outgoing;
use crate::cli::environment::HostEnvironment;
use crate::cli::error::CommandError;

/// The time for writing the last answers after the client exited.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Something that the loop handles.
enum LoopEvent {
    /// A message of the client.
    Received(Message),
    /// The client closed the connection.
    Closed,
    /// The worker finished a job.
    Finished(Finished),
}

/// Serves until the client exits or closes standard input. Returns true if the client shut the server down first.
pub(crate) fn serve(outside: HostEnvironment) -> Result<bool, CommandError> {
    let unstarted = |error| CommandError::io(format!("cannot start a thread: {error}"));
    let (was_shut_down, writer) = serve_connection(Judge::new(outside)).map_err(unstarted)?;
    // The last answers may still be on their way, but a client that does not read them is not waited for.
    let (written, done) = mpsc::channel();
    thread::spawn(move || {
        let _ = writer.join();
        let _ = written.send(());
    });
    if done.recv_timeout(LAST_ANSWERS).is_err() {
        // The thread that writes holds standard output, so an orderly end would wait for it.
        std::process::exit(i32::from(!was_shut_down));
    }
    Ok(was_shut_down)
}

/// Serves the client of this process. Returns true if the client shut the server down, and the thread that writes.
fn serve_connection(judge: Judge) -> std::io::Result<(bool, thread::JoinHandle<()>)> {
    let (events, incoming) = mpsc::channel();
    let (outgoing, messages) = mpsc::channel::<Message>();
    let (pieces, written) = mpsc::channel::<Outgoing>();
    // These queues have no limit. Otherwise a busy loop would stop the reader, and no cancellation would arrive; and two
    // full pipes would wait for each other.
    let (received, closed) = (events.clone(), events.clone());
    let refused = pieces.clone();
    wire::read_messages(
        move |message| received.send(LoopEvent::Received(message)).is_ok(),
        move || drop(closed.send(LoopEvent::Closed)),
        refused,
    )?;
    thread::Builder::new().name("lsp-output".to_owned()).spawn(move || {
        for message in messages {
            if pieces.send(Outgoing::Message(message)).is_err() {
                return;
            }
        }
    })?;
    let writer = wire::write_messages(written)?;
    let queue = Arc::new(WorkQueue::default());
    let jobs = Arc::clone(&queue);
    thread::Builder::new().name("lsp-worker".to_owned()).spawn(move || {
        work(&jobs, judge, |finished| events.send(LoopEvent::Finished(finished)).is_ok());
    })?;
    let begun = Instant::now();
    let mut server = LanguageServer::new(Arc::clone(&queue), outgoing);
    while !server.is_over() {
        let event = match server.deadline() {
            Some(deadline) => incoming.recv_timeout(deadline.saturating_sub(begun.elapsed())),
            None => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        let now = begun.elapsed();
        match event {
            Ok(LoopEvent::Received(message)) => server.receive(message, now),
            Ok(LoopEvent::Finished(finished)) => server.finish(finished, now),
            Ok(LoopEvent::Closed) | Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        server.tick(now);
    }
    queue.close();
    Ok((server.was_shut_down(), writer))
}

/// A question of a client about a document.
#[derive(Clone, Debug)]
enum DocumentQuery {
    /// The completions at a position; true if the client asked for them because a blank or a colon was typed.
    Completion(DocumentPosition, bool),
    /// The explanation at a position.
    Hover(DocumentPosition),
    /// The hints within a range.
    Hints(TextRange),
    /// The outline.
    Symbols,
    /// The parts that can be folded.
    Folds,
    /// The place that a position refers to.
    Definition(DocumentPosition),
    /// The places that refer to the item at a position.
    References(DocumentPosition),
    /// The quick fixes within a range.
    Actions(TextRange),
    /// The edits before a save.
    WillSave,
}

/// A job of the worker.
#[derive(Clone, Debug)]
enum WorkerJob {
    /// Check a document.
    Check {
        /// The document.
        document: DocumentText,
        /// True to also read other files and git.
        is_full: bool,
        /// The client.
        facts: Arc<ClientFacts>,
    },
    /// Answer a request about a document.
    Query {
        /// The request.
        id: RequestId,
        /// The document.
        document: DocumentText,
        /// The text of its file as it was last seen.
        disk: Option<DiskText>,
        /// The question.
        query: DocumentQuery,
        /// The client.
        facts: Arc<ClientFacts>,
    },
    /// Search the decisions of all folders.
    Decisions {
        /// The request.
        id: RequestId,
        /// The words to search for.
        words: String,
        /// The client.
        facts: Arc<ClientFacts>,
    },
    /// Forget a document.
    Forget(Arc<str>),
}

/// The result of a job.
#[derive(Clone, Debug)]
enum Finished {
    /// A document was checked.
    Checked {
        /// Its address.
        uri: Arc<str>,
        /// The version that was checked.
        version: i64,
        /// Its problems; `None` for a page that is not a discussion.
        problems: Option<Vec<PlacedProblem>>,
        /// The text of its file, if that equals the document.
        disk: Option<Arc<str>>,
    },
    /// A request was answered.
    Answered {
        /// The request.
        id: RequestId,
        /// The answer; `None` if it could not be computed.
        answer: Option<Value>,
    },
}

#[derive(Default)]
struct WaitingJobs {
    jobs: VecDeque<WorkerJob>,
    is_closed: bool,
}

/// The jobs that wait for the worker.
#[derive(Default)]
struct WorkQueue {
    waiting: Mutex<WaitingJobs>,
    changed: Condvar,
}

impl WorkQueue {
    /// Adds a job. A check replaces an older one of the same document, and requests go before checks.
    fn add(&self, job: WorkerJob) {
        let mut waiting = self.waiting.lock();
        if let WorkerJob::Check { document, .. } = &job {
            let is_older = |other: &WorkerJob| match other {
                WorkerJob::Check { document: other, .. } => other.uri == document.uri,
                _ => false,
            };
            waiting.jobs.retain(|other| !is_older(other));
        }
        match &job {
            WorkerJob::Query { .. } | WorkerJob::Decisions { .. } => {
                let is_check = |other: &WorkerJob| matches!(other, WorkerJob::Check { .. });
                let place = waiting.jobs.iter().position(is_check).unwrap_or(waiting.jobs.len());
                waiting.jobs.insert(place, job);
            }
            WorkerJob::Check { .. } | WorkerJob::Forget(_) => waiting.jobs.push_back(job),
        }
        self.changed.notify_one();
    }

    /// Removes a request that the client cancelled.
    fn cancel(&self, id: &RequestId) {
        let is_it = |job: &WorkerJob| match job {
            WorkerJob::Query { id: other, .. } | WorkerJob::Decisions { id: other, .. } => {
                other == id
            }
            WorkerJob::Check { .. } | WorkerJob::Forget(_) => false,
        };
        self.waiting.lock().jobs.retain(|job| !is_it(job));
    }

    /// Ends the worker after its current job.
    fn close(&self) {
        self.waiting.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Returns the next job without waiting.
    #[cfg(test)]
    fn try_next(&self) -> Option<WorkerJob> {
        self.waiting.lock().jobs.pop_front()
    }

    fn next(&self) -> Option<WorkerJob> {
        let mut waiting = self.waiting.lock();
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(job) = waiting.jobs.pop_front() {
                return Some(job);
            }
            self.changed.wait(&mut waiting);
        }
    }
}

/// Does the jobs of a queue until it is closed, or until `done` returns false.
fn work(queue: &WorkQueue, mut judge: Judge, done: impl Fn(Finished) -> bool) {
    while let Some(job) = queue.next() {
        // One document must not end the server for all others.
        let finished = catch_unwind(AssertUnwindSafe(|| perform(&mut judge, &job)));
        let finished = finished.unwrap_or_else(|_| match &job {
            WorkerJob::Query { id, .. } | WorkerJob::Decisions { id, .. } => {
                Some(Finished::Answered { id: id.clone(), answer: None })
            }
            WorkerJob::Check { .. } | WorkerJob::Forget(_) => None,
        });
        if finished.is_some_and(|finished| !done(finished)) {
            return;
        }
        if let WorkerJob::Check { document, facts, .. } = &job {
            let _ = catch_unwind(AssertUnwindSafe(|| judge.refresh(document, facts)));
        }
    }
}

/// Does one job.
fn perform(judge: &mut Judge, job: &WorkerJob) -> Option<Finished> {
    match job {
        WorkerJob::Check { document, is_full, facts } => {
            let problems = judge.check(document, facts, *is_full);
            let saved = if *is_full { judge.saved_text(document, facts) } else { None };
            let disk = saved.filter(|saved| **saved == *document.text).map(Into::into);
            let (uri, version) = (Arc::clone(&document.uri), document.version);
            Some(Finished::Checked { uri, version, problems, disk })
        }
        WorkerJob::Query { id, document, disk, query, facts } => {
            let answer = answer(judge, document, disk.as_ref(), query, facts);
            Some(Finished::Answered { id: id.clone(), answer: Some(answer) })
        }
        WorkerJob::Decisions { id, words, facts } => {
            // Their order depends on git's history.
            let folders = if facts.trusts { judge.workspaces(facts) } else { Vec::new() };
            let answer = navigation::decisions(&folders, words);
            Some(Finished::Answered { id: id.clone(), answer: Some(answer) })
        }
        WorkerJob::Forget(uri) => {
            judge.forget(uri);
            None
        }
    }
}

/// Answers a request. Pages that are not discussions get empty answers.
fn answer(
    judge: &mut Judge,
    document: &DocumentText,
    disk: Option<&DiskText>,
    query: &DocumentQuery,
    facts: &ClientFacts,
) -> Value {
    if let DocumentQuery::Completion(at, is_sign) = query {
        // Typing must not wait for a reading of the text; the last one knows nearly all names and numbers.
        let Some(known) = judge.read_any(document, facts) else { return Value::Null };
        return completion::complete(&known, document, *at, *is_sign, facts);
    }
    let Some(read) = judge.read(document, facts) else { return Value::Null };
    match query {
        DocumentQuery::Completion(..) => Value::Null,
        DocumentQuery::Hover(at) => meaning::explain(&read, *at),
        DocumentQuery::Hints(range) => meaning::hints(&read, *range),
        DocumentQuery::Symbols => navigation::outline(&read, facts, &document.uri),
        DocumentQuery::Folds => navigation::folds(&read),
        DocumentQuery::Definition(at) => navigation::definition(&read, *at, &document.uri),
        DocumentQuery::References(at) => navigation::references(&read, *at, &document.uri),
        DocumentQuery::Actions(range) => {
            let saved = disk.and_then(|disk| taken_in(disk, &judge.saved_text(document, facts)?));
            actions::fixes(&read, *range, facts, document, saved)
        }
        DocumentQuery::WillSave => {
            let saved = judge.saved_text(document, facts);
            let tail = disk.zip(saved).and_then(|(disk, saved)| taken_in(disk, &saved));
            let place = |at| read.text.range(at..at);
            let edits = tail.map(|one| convert::edit(place(one.at), &one.text));
            Value::from_iter(edits)
        }
    }
}

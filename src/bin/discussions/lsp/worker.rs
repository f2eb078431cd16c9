//! The thread that computes. The loop only puts jobs into its queue and takes the results, so that it never waits.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use lsp_server::RequestId;
use parking_lot::{Condvar, Mutex};
use serde_json::Value;

use super::convert::ClientFacts;
use super::judge::{DocumentText, Judge, PlacedProblem};
use super::text::{DiskText, DocumentPosition, TextRange, taken_in};
use super::{actions, completion, convert, meaning, navigation};

/// A question of a client about a document.
#[derive(Clone, Debug)]
pub(super) enum DocumentQuery {
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
pub(super) enum WorkerJob {
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
pub(super) enum Finished {
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
pub(super) struct WorkQueue {
    waiting: Mutex<WaitingJobs>,
    changed: Condvar,
}

impl WorkQueue {
    /// Adds a job. A check replaces an older one of the same document, and requests go before checks.
    pub(super) fn add(&self, job: WorkerJob) {
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
    pub(super) fn cancel(&self, id: &RequestId) {
        let is_it = |job: &WorkerJob| match job {
            WorkerJob::Query { id: other, .. } | WorkerJob::Decisions { id: other, .. } => {
                other == id
            }
            WorkerJob::Check { .. } | WorkerJob::Forget(_) => false,
        };
        self.waiting.lock().jobs.retain(|job| !is_it(job));
    }

    /// Ends the worker after its current job.
    pub(super) fn close(&self) {
        self.waiting.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Returns the next job without waiting.
    #[cfg(test)]
    pub(super) fn try_next(&self) -> Option<WorkerJob> {
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
pub(super) fn work(queue: &WorkQueue, mut judge: Judge, done: impl Fn(Finished) -> bool) {
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
pub(super) fn perform(judge: &mut Judge, job: &WorkerJob) -> Option<Finished> {
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

//! A run that continues beside its caller, and the registry of a program's runs: at most one for
//! each discussion.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::{broadcast, watch};
use tokio::task::JoinHandle;

use super::blocking::unwrap_join;
use super::context::{Abort, AbortHandle};
use super::mode::RunMode;
use super::options::RunOptions;
use super::report::RunReport;
use super::run::Runner;
use crate::engine::Snapshot;
use crate::view::{Event, EventKind, Ran, Status};
use crate::workspace::{Workspace, WorkspaceError};

/// Events that a slow receiver may lag behind before it misses the oldest.
const EVENT_BACKLOG: usize = 256;

/// A turn or a run that goes on by itself, also after this handle is dropped. [`Run::abort_handle`] stops it.
pub struct Run {
    events: UnboundedReceiver<Event>,
    progress: watch::Receiver<Progress>,
    abort: AbortHandle,
    ended: JoinHandle<Result<RunReport, WorkspaceError>>,
    workspace: Arc<Workspace>,
}

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Turns that began.
    pub turns: u32,
    /// The phase of the last turn.
    pub phase: String,
    /// The number of participants in the last turn.
    pub asked: usize,
    /// The number of them that answered, passed or failed.
    pub ended: usize,
    /// The participants that are answering, by alias, with their text so far.
    pub speaking: Vec<Speaking>,
}

/// A participant with an incomplete answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Speaking {
    /// The participant's alias.
    pub participant: String,
    /// The text so far. Only a complete answer counts.
    pub text: String,
}

impl Run {
    /// Waits for the next event; none if the run has ended.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// Returns the progress of the run.
    pub fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// Returns the handle that stops the run: running calls end, and everything in the file stays.
    pub fn abort_handle(&self) -> AbortHandle {
        self.abort.clone()
    }

    /// Waits for the end of the run and returns its report.
    ///
    /// # Errors
    /// Returns the reason why the run could not begin or continue.
    pub async fn end(self) -> Result<Ran, WorkspaceError> {
        let report = unwrap_join(self.ended.await).await?;
        let file = self.workspace.exactly(&report.file);
        let now = self.workspace.now();
        let status = Status::of(&self.workspace.snapshot(&report.file)?, file, now);
        Ok(report.view(status))
    }

    /// Starts a run beside the caller. Must be called within a tokio runtime.
    pub(super) fn spawn(
        runner: Runner,
        path: PathBuf,
        snapshot: Snapshot,
        options: RunOptions,
        mode: RunMode,
    ) -> Self {
        let (sender, events) = unbounded_channel();
        let (progress_sender, progress) = watch::channel(Progress::default());
        let (abort, aborted) = Abort::new();
        let workspace = Arc::clone(&runner.providers.workspace);
        let ended = tokio::spawn(async move {
            let mut observe = |event: Event| {
                progress_sender.send_modify(|progress| progress.update(&event));
                // The run goes on without a receiver.
                let _ = sender.send(event);
            };
            let context = runner.context(path, options, aborted);
            runner.start(context, snapshot, mode, &mut observe).await
        });
        Self { events, progress, abort, ended, workspace }
    }
}

impl Progress {
    /// Applies an event.
    fn update(&mut self, event: &Event) {
        let who = event.participant.clone().unwrap_or_default();
        match &event.kind {
            EventKind::TurnStart { phase, asks, .. } => {
                self.turns += 1;
                (self.phase, self.asked, self.ended) = (phase.clone(), asks.len(), 0);
            }
            EventKind::AnswerStart { .. } => {
                self.speaking.push(Speaking { participant: who, text: String::new() });
            }
            EventKind::AnswerChunk { text } => {
                if let Some(one) = self.speaking.iter_mut().find(|one| one.participant == who) {
                    one.text.push_str(text);
                }
            }
            EventKind::AnswerEnd { .. } => {
                self.ended += 1;
                self.speaking.retain(|one| one.participant != who);
            }
            EventKind::TurnEnd { .. } => self.speaking.clear(),
            _ => {}
        }
    }
}

/// The result of a run, shared by all tasks that wait for it.
pub type RunEnd = Arc<Result<Ran, WorkspaceError>>;

/// A report of a registered run, in order. [`Update::Ended`] is the last one.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "the larger variant is the usual one; a box would cost an allocation for each piece of text"
)]
pub enum Update {
    /// An event of the run.
    Event(Event),
    /// The end of the run.
    Ended(RunEnd),
}

/// A handle to a running run, for all tasks that observe or stop it.
#[derive(Clone, Debug)]
pub struct RunHandle {
    abort: AbortHandle,
    events: broadcast::Sender<Event>,
    progress: watch::Receiver<Progress>,
    ended: watch::Receiver<Option<RunEnd>>,
}

impl RunHandle {
    /// Stops the run: running calls end, and no further call begins.
    pub fn abort(&self) {
        self.abort.abort();
    }

    /// Returns the progress of the run, the last one if the run has ended.
    pub fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// Returns the events from now on. A slow receiver misses the oldest.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    /// Waits for the end of the run and returns its result; none if its task ended without a result.
    pub async fn ended(&self) -> Option<RunEnd> {
        self.ended.clone().wait_for(Option::is_some).await.ok()?.clone()
    }
}

/// The runs of one program, by the real path of their discussion. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct RunRegistry {
    slots: Arc<Mutex<HashMap<PathBuf, Slot>>>,
}

#[derive(Debug)]
enum Slot {
    /// Reserved, while the front end checks trust and price.
    Starting,
    Running(RunHandle),
}

/// The right to start the run of one discussion. If it is dropped before the start, the discussion is free again.
#[derive(Debug)]
#[must_use]
pub struct Reservation {
    registry: RunRegistry,
    path: PathBuf,
}

impl RunRegistry {
    /// Reserves the run of a discussion; none if this program runs it or is about to.
    pub fn reserve(&self, path: &Path) -> Option<Reservation> {
        let path = real(path);
        let mut slots = self.slots();
        if slots.contains_key(&path) {
            return None;
        }
        slots.insert(path.clone(), Slot::Starting);
        Some(Reservation { registry: self.clone(), path })
    }

    /// Returns the run of a discussion, if this program runs it.
    pub fn get(&self, path: &Path) -> Option<RunHandle> {
        match self.slots().get(&real(path))? {
            Slot::Running(handle) => Some(handle.clone()),
            Slot::Starting => None,
        }
    }

    /// Returns whether this program runs the discussion or is about to.
    pub fn is_busy(&self, path: &Path) -> bool {
        self.slots().contains_key(&real(path))
    }

    /// Stops all runs.
    pub fn abort_all(&self) {
        self.running().iter().for_each(RunHandle::abort);
    }

    /// Waits until all runs that are now in progress have ended.
    pub async fn wait_idle(&self) {
        for run in self.running() {
            run.ended().await;
        }
    }

    fn running(&self) -> Vec<RunHandle> {
        let running = |slot: &Slot| match slot {
            Slot::Running(handle) => Some(handle.clone()),
            Slot::Starting => None,
        };
        self.slots().values().filter_map(running).collect()
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<PathBuf, Slot>> {
        // A panic elsewhere cannot leave the map half changed.
        self.slots.lock()
    }
}

impl Reservation {
    /// Follows a run until its end and reports each update, in order. Must be called within a tokio runtime.
    ///
    /// The discussion is free again before [`Update::Ended`] is reported, so that its receiver may start the next run.
    pub fn start(self, mut run: Run, mut report: impl FnMut(Update) + Send + 'static) -> RunHandle {
        let (far, progress) = watch::channel(run.progress());
        let (events, _) = broadcast::channel(EVENT_BACKLOG);
        let (over, ended) = watch::channel(None);
        let handle =
            RunHandle { abort: run.abort_handle(), events: events.clone(), progress, ended };
        self.registry.slots().insert(self.path.clone(), Slot::Running(handle.clone()));
        tokio::spawn(async move {
            // Freed also if `report` panics.
            let reservation = self;
            while let Some(event) = run.next().await {
                far.send_replace(run.progress());
                // A run goes on without a receiver.
                let _ = events.send(event.clone());
                report(Update::Event(event));
            }
            let ended = Arc::new(run.end().await);
            drop(reservation);
            report(Update::Ended(Arc::clone(&ended)));
            over.send_replace(Some(ended));
        });
        handle
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.registry.slots().remove(&self.path);
    }
}

/// Returns the real path, which is equal for all names of a discussion.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

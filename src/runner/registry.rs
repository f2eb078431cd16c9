//! The runs of one program, at most one for each discussion.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{broadcast, watch};

use super::{AbortHandle, Progress, Run};
use crate::view::{Event, Ran};
use crate::workspace::WorkspaceError;

/// Events that a slow receiver may lag behind before it misses the oldest.
const EVENT_BACKLOG: usize = 256;

/// The end of a run, for everyone who waits for it.
pub type Ended = Arc<Result<Ran, WorkspaceError>>;

/// What a registered run reports, in order. [`Update::Ended`] is the last one.
#[derive(Clone, Debug)]
pub enum Update {
    /// An event of the run.
    Event(Box<Event>),
    /// The end of the run.
    Ended(Ended),
}

/// A running run, for everyone who waits for it.
#[derive(Clone, Debug)]
pub struct RunHandle {
    abort: AbortHandle,
    events: broadcast::Sender<Event>,
    progress: watch::Receiver<Progress>,
    ended: watch::Receiver<Option<Ended>>,
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

    /// Waits for the end of the run; none if its task vanished without one.
    pub async fn ended(&self) -> Option<Ended> {
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

/// The right to start the run of one discussion. Dropped without a start, it gives the discussion free again.
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

    /// Waits until all runs that go on now have ended.
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
        // A panic elsewhere leaves the map whole.
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
                // A run goes on if nobody listens.
                let _ = events.send(event.clone());
                report(Update::Event(Box::new(event)));
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

/// The path that all names of a discussion share.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

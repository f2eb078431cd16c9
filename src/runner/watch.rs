//! Reports all changes of a discussion as they happen: by an editor, a pull, another process, a run elsewhere.

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use notify::{EventKind as FileEvent, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::engine::Snapshot;
use crate::transcript::time;
use crate::view::{Change, Event, Shown, changes};
use crate::workspace::{Runs, Workspace, WorkspaceError};

/// A watched discussion. Dropping the value ends the watch.
pub struct Watch {
    events: UnboundedReceiver<Event>,
    /// The watcher that reports changes of files. Dropping it ends the thread that reads them.
    _files: RecommendedWatcher,
}

impl Watch {
    /// Waits for the next event; none if the file can no longer be watched.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }
}

/// The time that an editor may take to replace a file.
const GONE: Duration = Duration::from_millis(300);

/// The watch of a discussion, which reports each of its versions. Dropping it ends the watch.
pub struct Follow {
    states: UnboundedReceiver<Result<Shown, WorkspaceError>>,
    /// The watcher that reports changes of files. Dropping it ends the thread that reads them.
    _files: RecommendedWatcher,
}

impl Follow {
    /// Waits for the next version: first the current one, then one after each change. An error means that the file
    /// cannot be read now; it may come back. None if the file can no longer be watched.
    pub async fn next(&mut self) -> Option<Result<Shown, WorkspaceError>> {
        self.states.recv().await
    }
}

impl Runs<'_> {
    /// Reports all changes of a discussion from now on, as those events of a run that can be derived from the file.
    /// Also notices programs that replace the file.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if the system cannot watch its folder.
    pub fn watch(&self, path: &Path) -> Result<Watch, WorkspaceError> {
        // Refuse a link that leaves its project before resolving it: the resolved target does not look like a link.
        let path = self.place(path)?.real().to_owned();
        let (files, changed) = changes_of(&path)?;
        // Read after the watch began, so that no change is missed.
        let seen = self.snapshot(&path)?;
        let (sender, events) = unbounded_channel();
        let reader = Reader { workspace: Arc::clone(self.workspace), path, seen, sender };
        thread::Builder::new().name("watch".to_owned()).spawn(move || reader.read_on(&changed))?;
        Ok(Watch { events, _files: files })
    }

    /// Reports the whole discussion, now and after each change of its file, for front ends that show all of it.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if the system cannot watch its folder.
    pub fn follow(&self, path: &Path) -> Result<Follow, WorkspaceError> {
        // Refuse a link that leaves its project before resolving it: the resolved target does not look like a link.
        let path = self.place(path)?.real().to_owned();
        let (files, changed) = changes_of(&path)?;
        let first = self.discussions().show(&path)?;
        let (sender, states) = unbounded_channel();
        let mut seen = Some(first.text.clone());
        // The receiver exists: it was created above.
        let _ = sender.send(Ok(first));
        let mut workspace = Arc::clone(self.workspace);
        let follow = move || {
            while changed.recv().is_ok() && !sender.is_closed() {
                while changed.try_recv().is_ok() {}
                // If the configuration cannot be read, the last one is good enough for reading.
                if let Ok(now) = workspace.reopened() {
                    workspace = Arc::new(now);
                }
                let mut now = workspace.discussions().show(&path);
                if now.is_err() && changed.recv_timeout(GONE).is_ok() {
                    now = workspace.discussions().show(&path);
                }
                let text = now.as_ref().ok().map(|shown| shown.text.clone());
                if text.is_some() && text == seen {
                    continue;
                }
                seen = text;
                if sender.send(now).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("follow".to_owned()).spawn(follow)?;
        Ok(Follow { states, _files: files })
    }
}

/// Returns a watcher of a file, and the channel that reports possible changes.
fn changes_of(path: &Path) -> Result<(RecommendedWatcher, mpsc::Receiver<()>), WorkspaceError> {
    let (told, changed) = mpsc::channel();
    let name = path.file_name().map(ToOwned::to_owned);
    let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
    let here = folder.clone();
    let mut files = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading is not a change. Reporting it would make the reader read again.
        let matters = event.map_or(true, |event| {
            let is_it = |path: &PathBuf| path.file_name() == name.as_deref() || *path == here;
            event.paths.iter().any(is_it) && !matches!(event.kind, FileEvent::Access(_))
        });
        if matters {
            let _ = told.send(());
        }
    })?;
    // Watch the folder, because editors replace the file by another one.
    files.watch(&folder, RecursiveMode::NonRecursive)?;
    Ok((files, changed))
}

/// Reads the file again after each change.
struct Reader {
    workspace: Arc<Workspace>,
    path: PathBuf,
    seen: Snapshot,
    sender: UnboundedSender<Event>,
}

impl Reader {
    fn read_on(mut self, changed: &mpsc::Receiver<()>) {
        while changed.recv().is_ok() && !self.sender.is_closed() {
            // One reading covers all changes that have arrived.
            while changed.try_recv().is_ok() {}
            // The file may be missing for a moment while it is replaced.
            let Ok(now) = self.workspace.snapshot(&self.path) else { continue };
            for change in changes(Some(&self.seen), &now) {
                if self.sender.send(self.event(change)).is_err() {
                    return;
                }
            }
            self.seen = now;
        }
    }

    fn event(&self, change: Change) -> Event {
        let Change { at, round, participant, kind } = change;
        let file = self.workspace.exactly(&self.path);
        let at = time(at.unwrap_or_else(|| self.workspace.now()));
        Event { event: kind.name(), file, at, round, participant, kind }
    }
}

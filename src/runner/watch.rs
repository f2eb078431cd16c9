//! What anybody does to a discussion, told as it happens: an editor, a pull, another process, a run elsewhere.

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;

use notify::{EventKind as FileEvent, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::engine::Snapshot;
use crate::transcript::time;
use crate::view::{Change, Event, changes};
use crate::workspace::{Workspace, WorkspaceError};

/// A discussion that is watched for as long as this lives.
pub struct Watch {
    events: UnboundedReceiver<Event>,
    /// Tells of changes of files; dropped, the thread that reads them ends too.
    _files: RecommendedWatcher,
}

impl Watch {
    /// The next thing that happens. None when the file cannot be watched any more.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }
}

impl Workspace {
    /// Tells what anybody does to a discussion from now on: the same events as those of a run, as far as the file tells
    /// them. Who saves over the file is seen too.
    ///
    /// # Errors
    /// A file that cannot be read, and a folder that the system does not let be watched.
    pub fn watch(self: &Arc<Self>, path: &Path) -> Result<Watch, WorkspaceError> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let (told, changed) = mpsc::channel();
        let name = path.file_name().map(ToOwned::to_owned);
        let mut files =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                // Reading is no change: who looks at the file must not be told to look again.
                let matters = event.map_or(true, |event| {
                    let here = event.paths.iter().any(|path| path.file_name() == name.as_deref());
                    here && !matches!(event.kind, FileEvent::Access(_))
                });
                if matters {
                    let _ = told.send(());
                }
            })?;
        // The folder, for editors put another file in the place of the one that was.
        files.watch(path.parent().unwrap_or(Path::new(".")), RecursiveMode::NonRecursive)?;
        // Read after the watch began, so that nothing falls between.
        let seen = self.snapshot(&path)?;
        let (sender, events) = unbounded_channel();
        let reader = Reader { workspace: Arc::clone(self), path, seen, sender };
        thread::Builder::new().name("watch".to_owned()).spawn(move || reader.read_on(&changed))?;
        Ok(Watch { events, _files: files })
    }
}

/// Reads the file again whenever it changed.
struct Reader {
    workspace: Arc<Workspace>,
    path: PathBuf,
    seen: Snapshot,
    sender: UnboundedSender<Event>,
}

impl Reader {
    fn read_on(mut self, changed: &mpsc::Receiver<()>) {
        while changed.recv().is_ok() && !self.sender.is_closed() {
            // Several changes that are there already are one reading.
            while changed.try_recv().is_ok() {}
            // Between taking one file away and putting another there, there is none.
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

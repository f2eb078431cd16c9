//! What anybody does to a discussion, told as it happens: an editor, a pull, another process, a run elsewhere.

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use notify::{EventKind as FileEvent, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::engine::Snapshot;
use crate::transcript::time;
use crate::view::{Change, Event, Shown, changes};
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

/// How long a file may be gone while an editor puts another one in its place.
const GONE: Duration = Duration::from_millis(300);

/// A discussion whose every state is told, for as long as this lives.
pub struct Follow {
    states: UnboundedReceiver<Result<Shown, WorkspaceError>>,
    /// As in [`Watch`].
    _files: RecommendedWatcher,
}

impl Follow {
    /// The discussion as it stands, at first and whenever its bytes changed; an error while it cannot be read, after which
    /// it may be back. None when the file cannot be watched any more.
    pub async fn next(&mut self) -> Option<Result<Shown, WorkspaceError>> {
        self.states.recv().await
    }
}

impl Workspace {
    /// Tells what anybody does to a discussion from now on: the same events as those of a run, as far as the file tells
    /// them. Who saves over the file is seen too.
    ///
    /// # Errors
    /// A file that cannot be read, and a folder that the system does not let be watched.
    pub fn watch(self: &Arc<Self>, path: &Path) -> Result<Watch, WorkspaceError> {
        // Behind a link that leaves its project nothing is read, and its target would be no link any more.
        let path = self.place(path)?.real().to_owned();
        let (files, changed) = changes_of(&path)?;
        // Read after the watch began, so that nothing falls between.
        let seen = self.snapshot(&path)?;
        let (sender, events) = unbounded_channel();
        let reader = Reader { workspace: Arc::clone(self), path, seen, sender };
        thread::Builder::new().name("watch".to_owned()).spawn(move || reader.read_on(&changed))?;
        Ok(Watch { events, _files: files })
    }

    /// Tells how a discussion stands, now and whenever anybody changed anything in its file, for who shows it whole.
    ///
    /// # Errors
    /// As [`Workspace::watch`].
    pub fn follow(self: &Arc<Self>, path: &Path) -> Result<Follow, WorkspaceError> {
        // Behind a link that leaves its project nothing is read, and its target would be no link any more.
        let path = self.place(path)?.real().to_owned();
        let (files, changed) = changes_of(&path)?;
        let first = self.show(&path)?;
        let (sender, states) = unbounded_channel();
        let mut seen = Some(first.text.clone());
        // Somebody holds the other end: it is made here.
        let _ = sender.send(Ok(first));
        let mut workspace = Arc::clone(self);
        let follow = move || {
            while changed.recv().is_ok() && !sender.is_closed() {
                while changed.try_recv().is_ok() {}
                // Where the configuration cannot be read, what held before holds for looking.
                if let Ok(now) = workspace.again() {
                    workspace = Arc::new(now);
                }
                let mut now = workspace.show(&path);
                if now.is_err() && changed.recv_timeout(GONE).is_ok() {
                    now = workspace.show(&path);
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

/// Says whenever a file may have changed, for as long as the watcher lives.
fn changes_of(path: &Path) -> Result<(RecommendedWatcher, mpsc::Receiver<()>), WorkspaceError> {
    let (told, changed) = mpsc::channel();
    let name = path.file_name().map(ToOwned::to_owned);
    let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
    let here = folder.clone();
    let mut files = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading is no change: who looks at the file must not be told to look again.
        let matters = event.map_or(true, |event| {
            let is_it = |path: &PathBuf| path.file_name() == name.as_deref() || *path == here;
            event.paths.iter().any(is_it) && !matches!(event.kind, FileEvent::Access(_))
        });
        if matters {
            let _ = told.send(());
        }
    })?;
    // The folder, for editors put another file in the place of the one that was.
    files.watch(&folder, RecursiveMode::NonRecursive)?;
    Ok((files, changed))
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

//! Reads all discussions of a folder: the list, the waiting steps, the decisions.

use std::path::Path;

use super::Workspace;
use super::environment::time_of;
use super::error::WorkspaceError;
use super::find::DiscussionNames;
use super::folder::{FoundFile, each, files_below};
use super::nest::parent_file;
use crate::engine::Snapshot;
use crate::store::{Document, RunLocks};
use crate::transcript::Time;
use crate::view::{self, Decided, Listed, Parent, Sighted, Standing, Unreadable, newest_date};

/// The number of decisions on the dashboard.
const DECIDED: usize = 3;

impl Workspace {
    /// Returns the decisions in all discussions below a folder, newest first. Without a folder, uses the folder of new
    /// discussions.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`].
    pub fn decisions(&self, folder: Option<&Path>) -> Result<view::DecisionLog, WorkspaceError> {
        let below = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        let replaced = self.replaced_below(&below)?;
        let (folder, read) = self.read_all(folder, |snapshot, sighted, path| {
            let mut decided = Decided::of(snapshot, sighted)?;
            self.link(&replaced, path, snapshot, &mut decided);
            Some(decided)
        })?;
        let mut log = view::DecisionLog { folder, ..view::DecisionLog::default() };
        for one in read {
            match one {
                Ok(decided) => log.decided.extend(decided),
                Err(unreadable) => log.unreadable.push(unreadable),
            }
        }
        Decided::tell_repeated(&mut log.decided);
        newest(&mut log.decided);
        Ok(log)
    }

    /// Returns the statistics of all discussions below a folder. Without a folder, uses the folder of new discussions.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`].
    pub fn stats(&self, folder: Option<&Path>) -> Result<view::Stats, WorkspaceError> {
        let below = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        let replaced = self.replaced_below(&below)?;
        let (folder, read) = self.read_all(folder, |snapshot, sighted, path| {
            let mut decided = Decided::of(snapshot, sighted);
            if let Some(decided) = &mut decided {
                self.link(&replaced, path, snapshot, decided);
            }
            view::Counted::of(snapshot, decided)
        })?;
        let (mut counted, mut unreadable) = (Vec::new(), Vec::new());
        for one in read {
            match one {
                Ok(one) => counted.push(one),
                Err(reason) => unreadable.push(reason),
            }
        }
        Ok(view::Stats::of(folder, &counted, unreadable))
    }

    /// Returns all discussions below a folder, the last changed first. Without a folder, uses the folder of new
    /// discussions. An unreadable file does not hide the others.
    ///
    /// # Errors
    /// Fails if the folder cannot be read, or for a link that leads out of its project. A missing folder is empty.
    pub fn list(&self, folder: Option<&Path>) -> Result<view::List, WorkspaceError> {
        let running = RunLocks::default();
        let (folder, read) = self.read_all(folder, |snapshot, sighted, path| {
            list_row(snapshot, sighted, path, &running)
        })?;
        let mut list = view::List { folder, ..view::List::default() };
        let mut all = Vec::new();
        for one in read {
            match one {
                Ok(one) => all.push(one),
                Err(unreadable) => list.unreadable.push(unreadable),
            }
        }
        all.sort_by(|(a, _), (b, _)| b.updated.cmp(&a.updated));
        for (listed, waiting) in all {
            list.discussions.push(listed);
            list.waiting.extend(waiting);
        }
        Ok(list)
    }

    /// Returns true if a run of a discussion is in progress, in any process.
    pub fn is_running(&self, path: &Path) -> bool {
        self.setup.insist_inside(path).is_ok() && RunLocks::default().is(path)
    }

    /// Returns the dashboard of the folder of discussions: the steps that wait for people, the open discussions and the
    /// last decisions. `None` if there is neither a project nor a folder of discussions.
    ///
    /// # Errors
    /// Fails like [`Workspace::list`].
    pub fn dashboard(&self) -> Result<Option<view::Dashboard>, WorkspaceError> {
        if !self.setup.is_project() {
            return Ok(None);
        }
        let running = RunLocks::default();
        let (folder, read) = self.read_all(None, |snapshot, sighted, path| {
            (list_row(snapshot, sighted, path, &running), Decided::of(snapshot, sighted))
        })?;
        let mut board = view::Dashboard { folder, ..view::Dashboard::default() };
        let mut open = Vec::new();
        for one in read {
            match one {
                Ok((listed, decided)) => {
                    board.discussions += 1;
                    open.extend(Some(listed).filter(|(one, _)| one.status == Standing::Open));
                    board.decided.extend(decided);
                }
                Err(unreadable) => board.unreadable.push(unreadable),
            }
        }
        open.sort_by(|(a, _), (b, _)| b.updated.cmp(&a.updated));
        for (listed, waiting) in open {
            board.open.push(listed);
            board.waiting.extend(waiting);
        }
        // A decision of a sub-discussion that is also its parent's decision must not be shown twice.
        Decided::tell_repeated(&mut board.decided);
        board.decided.retain(|one| !one.repeats_parent);
        newest(&mut board.decided);
        board.decided.truncate(DECIDED);
        Ok(Some(board))
    }

    /// Returns the data of a list row that the file's text does not contain.
    pub(super) fn sighted(
        &self,
        path: &Path,
        document: &Document,
        snapshot: &Snapshot,
        names: &DiscussionNames,
        now: Time,
    ) -> Sighted {
        let head = snapshot.transcript.head.as_ref();
        let parent = head.and_then(|head| parent_file(path, head.parent.as_deref()?));
        Sighted {
            parent: parent
                .filter(|above| above.is_file())
                .map(|above| Parent { file: self.exactly(&above), name: names.of_file(&above) }),
            file: self.exactly(path),
            name: names.of_file(path),
            modified: match newest_date(snapshot) {
                // A date in the discussion takes precedence, so the file's time is not needed.
                Some(_) => None,
                None => names.committed(path).or(document.modified).map(time_of),
            },
            now,
        }
    }

    /// Returns the folder, as it is shown, and the result of `look` for each discussion below it, by path.
    fn read_all<T: Send>(
        &self,
        folder: Option<&Path>,
        look: impl Fn(&Snapshot, &Sighted, &Path) -> T + Sync,
    ) -> Result<(String, Vec<Result<T, Unreadable>>), WorkspaceError> {
        let folder = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        self.setup.insist_inside(&folder)?;
        let found = if folder.is_dir() { files_below(&folder)? } else { Vec::new() };
        let (names, now) = (DiscussionNames::of(self), self.now());
        let read = each(&found, |FoundFile { path, .. }| {
            let looked = self.document(path).and_then(|document| {
                let snapshot = self.snapshot_of(&document)?;
                let sighted = self.sighted(path, &document, &snapshot, &names, now);
                let is_one = is_discussion(&document, &snapshot);
                Ok(is_one.then(|| look(&snapshot, &sighted, path)))
            });
            let told =
                |error: WorkspaceError| Unreadable { message: error.to_string(), fix: error.fix() };
            looked.map_err(told).transpose()
        });
        Ok((self.exactly(&folder), read.into_iter().flatten().collect()))
    }
}

/// Returns true if a file is a discussion. A file that is not text may be one, so it is shown.
pub(super) fn is_discussion(document: &Document, snapshot: &Snapshot) -> bool {
    document.wrong.is_some() || snapshot.transcript.is_discussion()
}

fn list_row(
    snapshot: &Snapshot,
    sighted: &Sighted,
    path: &Path,
    running: &RunLocks,
) -> (Listed, Vec<view::Waiting>) {
    let (listed, waiting) = Listed::of(snapshot, sighted);
    let running = listed.status == Standing::Open && running.is(path);
    (Listed { running, ..listed }, waiting)
}

fn newest(decided: &mut [Decided]) {
    decided.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.file.cmp(&b.file)));
}

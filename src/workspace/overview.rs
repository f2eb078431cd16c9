//! Looking at all discussions of a folder at once: what there is, what waits, what was decided.

use std::path::Path;

use super::Workspace;
use super::clock::time_of;
use super::error::WorkspaceError;
use super::find::Names;
use super::folder::{Found, below, each};
use super::nest::above;
use crate::engine::Snapshot;
use crate::store::{Document, Running};
use crate::transcript::Time;
use crate::view::{self, Decided, Listed, Parent, Sighted, Standing, Unreadable, newest_date};

/// How many decisions are shown where more than the log is.
const DECIDED: usize = 3;

impl Workspace {
    /// What was decided in the discussions below a folder, newest first; none: where new ones are made.
    ///
    /// # Errors
    /// As [`Workspace::list`].
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

    /// What all discussions below a folder came to; none: where new ones are made.
    ///
    /// # Errors
    /// As [`Workspace::list`].
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

    /// All discussions below a folder, those that were changed last first; none: those where new ones are made. One that
    /// cannot be read hides no other.
    ///
    /// # Errors
    /// A folder that cannot be read, or that lies behind a link out of its project. One that is not there is empty.
    pub fn list(&self, folder: Option<&Path>) -> Result<view::List, WorkspaceError> {
        let running = Running::default();
        let (folder, read) = self.read_all(folder, |snapshot, sighted, path| {
            listed(snapshot, sighted, path, &running)
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

    /// Whether a run of a discussion goes on, in whatever program.
    pub fn is_running(&self, path: &Path) -> bool {
        self.setup.insist_inside(path).is_ok() && Running::default().is(path)
    }

    /// What waits for people, what is open and what was decided last, where discussions are kept; none where there is
    /// neither a project nor a folder of discussions.
    ///
    /// # Errors
    /// As [`Workspace::list`].
    pub fn dashboard(&self) -> Result<Option<view::Dashboard>, WorkspaceError> {
        if !self.setup.is_project() {
            return Ok(None);
        }
        let running = Running::default();
        let (folder, read) = self.read_all(None, |snapshot, sighted, path| {
            (listed(snapshot, sighted, path, &running), Decided::of(snapshot, sighted))
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
        // What was decided within another one and is that one's decision too would be told twice.
        Decided::tell_repeated(&mut board.decided);
        board.decided.retain(|one| !one.repeats_parent);
        newest(&mut board.decided);
        board.decided.truncate(DECIDED);
        Ok(Some(board))
    }

    /// What a row tells of a file beside what it holds.
    pub(super) fn sighted(
        &self,
        path: &Path,
        document: &Document,
        snapshot: &Snapshot,
        names: &Names,
        now: Time,
    ) -> Sighted {
        let head = snapshot.transcript.head.as_ref();
        let parent = head.and_then(|head| above(path, head.parent.as_deref()?));
        Sighted {
            parent: parent
                .filter(|above| above.is_file())
                .map(|above| Parent { file: self.exactly(&above), name: names.of_file(&above) }),
            file: self.exactly(path),
            name: names.of_file(path),
            modified: match newest_date(snapshot) {
                // Nobody asks for the file's time then.
                Some(_) => None,
                None => names.committed(path).or(document.modified).map(time_of),
            },
            now,
        }
    }

    /// The folder as it is shown, and what `look` tells of each discussion below it, by path.
    fn read_all<T: Send>(
        &self,
        folder: Option<&Path>,
        look: impl Fn(&Snapshot, &Sighted, &Path) -> T + Sync,
    ) -> Result<(String, Vec<Result<T, Unreadable>>), WorkspaceError> {
        let folder = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        self.setup.insist_inside(&folder)?;
        let found = if folder.is_dir() { below(&folder)? } else { Vec::new() };
        let (names, now) = (Names::of(self), self.now());
        let read = each(&found, |Found { path, .. }| {
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

/// Whether a file is one; of what is no text nobody can tell, so it is shown.
pub(super) fn is_discussion(document: &Document, snapshot: &Snapshot) -> bool {
    document.wrong.is_some() || snapshot.transcript.is_discussion()
}

fn listed(
    snapshot: &Snapshot,
    sighted: &Sighted,
    path: &Path,
    running: &Running,
) -> (Listed, Vec<view::Waiting>) {
    let (listed, waiting) = Listed::of(snapshot, sighted);
    let running = listed.status == Standing::Open && running.is(path);
    (Listed { running, ..listed }, waiting)
}

fn newest(decided: &mut [Decided]) {
    decided.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.file.cmp(&b.file)));
}

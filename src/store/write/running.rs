//! Finds out which of many discussions have a run in progress.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, TryLockError};
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use crate::boundary::{Purpose, open_plain};
use crate::store::private_files::Sidecar;

/// A query about the runs of many discussions. It lists each private folder only once. Most discussions were never run,
/// and a check of each file would add a tenth to the time of listing them.
#[derive(Debug, Default)]
pub(crate) struct RunLocks {
    folders: Mutex<HashMap<PathBuf, HashSet<OsString>>>,
}

impl RunLocks {
    /// Returns true if a run of a discussion is in progress, according to its lock file. The query creates no file.
    pub(crate) fn is(&self, path: &Path) -> bool {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str))
        else {
            return false;
        };
        let sidecar = Sidecar::for_discussion(folder, name);
        let lock = sidecar.run_lock();
        if !self.was_run(sidecar.folder, &lock) {
            return false;
        }
        // A pipe in place of the lock file must not block the caller.
        let file = open_plain(&lock, Purpose::Read);
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Returns true if a private folder contained this file when it was first listed.
    fn was_run(&self, folder: PathBuf, lock: &Path) -> bool {
        let mut folders = self.folders.lock();
        let names = folders.entry(folder).or_insert_with_key(|folder| names(folder));
        lock.file_name().is_some_and(|name| names.contains(name))
    }
}

fn names(folder: &Path) -> HashSet<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::RunLock;
    use super::*;
    use crate::boundary::ProjectPlace;

    #[test]
    fn only_a_run_in_progress_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let [run, over, never] = ["run.md", "over.md", "never.md"].map(|name| {
            let path = folder.path().join(name);
            fs::write(&path, "# A\n").unwrap();
            path
        });
        drop(RunLock::take(&ProjectPlace::follow(&over)).unwrap());
        let held = RunLock::take(&ProjectPlace::follow(&run)).unwrap();
        let look = RunLocks::default();
        assert!(look.is(&run) && !look.is(&over) && !look.is(&never));
        drop(held);
        assert!(!look.is(&run));
    }
}

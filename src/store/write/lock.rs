//! Locks that allow one writer or one run at a time. Limits the wait for a lock, locks files with
//! several hard links, and finds discussions with a run in progress.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::boundary::{ProjectPlace, Purpose, open_plain};
use crate::platform::{FileNumbers, LOCKS_ARE_ADVISORY, lock_range};
use crate::store::disk::uninterrupted;
use crate::store::error::StoreError;
use crate::store::private_files::Sidecar;

/// A lock that is held until it is dropped. The system releases it when the process ends, even if it is killed.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl From<File> for Lock {
    /// Wraps a file that is locked for as long as it is open.
    fn from(file: File) -> Self {
        Self { _file: file }
    }
}

/// Time to wait for a run's lock. A child process may hold it by accident: the child has copies of its parent's locks
/// until it executes its own program.
const FORK: Duration = Duration::from_millis(300);

/// Maximum number of attempts to create the private folder.
const TRIES: u32 = 16;

/// The lock of a run. Only one run at a time asks a discussion's participants, so that no call is made and paid twice.
/// It does not block writers of comments.
///
/// The file itself is locked too, because a hard link gives it another name with other private files.
#[derive(Debug)]
pub(crate) struct RunLock {
    _lock: Lock,
    _file: Option<Lock>,
}

impl RunLock {
    /// Takes the lock at once, or reports that another run is in progress.
    ///
    /// # Errors
    /// Returns [`StoreError::Running`] if another run holds it. Fails if the disk fails.
    pub(crate) fn take(place: &ProjectPlace) -> Result<Self, StoreError> {
        let sidecar = Sidecar::at(place)?;
        let (running, wait) = (running(place.given_path()), FORK.into());
        let lock = Lock::take_at(&sidecar, &sidecar.run_lock(), &wait).map_err(&running)?;
        let file = of_run(&sidecar.file, &wait).map_err(running)?;
        Ok(Self { _lock: lock, _file: file })
    }

    /// Takes the second lock, for a participant that runs a sub-discussion during its own call in a run. Only one may
    /// do so at a time, so that the remaining budget is counted once.
    ///
    /// # Errors
    /// Fails like [`RunLock::take`].
    pub(crate) fn take_within(place: &ProjectPlace) -> Result<Self, StoreError> {
        let sidecar = Sidecar::at(place)?;
        let lock = Lock::take_at(&sidecar, &sidecar.within_lock(), &FORK.into());
        Ok(Self { _lock: lock.map_err(running(place.given_path()))?, _file: None })
    }
}

/// Converts [`StoreError::Locked`] into [`StoreError::Running`].
fn running(path: &Path) -> impl Fn(StoreError) -> StoreError {
    let path = path.to_owned();
    move |error| match error {
        StoreError::Locked { .. } => StoreError::Running { path: path.clone() },
        other => other,
    }
}

impl Lock {
    /// Waits for the lock, at most about as long as `wait` says.
    pub(super) fn take(sidecar: &Sidecar, wait: &Patience) -> Result<Self, StoreError> {
        Self::take_at(sidecar, &sidecar.lock(), wait)
    }

    fn take_at(sidecar: &Sidecar, path: &Path, wait: &Patience) -> Result<Self, StoreError> {
        // Every writer passes this check before it opens anything.
        sidecar.insist_plain()?;
        loop {
            let file = open(sidecar, path)?;
            let file = match file.try_lock() {
                Ok(()) => file,
                Err(TryLockError::WouldBlock) => queue(file, path, wait, File::lock)?,
                Err(TryLockError::Error(error)) => return Err(failure(path, "locking", error)),
            };
            // Another process may have deleted the lock file in the meantime; the next process would then lock a
            // different file.
            if is_still(&file, path) {
                return Ok(file.into());
            }
        }
    }
}

/// Waits in the system's queue, which is fair and wakes the next writer at once; with polling, many writers are several
/// times slower. A separate thread waits, so that the caller can give up; a lock that comes too late is released.
pub(super) fn queue(
    file: File,
    path: &Path,
    wait: &Patience,
    lock: impl Fn(&File) -> io::Result<()> + Send + 'static,
) -> Result<File, StoreError> {
    let late = |waited| Err(StoreError::Locked { path: path.to_owned(), waited });
    if wait.next(Duration::ZERO).is_none() {
        return late(Duration::ZERO);
    }
    let begun = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let waiting = thread::Builder::new().name("lock".to_owned()).spawn(move || {
        let locked = uninterrupted(|| lock(&file));
        // If the wait is over, there is no receiver, and dropping the file releases the lock.
        let _ = sender.send(locked.map(|()| file));
    });
    waiting.map_err(|error| failure(path, "waiting for the lock", error))?;
    let mut waited = Duration::ZERO;
    while let Some(pause) = wait.next(waited) {
        match receiver.recv_timeout(pause) {
            Ok(locked) => return locked.map_err(|error| failure(path, "locking", error)),
            Err(RecvTimeoutError::Timeout) => waited = begun.elapsed(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    late(waited.min(wait.most()))
}

fn open(sidecar: &Sidecar, path: &Path) -> Result<File, StoreError> {
    match open_plain(path, Purpose::Lock) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other.map_err(|error| failure(path, "opening the lock", error)),
    }
    let mut tries = 0;
    loop {
        let created = sidecar.prepare().and_then(|()| {
            let created = open_plain(path, Purpose::LockOrCreate);
            created.map_err(|error| failure(path, "opening the lock", error))
        });
        match created {
            // A process that removed another discussion has deleted the folder too.
            Err(StoreError::NotWritten { source, .. })
                if source.kind() == io::ErrorKind::NotFound && tries < TRIES =>
            {
                tries += 1;
            }
            Ok(file) => return sidecar.sync().map(|()| file),
            Err(error) => return Err(error),
        }
    }
}

pub(super) fn failure(path: &Path, doing: &'static str, source: io::Error) -> StoreError {
    match source.kind() {
        io::ErrorKind::PermissionDenied => StoreError::Denied { path: path.to_owned() },
        _ => StoreError::NotWritten { path: path.to_owned(), doing, source },
    }
}

fn is_still(file: &File, path: &Path) -> bool {
    match (FileNumbers::of_file(file), FileNumbers::of_path(path)) {
        (Ok(open), Ok(named)) => open.is_same_file(named),
        _ => false,
    }
}

/// Interval at which a waiting thread checks whether to go on.
const LOOK: Duration = Duration::from_millis(5);

/// The maximum time to wait for a lock of another program, and a way to end the wait earlier.
///
/// A wait from a plain [`Duration`] cannot be ended earlier.
#[derive(Clone, Debug)]
pub struct Patience {
    most: Duration,
    given_up: Option<Arc<AtomicBool>>,
}

impl From<Duration> for Patience {
    fn from(most: Duration) -> Self {
        Self { most, given_up: None }
    }
}

impl Patience {
    /// Waits at most about `most`. If a thread sets `given_up`, the wait ends within some
    /// milliseconds with [`StoreError::Locked`]. A free lock is taken even then.
    pub(crate) fn unless(most: Duration, given_up: Arc<AtomicBool>) -> Self {
        Self { most, given_up: Some(given_up) }
    }

    /// Returns the maximum time.
    pub(super) fn most(&self) -> Duration {
        self.most
    }

    /// Returns the time to wait before the next check, given the time already waited. `None` ends the wait.
    pub(super) fn next(&self, waited: Duration) -> Option<Duration> {
        let left = self.most.checked_sub(waited).filter(|left| !left.is_zero())?;
        match &self.given_up {
            Some(given_up) if given_up.load(Ordering::Relaxed) => None,
            Some(_) => Some(left.min(LOOK)),
            None => Some(left),
        }
    }
}

/// Locks the discussion's file itself for a run. Returns `None` if the file system does not support locks, and if no
/// other program could read a locked file.
///
/// # Errors
/// Fails like [`insist_lockable`], and if another run holds the lock.
fn of_run(path: &Path, wait: &Patience) -> Result<Option<Lock>, StoreError> {
    if !LOCKS_ARE_ADVISORY {
        insist_lockable(path)?;
        return Ok(None);
    }
    let file = open_plain(path, Purpose::Read).map_err(|error| failure(path, "opening", error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file.into())),
        Err(TryLockError::WouldBlock) => Ok(Some(queue(file, path, wait, File::lock)?.into())),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Locks the discussion's file itself for a writer, independently of a run's lock. Returns `None`
/// if the file has no other hard link, or if the file system does not support these locks.
///
/// # Errors
/// Fails like [`insist_lockable`], and if another writer holds the lock.
pub(super) fn of_writers(sidecar: &Sidecar, wait: &Patience) -> Result<Option<Lock>, StoreError> {
    let path = &sidecar.file;
    if !LOCKS_ARE_ADVISORY {
        insist_lockable(path)?;
        return Ok(None);
    }
    if count_names(path)? < 2 {
        return Ok(None);
    }
    let file = open_plain(path, Purpose::Append);
    let file = file.map_err(|error| failure(path, "opening", error))?;
    match lock_range(&file, false) {
        Ok(()) => Ok(Some(file.into())),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Ok(Some(queue(file, path, wait, |file| lock_range(file, true))?.into()))
        }
        Err(_) => Ok(None),
    }
}

/// Checks that a discussion has one name. Each name has other private files, so their locks would allow two runs or two
/// writers at once.
fn insist_lockable(path: &Path) -> Result<(), StoreError> {
    if count_names(path)? > 1 {
        let second =
            "it has a second name (a hard link), which this system cannot lock; use a copy";
        return Err(failure(path, "locking", io::Error::other(second)));
    }
    Ok(())
}

fn count_names(path: &Path) -> Result<u64, StoreError> {
    let found = FileNumbers::of_entry(path);
    Ok(found.map_err(|error| failure(path, "looking at the file", error))?.names)
}

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
mod inode_tests;
#[cfg(test)]
mod running_tests;
#[cfg(test)]
mod tests;

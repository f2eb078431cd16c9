//! Locks that allow one writer at a time.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::inode;
use super::lock_timeout::Patience;
use crate::boundary::{ProjectPlace, Purpose, open_plain};
use crate::store::disk::uninterrupted;
use crate::store::error::StoreError;
use crate::store::identity::FileIdentity;
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
        let file = inode::of_run(&sidecar.file, &wait).map_err(running)?;
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

/// Converts the error for a taken lock into the one for another run.
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
            other => return other,
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
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(open), Ok(named)) => FileIdentity::of(&open).is_same_file(FileIdentity::of(&named)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
    const PATIENT: Duration = Duration::from_secs(10);

    fn sidecar() -> (tempfile::TempDir, Sidecar) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        std::fs::write(&path, "# A\n").unwrap();
        let sidecar = Sidecar::of(&path).unwrap();
        (folder, sidecar)
    }

    #[test]
    fn waiting_writer_is_told_the_lock_file() {
        let (_folder, sidecar) = sidecar();
        let held = Lock::take(&sidecar, &PATIENT.into()).unwrap();
        let refused = Lock::take(&sidecar, &Duration::from_millis(2).into()).unwrap_err();
        assert!(refused.to_string().contains(".discussions/a.md.lock"), "{refused}");
        drop(held);
        Lock::take(&sidecar, &PATIENT.into()).unwrap();
    }

    #[test]
    fn cancelled_wait_leaves_the_lock_free_for_others() {
        // The wait would take far too long; only the flag can end it.
        const FOR_EVER: Duration = Duration::from_secs(1_000_000);
        let (_folder, sidecar) = sidecar();
        let held = Lock::take(&sidecar, &PATIENT.into()).unwrap();
        let given_up = Arc::new(AtomicBool::new(false));
        let patience = Patience::unless(FOR_EVER, Arc::clone(&given_up));
        let refused = thread::scope(|scope| {
            let waiting = scope.spawn(|| Lock::take(&sidecar, &patience).unwrap_err());
            given_up.store(true, Ordering::Relaxed);
            waiting.join().unwrap()
        });
        assert!(
            matches!(refused, StoreError::Locked { waited, .. } if waited < FOR_EVER),
            "{refused}"
        );
        drop(held);
        Lock::take(&sidecar, &PATIENT.into()).unwrap();
        Lock::take(&sidecar, &patience).unwrap();
    }

    #[test]
    fn private_folder_is_ignored_by_git() {
        let (folder, sidecar) = sidecar();
        Lock::take(&sidecar, &PATIENT.into()).unwrap();
        let ignore = folder.path().join(".discussions/.gitignore");
        assert_eq!(std::fs::read_to_string(ignore).unwrap(), "*\n");
    }

    #[test]
    fn deleted_folder_is_created_again() {
        let (folder, sidecar) = sidecar();
        drop(Lock::take(&sidecar, &PATIENT.into()).unwrap());
        std::fs::remove_dir_all(folder.path().join(".discussions")).unwrap();
        Lock::take(&sidecar, &PATIENT.into()).unwrap();
    }
}

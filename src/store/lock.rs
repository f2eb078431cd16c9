//! One writer at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::error::StoreError;
use super::identity::Identity;
use super::sidecar::Sidecar;

/// Held while it lives. A process that dies, however it dies, lets go of it.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Only one run asks a discussion's participants at a time, so that nobody is asked, and paid, twice. Writers of
/// comments are not kept waiting by it.
#[derive(Debug)]
pub struct RunLock {
    _lock: Lock,
}

impl RunLock {
    /// Takes it at once, or says that another run is going on.
    ///
    /// # Errors
    /// [`StoreError::Running`] when another one holds it, and failures of the disk.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let sidecar = Sidecar::of(path)?;
        match Lock::take_at(&sidecar, sidecar.run_lock(), Duration::ZERO) {
            Err(StoreError::Locked { .. }) => Err(StoreError::Running { path: path.to_owned() }),
            lock => Ok(Self { _lock: lock? }),
        }
    }
}

impl Lock {
    /// Waits for the lock, at most about as long as said.
    pub(super) fn take(sidecar: &Sidecar, wait: Duration) -> Result<Self, StoreError> {
        Self::take_at(sidecar, sidecar.lock(), wait)
    }

    fn take_at(sidecar: &Sidecar, path: PathBuf, wait: Duration) -> Result<Self, StoreError> {
        let mut waited = Duration::ZERO;
        let mut file = open(sidecar, &path)?;
        loop {
            match file.try_lock() {
                Ok(()) if is_still(&file, &path) => return Ok(Self { _file: file }),
                // Somebody deleted the sidecar meanwhile: whoever comes next would lock another file.
                Ok(()) => file = open(sidecar, &path)?,
                Err(TryLockError::WouldBlock) if waited < wait => waited += pause(waited, wait),
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Locked { path, waited: wait });
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(TryLockError::Error(source)) => {
                    return Err(StoreError::NotWritten { path, doing: "locking", source });
                }
            }
        }
    }
}

/// Sleeps a fraction of what was already waited: short while writers take turns, long behind one that hangs.
fn pause(waited: Duration, wait: Duration) -> Duration {
    let nap =
        (waited / 16).clamp(Duration::from_micros(50), Duration::from_millis(5)).min(wait - waited);
    thread::sleep(nap);
    nap
}

fn open(sidecar: &Sidecar, path: &Path) -> Result<File, StoreError> {
    match OpenOptions::new().write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other.map_err(|error| failure(path, error)),
    }
    sidecar.prepare()?;
    let created = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    created.map_err(|error| failure(path, error))
}

fn failure(path: &Path, source: io::Error) -> StoreError {
    match source.kind() {
        io::ErrorKind::PermissionDenied => StoreError::Denied { path: path.to_owned() },
        _ => StoreError::NotWritten { path: path.to_owned(), doing: "opening the lock", source },
    }
}

fn is_still(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(open), Ok(named)) => Identity::of(&open).is_same_file(Identity::of(&named)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another test's child process may hold a copy of a lock between its fork and its exec.
    const PATIENT: Duration = Duration::from_secs(10);

    fn sidecar() -> (tempfile::TempDir, Sidecar) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        std::fs::write(&path, "# A\n").unwrap();
        let sidecar = Sidecar::of(&path).unwrap();
        (folder, sidecar)
    }

    #[test]
    fn a_second_writer_is_told_which_lock_it_waits_for() {
        let (_folder, sidecar) = sidecar();
        let held = Lock::take(&sidecar, PATIENT).unwrap();
        let refused = Lock::take(&sidecar, Duration::from_millis(2)).unwrap_err();
        assert!(refused.to_string().contains(".discussions/a.md.lock"), "{refused}");
        drop(held);
        Lock::take(&sidecar, PATIENT).unwrap();
    }

    #[test]
    fn the_folder_ignores_itself_in_git() {
        let (folder, sidecar) = sidecar();
        Lock::take(&sidecar, PATIENT).unwrap();
        let ignore = folder.path().join(".discussions/.gitignore");
        assert_eq!(std::fs::read_to_string(ignore).unwrap(), "*\n");
    }

    #[test]
    fn a_deleted_folder_is_made_again() {
        let (folder, sidecar) = sidecar();
        drop(Lock::take(&sidecar, PATIENT).unwrap());
        std::fs::remove_dir_all(folder.path().join(".discussions")).unwrap();
        Lock::take(&sidecar, PATIENT).unwrap();
    }
}

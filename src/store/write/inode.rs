//! Locks on the discussion itself, for files with several hard links: each name has private files, and locks, of its
//! own.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use super::lock::{Lock, failure, queue};
use super::lock_timeout::Patience;
use crate::boundary::{Purpose, open_plain};
use crate::store::error::StoreError;
use crate::store::private_files::Sidecar;

/// Takes the run's lock. Returns `None` if the file system has no such locks.
#[cfg(unix)]
pub(super) fn of_run(path: &Path, wait: &Patience) -> Result<Option<Lock>, StoreError> {
    let file = open_plain(path, Purpose::Read).map_err(|error| failure(path, "opening", error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file.into())),
        Err(TryLockError::WouldBlock) => Ok(Some(queue(file, path, wait, File::lock)?.into())),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// On systems where locks are mandatory, other programs could not read a locked file.
#[cfg(not(unix))]
pub(super) fn of_run(_path: &Path, _wait: &Patience) -> Result<Option<Lock>, StoreError> {
    Ok(None)
}

/// Takes the writers' lock, which is independent of the run's lock. Returns `None` for a file with one name, and if the
/// file system has no such locks.
#[cfg(target_os = "linux")]
pub(super) fn of_writers(sidecar: &Sidecar, wait: &Patience) -> Result<Option<Lock>, StoreError> {
    use std::os::unix::fs::MetadataExt as _;

    let path = &sidecar.file;
    let found = std::fs::symlink_metadata(path)
        .map_err(|error| failure(path, "looking at the file", error))?;
    if found.nlink() < 2 {
        return Ok(None);
    }
    let file = open_plain(path, Purpose::Append);
    let file = file.map_err(|error| failure(path, "opening", error))?;
    match whole(&file, false) {
        Ok(()) => Ok(Some(file.into())),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Ok(Some(queue(file, path, wait, |file| whole(file, true))?.into()))
        }
        Err(_) => Ok(None),
    }
}

/// Only Linux has a second kind of lock that belongs to an open file.
#[cfg(not(target_os = "linux"))]
pub(super) fn of_writers(_sidecar: &Sidecar, _wait: &Patience) -> Result<Option<Lock>, StoreError> {
    Ok(None)
}

/// Locks all bytes of an open file until it is closed, with or without waiting.
#[cfg(target_os = "linux")]
fn whole(file: &File, wait: bool) -> io::Result<()> {
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc::{F_WRLCK, SEEK_SET, c_short, flock};

    let short = |value: i32| c_short::try_from(value).map_err(io::Error::other);
    let (l_type, l_whence) = (short(F_WRLCK)?, short(SEEK_SET)?);
    let all = flock { l_type, l_whence, l_start: 0, l_len: 0, l_pid: 0 };
    let how = if wait { FcntlArg::F_OFD_SETLKW(&all) } else { FcntlArg::F_OFD_SETLK(&all) };
    fcntl(file, how)?;
    Ok(())
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use crate::boundary::ProjectPlace;
    use crate::store::{RunLock, StoreError, Writer};

    /// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
    const PATIENT: Duration = Duration::from_secs(10);

    /// Creates a discussion that has a second name in another folder.
    fn two_names() -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("b.md"), folder.path().join("other/b3.md"));
        fs::create_dir(folder.path().join("other")).unwrap();
        fs::write(&one, "# B\n").unwrap();
        fs::hard_link(&one, &two).unwrap();
        (folder, [one, two])
    }

    #[test]
    fn one_run_per_inode_under_any_name() {
        let (_folder, [one, two]) = two_names();
        let held = RunLock::take(&ProjectPlace::follow(&one)).unwrap();
        assert!(matches!(
            RunLock::take(&ProjectPlace::follow(&two)),
            Err(StoreError::Running { .. })
        ));
        // Comments can be written in the meantime, under either name.
        for name in [&one, &two] {
            drop(Writer::lock(name, PATIENT).unwrap());
        }
        drop(held);
        RunLock::take(&ProjectPlace::follow(&two)).unwrap();
    }

    #[test]
    fn writers_through_two_names_wait_for_each_other() {
        let (_folder, [one, two]) = two_names();
        let held = Writer::lock(&one, PATIENT).unwrap();
        let refused = Writer::lock(&two, Duration::from_millis(2)).unwrap_err();
        assert!(matches!(refused, StoreError::Locked { .. }), "{refused}");
        drop(held);
        Writer::lock(&two, PATIENT).unwrap();
    }

    #[test]
    fn file_with_one_name_needs_no_second_lock() {
        let (_folder, [one, two]) = two_names();
        fs::remove_file(two).unwrap();
        assert!(
            super::of_writers(&super::Sidecar::of(&one).unwrap(), &PATIENT.into())
                .unwrap()
                .is_none()
        );
    }
}

//! Temporary folders of the user's own: other users can neither enter them nor create files in the folder above. Many
//! programs read settings from all folders above the one in which they run, so a shared folder such as `/tmp` would let
//! any user of the machine change these settings.

use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::platform::{
    FileNumbers, create_private_folders, insist_owned, insist_private, is_owned,
    is_writable_by_others,
};

/// The name of the folder that contains all temporary folders.
const FOLDER: &str = "temporary";
/// The ending of the file that is locked as long as the folder is used.
const LOCK: &str = ".lock";
/// The number of attempts to create a folder. Another process may remove a lock file before it is locked.
const ATTEMPTS: usize = 16;

/// A folder that is removed when it is no longer used: when this value is dropped, or by the next process that needs a
/// folder, if this process was killed.
#[derive(Debug)]
pub(crate) struct TemporaryFolder {
    path: PathBuf,
    /// The lock file beside the folder. Its lock ends with this process, however the process ends.
    _lock: NamedTempFile,
}

impl TemporaryFolder {
    /// Creates a folder below a folder of the user's own, which is created if it is missing. First removes the folders
    /// of processes that have ended.
    ///
    /// # Errors
    /// Fails if the folder for temporary folders is a link, belongs to another user, can be replaced by another user, or
    /// cannot be written.
    pub(crate) fn create_in(own: &Path) -> io::Result<Self> {
        if !own.is_absolute() {
            return Err(io::Error::other("your home folder is not known: set HOME"));
        }
        let parent = own.join(FOLDER);
        insist_own_folder(&parent)?;
        remove_ended(&parent);
        for _ in 0..ATTEMPTS {
            let lock = tempfile::Builder::new().prefix("").suffix(LOCK).tempfile_in(&parent)?;
            if lock_new(lock.as_file(), lock.path()) {
                let path = lock.path().with_extension("");
                create_private_folders(&path)?;
                return Ok(Self { path, _lock: lock });
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for TemporaryFolder {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // If a program protected its files, they stay.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Creates a folder that only the user can enter, or makes an existing one private.
///
/// # Errors
/// Fails if the path is a link, or if the folder belongs to another user or can be replaced by one.
pub(crate) fn insist_own_folder(path: &Path) -> io::Result<()> {
    create_private_folders(path)?;
    insist_private(path)
}

/// Checks that an existing folder is the user's own, and changes nothing.
///
/// # Errors
/// Fails if the path is a link, or if the folder belongs to another user or can be replaced by one.
pub(crate) fn check_own_folder(path: &Path) -> io::Result<()> {
    insist_owned(path).map(drop)
}

/// Returns true if a file belongs to the user and no other user can write to it.
pub(crate) fn is_own_file(found: &Metadata) -> bool {
    is_owned(found) && !is_writable_by_others(found)
}

/// Locks a new lock file. Returns false if another process took it for the file of an ended process. On a file system
/// without locks nothing is locked, and nothing is removed either.
fn lock_new(file: &File, path: &Path) -> bool {
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return false;
    }
    let numbers = FileNumbers::of_file(file);
    let same = |own: FileNumbers| FileNumbers::of_path(path).is_ok_and(|it| own.is_same_file(it));
    numbers.is_ok_and(same)
}

/// Removes the folders of processes that have ended: nothing locks their lock files.
fn remove_ended(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != &LOCK[1..]) {
            continue;
        }
        let Ok(file) = File::options().read(true).write(true).open(&path) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_dir_all(path.with_extension(""));
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_is_private_and_removed_with_its_value() {
        let home = tempfile::tempdir().unwrap();
        let own = home.path().join("cache");
        let folder = TemporaryFolder::create_in(&own).unwrap();
        fs::write(folder.path().join("file"), "text").unwrap();
        #[cfg(all(unix, not(discussions_portable)))]
        for path in [folder.path(), &own.join(FOLDER), &own] {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o700, "{path:?}");
        }
        drop(folder);
        assert_eq!(fs::read_dir(own.join(FOLDER)).unwrap().count(), 0);
    }

    #[test]
    fn folders_of_ended_processes_are_removed_and_used_ones_stay() {
        let own = tempfile::tempdir().unwrap();
        let used = TemporaryFolder::create_in(own.path()).unwrap();
        let ended = own.path().join(FOLDER).join("ended");
        fs::create_dir(&ended).unwrap();
        fs::write(ended.join("file"), "text").unwrap();
        fs::write(ended.with_extension("lock"), "").unwrap();
        let second = TemporaryFolder::create_in(own.path()).unwrap();
        assert!(!ended.exists() && !ended.with_extension("lock").exists());
        assert!(used.path().is_dir() && second.path().is_dir());
        assert_ne!(used.path(), second.path());
    }

    #[test]
    #[cfg(unix)]
    fn link_and_relative_path_are_refused() {
        let own = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/tmp", own.path().join(FOLDER)).unwrap();
        assert!(TemporaryFolder::create_in(own.path()).is_err());
        assert!(TemporaryFolder::create_in(Path::new("relative")).is_err());
        assert!(TemporaryFolder::create_in(Path::new("")).is_err());
    }
}

//! Creates discussions. No existing file is overwritten, and no incomplete file is ever visible.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::atomic_write::unnamed;
use super::lock::Lock;
use super::lock_timeout::Patience;
use crate::boundary::{OpenFolder, ProjectPlace, create_folders};
use crate::store::disk::{Disk, RealDisk, sync_folder, write_once};
use crate::store::error::StoreError;
use crate::store::journal;
use crate::store::private_files::Sidecar;

/// The last number that is tried for a taken name.
const LAST: u32 = 9_999;

/// Creates a discussion `<name>.md` in a folder, which is created if necessary. If the name is taken, `-2` is added,
/// then `-3`, and so on. No process ever sees the file without its text. `wait` limits the wait for a writer that holds
/// the lock of the name.
///
/// # Errors
/// Returns [`StoreError::Taken`] if all numbers are used up. Fails if the disk fails; then there is no new file.
#[cfg(feature = "internals")]
pub fn create(
    folder: &Path,
    name: &str,
    text: &str,
    wait: impl Into<Patience>,
) -> Result<PathBuf, StoreError> {
    create_at(&ProjectPlace::follow(folder), name, text, wait)
}

/// Creates a discussion like [`create`], in a folder with its links already resolved.
///
/// # Errors
/// Fails like [`create`], and also if there is a link in the path (see [`StoreError::is_swapped`]).
pub(crate) fn create_at(
    folder: &ProjectPlace,
    name: &str,
    text: &str,
    wait: impl Into<Patience>,
) -> Result<PathBuf, StoreError> {
    create_on(&RealDisk, folder, name, text, &wait.into())
}

pub(super) fn create_on(
    disk: &dyn Disk,
    place: &ProjectPlace,
    name: &str,
    text: &str,
    wait: &Patience,
) -> Result<PathBuf, StoreError> {
    let (folder, real) = (place.given_path(), place.real());
    let fail = |doing| move |source| not_written(folder, doing, source);
    create_folders(real).map_err(fail("making the folder"))?;
    // Names are created in this open folder, even if another folder takes its path.
    let open = OpenFolder::open(real).map_err(fail("opening the folder"))?;
    let temporary = write(disk, &open, text).map_err(|(doing, source)| fail(doing)(source))?;
    for number in 1..=LAST {
        let file_name =
            if number == 1 { format!("{name}.md") } else { format!("{name}-{number}.md") };
        let path = folder.join(&file_name);
        if open.path().join(&file_name).symlink_metadata().is_ok() {
            continue;
        }
        let _lock = disown(real, &file_name, wait)?;
        match put(disk, &temporary, &open, real, &file_name, text) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(source) => return Err(not_written(&path, "naming the file", source)),
        }
        return match sync_folder(folder) {
            Ok(()) => Ok(path),
            Err(source) => {
                let _ = fs::remove_file(open.path().join(&file_name));
                Err(not_written(&path, "syncing the folder", source))
            }
        };
    }
    Err(StoreError::Taken { path: folder.join(format!("{name}.md")) })
}

/// Writes the text to disk under a temporary name. The folder has to stay open as long as the result is used.
fn write(
    disk: &dyn Disk,
    folder: &OpenFolder,
    text: &str,
) -> Result<TempPath, (&'static str, io::Error)> {
    let temporary = unnamed(folder.path()).map_err(|source| ("making a file", source))?;
    write_once(disk, temporary.as_file(), text.as_bytes())
        .map_err(|failure| (failure.doing, failure.source))?;
    Ok(temporary.into_temp_path())
}

/// Gives the text its name, which must be free.
fn put(
    disk: &dyn Disk,
    temporary: &Path,
    open: &OpenFolder,
    real: &Path,
    name: &str,
    text: &str,
) -> io::Result<()> {
    let inside = open.path().join(name);
    match disk.hard_link(temporary, &inside) {
        Err(error) if has_no_links(&error) => {}
        other => return other,
    }
    let file = disk.create_new(&real.join(name))?;
    write_once(disk, &file, text.as_bytes()).map_err(|failure| {
        let _ = fs::remove_file(inside);
        failure.source
    })
}

/// Returns true if the file system does not support hard links.
fn has_no_links(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, TooManyLinks, Unsupported};
    matches!(error.kind(), PermissionDenied | TooManyLinks | Unsupported)
}

/// Moves the journal of an earlier file of this name out of the way, under the name's lock.
fn disown(folder: &Path, file_name: &str, wait: &Patience) -> Result<Option<Lock>, StoreError> {
    let sidecar = Sidecar::for_discussion(folder, file_name);
    if !sidecar.journal().exists() {
        return Ok(None);
    }
    let lock = Lock::take(&sidecar, wait)?;
    journal::disown(&sidecar)
        .map_err(|source| not_written(&sidecar.journal(), "moving an old journal", source))?;
    Ok(Some(lock))
}

fn not_written(path: &Path, doing: &'static str, source: io::Error) -> StoreError {
    StoreError::NotWritten { path: path.to_owned(), doing, source }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Maximum wait for a lock: a child process of another test may hold a copy of it between its fork and its exec.
    const PATIENT: Duration = Duration::from_secs(10);

    #[test]
    fn taken_names_get_numbers_and_nothing_is_overwritten() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b");
        let make = |text| create(&folder, "caching", text, PATIENT).unwrap();
        assert_eq!(make("1\n"), folder.join("caching.md"));
        assert_eq!(make("2\n"), folder.join("caching-2.md"));
        assert_eq!(make("3\n"), folder.join("caching-3.md"));
        assert_eq!(fs::read_to_string(folder.join("caching.md")).unwrap(), "1\n");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no temporary file stays");
    }

    #[test]
    #[cfg(unix)]
    fn dangling_link_is_a_taken_name() {
        let root = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", root.path().join("a.md")).unwrap();
        let path = create(root.path(), "a", "x\n", PATIENT).unwrap();
        assert_eq!(path, root.path().join("a-2.md"));
    }

    #[test]
    fn concurrent_creators_get_different_files() {
        let root = tempfile::tempdir().unwrap();
        let paths: std::collections::HashSet<PathBuf> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| create(root.path(), "a", "x\n", PATIENT).unwrap()))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(paths.len(), 8);
    }
}

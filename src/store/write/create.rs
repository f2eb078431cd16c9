//! Creates discussions, and removes a discussion that was created for a run that could not begin.
//! Never overwrites an existing file. No incomplete file is ever visible.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::Writer;
use super::atomic_write::unnamed;
use super::lock::{Lock, Patience, RunLock};
use crate::boundary::{OpenFolder, ProjectPlace, create_folders, remove_file};
use crate::platform::sync_folder;
use crate::store::disk::{Disk, RealDisk, write_once};
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
#[cfg(not(discussions_sealed))]
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

/// Removes a discussion that was just created, with its private files. Returns true if it was
/// removed. The discussion stays if its text is no longer exactly `created`, or if its journal
/// contains anything. It also stays while a run of it is in progress, even if that run is the
/// caller's own.
///
/// Writers are locked out in the meantime, so that no acknowledged block can be lost. `wait` limits the wait for
/// another writer's lock.
///
/// # Errors
/// Fails like [`Writer::lock`] and [`Writer::read`], or if the disk fails; the discussion is still there then.
pub(crate) fn take_back(
    place: &ProjectPlace,
    created: &str,
    wait: impl Into<Patience>,
) -> Result<bool, StoreError> {
    let _run = match RunLock::take(place) {
        Err(StoreError::Running { .. }) => return Ok(false),
        other => other?,
    };
    let writer = Writer::lock_at(place, wait)?;
    let journal = fs::symlink_metadata(writer.sidecar().journal());
    let acknowledged = match journal {
        Ok(found) => found.len() > 0,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    };
    let document = writer.read()?;
    if acknowledged || document.wrong.is_some() || *document.text != *created {
        return Ok(false);
    }
    remove_file(writer.path())
        .map_err(|error| StoreError::from_io(place.given_path(), "removing", error))?;
    let sidecar = writer.sidecar();
    // A lock file or an empty journal that cannot be removed does no harm.
    for private in [sidecar.journal(), sidecar.reserved(), sidecar.run_lock(), sidecar.lock()] {
        let _ = remove_file(&private);
    }
    let _ = sidecar.remove_folder();
    if let Some(folder) = writer.path().parent() {
        let _ = sync_folder(folder);
    }
    Ok(true)
}

#[cfg(test)]
mod take_back_tests;
#[cfg(test)]
mod tests;

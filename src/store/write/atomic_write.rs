//! Writes small files completely or not at all. Each is written under a temporary name first and then renamed.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::boundary::{OpenFolder, ProjectPlace};
use crate::platform::use_default_permissions;

/// Writes a file in place of an existing one and keeps its permissions; a new file gets the default permissions. A link
/// of this name is replaced and never followed, because its creator may have aimed at another file of this machine.
///
/// # Errors
/// Fails if the disk fails; the file is unchanged then.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = ProjectPlace::follow(folder_of(path));
    replace_at(&folder.real().join(path.file_name().unwrap_or_default()), text)
}

/// Writes a file like [`replace`], in a folder with its links already resolved.
///
/// # Errors
/// Fails like [`replace`], and also if there is a link in the folder's path.
pub(crate) fn replace_at(path: &Path, text: &str) -> io::Result<()> {
    replace_in_folder(path, |file| write_temporary(file, text))
}

/// Writes a file like [`replace_at`], for a file that can be computed again: after a crash of the system it may be
/// empty. Waiting for the disk takes most of the time of writing many files.
///
/// # Errors
/// Fails like [`replace_at`].
pub(crate) fn replace_unsynced_at(path: &Path, text: &str) -> io::Result<()> {
    replace_in_folder(path, |mut file| {
        file.write_all(text.as_bytes())?;
        Ok(file)
    })
}

fn replace_in_folder(
    path: &Path,
    write: impl FnOnce(NamedTempFile) -> io::Result<NamedTempFile>,
) -> io::Result<()> {
    let (folder, path) = OpenFolder::of_file(path)?;
    let file = write(unnamed(folder.path())?)?;
    if let Ok(found) = fs::symlink_metadata(&path)
        && found.is_file()
    {
        file.as_file().set_permissions(found.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a file like [`replace`] that only its owner can read, whatever the permissions of the old file were.
///
/// # Errors
/// Fails like [`replace`].
pub(crate) fn replace_private(path: &Path, text: &str) -> io::Result<()> {
    let private =
        tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder_of(path))?;
    write_temporary(private, text)?.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a file that does not exist yet.
///
/// # Errors
/// Returns [`io::ErrorKind::AlreadyExists`] if it exists. Fails if the disk fails. There is no new file in either case.
pub(crate) fn place(path: &Path, text: &str) -> io::Result<()> {
    let file = write_temporary(unnamed(folder_of(path))?, text)?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

const PREFIX: &str = ".new-";
const SUFFIX: &str = ".tmp";

/// Creates an empty file under a temporary name, with the default permissions of a new file.
pub(super) fn unnamed(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    use_default_permissions(&mut builder);
    builder.tempfile_in(folder)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn write_temporary(mut file: NamedTempFile, text: &str) -> io::Result<NamedTempFile> {
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn permissions_stay_and_links_are_not_followed() {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (file, link) = (path("file"), path("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, "new").unwrap();
        assert!(!link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        replace(&file, "new").unwrap();
        assert_eq!((fs::read_to_string(&file).unwrap().as_str(), mode(&file)), ("new", 0o640));
        replace_private(&file, "mine").unwrap();
        assert_eq!(mode(&file), 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file stays");
    }

    #[test]
    fn existing_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        place(&path, "first").unwrap();
        let refused = place(&path, "second").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    }
}

//! Small files that are written whole or not at all: under another name first, which then becomes theirs.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::boundary::{OpenFolder, Place};

/// Writes a file in place of one that may be there, whose permissions stay; a new one gets those of any new file. A link
/// of that name is replaced, never followed: whoever made it may have had another file of this machine in mind.
///
/// # Errors
/// Failures of the disk, after which the file is as it was.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = Place::follow(folder_of(path));
    replace_at(&folder.real().join(path.file_name().unwrap_or_default()), text)
}

/// Writes a file whose folder's links were followed before, as [`replace`] does.
///
/// # Errors
/// As [`replace`]; a link in the folder's way.
pub(crate) fn replace_at(path: &Path, text: &str) -> io::Result<()> {
    let (folder, path) = OpenFolder::of_file(path)?;
    let file = written(unnamed(folder.path())?, text)?;
    if let Ok(found) = fs::symlink_metadata(&path)
        && found.is_file()
    {
        file.as_file().set_permissions(found.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// The same for a file that nobody else may read, whatever the one before it was.
///
/// # Errors
/// As [`replace`].
pub(crate) fn replace_private(path: &Path, text: &str) -> io::Result<()> {
    let private =
        tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder_of(path))?;
    written(private, text)?.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a file that is not there yet.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when it is, and failures of the disk; there is no new file then.
pub(crate) fn place(path: &Path, text: &str) -> io::Result<()> {
    let file = written(unnamed(folder_of(path))?, text)?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

const PREFIX: &str = ".new-";
const SUFFIX: &str = ".tmp";

/// An empty file in a folder under a name that nobody looks at, with the permissions of any new file.
pub(super) fn unnamed(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Who may read it is the user's mask's business.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn written(mut file: NamedTempFile, text: &str) -> io::Result<NamedTempFile> {
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
    fn what_is_there_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        place(&path, "first").unwrap();
        let refused = place(&path, "second").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    }
}

//! Small text files that people write: read whole, written whole or not at all.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use crate::boundary::{self, Outside, Place, Purpose};
use crate::store;
use crate::transcript::visible_line;
use crate::yaml::LoadError;

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file says something that is not understood.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file or folder is there but cannot be read.
    #[error("cannot read {}: {source}", visible_line(&path.to_string_lossy()))]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A project's file or folder is a link to somebody else's.
    #[error(transparent)]
    Outside(#[from] Outside),
}

/// Insists that a project's file or folder is the project's own; it need not exist.
pub(super) fn insist_own(path: &Path) -> Result<(), ConfigError> {
    Ok(boundary::insist(path, |_, _| None)?)
}

/// The longest file that is read; a longer one was not written by hand.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The text of a file, `None` where there is none. A pipe or device is never opened.
pub(crate) fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    read_at(&Place::follow(path))
}

/// Reads a project's file, which has to be its own; otherwise as [`read`].
pub(super) fn read_own(path: &Path) -> Result<Option<String>, ConfigError> {
    read_at(&boundary::resolve(path, |_, _| None)?)
}

/// Reads a file whose links were followed before; otherwise as [`read`].
pub(super) fn read_at(place: &Place) -> Result<Option<String>, ConfigError> {
    let path = place.given();
    let failed = |source| ConfigError::Read { path: path.to_owned(), source };
    let (file, metadata) = match place.open(Purpose::Read) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(failed)?,
    };
    if !metadata.is_file() {
        return Err(failed(io::Error::other("it is not a regular file")));
    }
    if metadata.len() > MAX_BYTES {
        let most = MAX_BYTES / (1024 * 1024);
        return Err(failed(io::Error::other(format!("it is larger than {most} MiB"))));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    String::from_utf8(bytes).map(Some).map_err(|error| not_utf8(path, &error).into())
}

/// Shows the first byte that is no UTF-8.
fn not_utf8(path: &Path, error: &FromUtf8Error) -> LoadError {
    let text = String::from_utf8_lossy(error.as_bytes());
    let before = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    LoadError::at(&path.display().to_string(), &text, 1, (line, column), "this is not UTF-8")
        .with_hint("save the file as UTF-8")
}

/// The files of a folder with one of these extensions, by name; none where there is no folder.
/// Hidden files, which editors leave behind, are passed over.
pub(super) fn list(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, ConfigError> {
    let failed = |source| ConfigError::Read { path: folder.to_owned(), source };
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(failed)?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let wanted = path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| extensions.contains(&extension));
        if wanted && !hidden && !path.is_dir() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Writes a file that is not there yet, whole, and makes its folder; an existing one is left alone.
///
/// A failure of the kind [`io::ErrorKind::AlreadyExists`] means that the file is there.
pub(super) fn create(path: &Path, text: &str) -> io::Result<()> {
    make_folder(path)?;
    store::place(path, text)
}

/// Writes a file whole, in place of one that may be there; a link stays one.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    make_folder(&path)?;
    store::replace(&path, text)
}

fn make_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)
}

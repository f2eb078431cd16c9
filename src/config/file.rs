//! Reads and writes small text files that people edit. A file is always written completely or not at all.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use crate::boundary::{self, EscapesProject, ProjectPlace, Purpose};
use crate::store;
use crate::transcript::visible_line;
use crate::yaml::LoadError;

/// The reason why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file contains an error.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file or folder exists but cannot be read.
    #[error("cannot read {}: {source}", visible_line(&path.to_string_lossy()))]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A project's file or folder is a link that leads out of the project.
    #[error(transparent)]
    Outside(#[from] EscapesProject),
}

/// Checks that a project's file or folder is not a link out of the project. It need not exist.
pub(super) fn insist_own(path: &Path) -> Result<(), ConfigError> {
    Ok(boundary::insist(path, |_, _| None)?)
}

/// Maximum size of a file in bytes; a longer one was not written by hand.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Returns the text of a file, or `None` if it does not exist. A pipe or device is never opened.
pub(crate) fn read(path: &Path) -> Result<Option<String>, ConfigError> {
    read_at(&ProjectPlace::follow(path))
}

/// Reads a project's file, which must not be a link out of the project; otherwise like [`read`].
pub(super) fn read_own(path: &Path) -> Result<Option<String>, ConfigError> {
    read_at(&boundary::resolve(path, |_, _| None)?)
}

/// Reads a file with its links already resolved; otherwise like [`read`].
pub(super) fn read_at(place: &ProjectPlace) -> Result<Option<String>, ConfigError> {
    let path = place.given_path();
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

/// Returns an error at the first byte that is not UTF-8.
fn not_utf8(path: &Path, error: &FromUtf8Error) -> LoadError {
    let text = String::from_utf8_lossy(error.as_bytes());
    let before = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    LoadError::at(&path.display().to_string(), &text, 1, (line, column), "this is not UTF-8")
        .with_hint("save the file as UTF-8")
}

/// Returns the files of a folder with one of these extensions, by name; none if the folder does not exist. Hidden
/// files, which some editors leave behind, are ignored.
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

/// Writes a new file completely, and creates its folder. An existing file is not changed.
///
/// The error [`io::ErrorKind::AlreadyExists`] means that the file exists.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<()> {
    make_folder(path)?;
    store::place(path, text)
}

/// Writes a file completely, in place of an existing one. If it is a link, the link's target is replaced.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    make_folder(&path)?;
    store::replace(&path, text)
}

fn make_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)
}

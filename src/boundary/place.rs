//! A path whose links were followed once, so that it can be opened without following any again.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::Way;
use super::open::{Purpose, open_plain};

/// A path, and where it really leads. Opening it follows no link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    given: PathBuf,
    real: PathBuf,
    /// A file with a second name (a hard link) is refused: its other name may stand anywhere.
    one_name: bool,
}

/// The file has a second name, which may stand outside of the project.
#[derive(Debug, thiserror::Error)]
#[error(
    "it has a second name (a hard link), so it may come from outside the project; use a copy of it"
)]
struct SecondName;

/// Whether an error says that a file was refused because it has a second name.
pub(crate) fn has_second_name(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<SecondName>())
}

impl Place {
    /// A path that was found to lead elsewhere, or not.
    pub(super) fn new(given: &Path, real: PathBuf) -> Self {
        Self { given: given.to_owned(), real, one_name: false }
    }

    /// Takes a path by its words: opening it fails if a link is in the way.
    pub(crate) fn by_words(path: &Path) -> Self {
        Self::new(path, path.to_owned())
    }

    /// Follows the links of a path now, wherever they lead. What does not exist is taken by its words.
    pub(crate) fn follow(path: &Path) -> Self {
        let real = match Way::of(path) {
            Ok(way) => way.real(),
            Err(_) => path.to_owned(),
        };
        Self::new(path, real)
    }

    /// Refuses a file that has a second name.
    pub(crate) fn with_one_name(self) -> Self {
        Self { one_name: true, ..self }
    }

    /// The same place under the name that somebody used.
    pub(crate) fn named(self, given: &Path) -> Self {
        Self { given: given.to_owned(), ..self }
    }

    /// The path as somebody named it, for messages.
    pub(crate) fn given(&self) -> &Path {
        &self.given
    }

    /// The path without links.
    pub(crate) fn real(&self) -> &Path {
        &self.real
    }

    /// Opens the file and looks at what was opened.
    ///
    /// # Errors
    /// A link in the way, a second name that is not wanted, and failures of the system.
    pub(crate) fn open(&self, purpose: Purpose) -> io::Result<(File, Metadata)> {
        let file = open_plain(&self.real, purpose)?;
        let found = file.metadata()?;
        self.insist_one_name(&found)?;
        Ok((file, found))
    }

    /// Insists that an open file has no second name, if none is wanted.
    ///
    /// # Errors
    /// One for which [`has_second_name`] is true.
    pub(crate) fn insist_one_name(&self, found: &Metadata) -> io::Result<()> {
        match self.one_name && found.is_file() && has_names(found) > 1 {
            true => Err(io::Error::other(SecondName)),
            false => Ok(()),
        }
    }
}

#[cfg(unix)]
fn has_names(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(found)
}

/// Other systems do not say it of an open file without more ado.
#[cfg(not(unix))]
fn has_names(_: &Metadata) -> u64 {
    1
}

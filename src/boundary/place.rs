//! A path with its links resolved once, so that the file can be opened without following links again.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::PathWalk;
use super::open::{Purpose, open_plain};

/// A path as it was given, and its real location without links. Opening it follows no link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProjectPlace {
    given: PathBuf,
    real: PathBuf,
    /// If true, refuses a file with a second name (a hard link): the other name may be outside the project.
    one_name: bool,
}

/// The error for a file with a second name, which may be outside the project.
#[derive(Debug, thiserror::Error)]
#[error(
    "it has a second name (a hard link), so it may come from outside the project; use a copy of it"
)]
struct SecondName;

/// Returns true if an error says that a file was refused because it has a second name.
pub(crate) fn has_second_name(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<SecondName>())
}

impl ProjectPlace {
    /// Creates a place from a path and its real location; the two may be equal.
    pub(super) fn new(given: &Path, real: PathBuf) -> Self {
        Self { given: given.to_owned(), real, one_name: false }
    }

    /// Creates a place from a path without following links; opening it fails if there is a link on the path.
    pub(crate) fn by_words(path: &Path) -> Self {
        Self::new(path, path.to_owned())
    }

    /// Follows the links of a path, wherever they lead. A part that does not exist is kept as it is written.
    pub(crate) fn follow(path: &Path) -> Self {
        let real = match PathWalk::of(path) {
            Ok(way) => way.real(),
            Err(_) => path.to_owned(),
        };
        Self::new(path, real)
    }

    /// Makes [`Self::open`] refuse a file that has a second name.
    pub(crate) fn with_one_name(self) -> Self {
        Self { one_name: true, ..self }
    }

    /// Replaces the path that [`Self::given`] returns for messages.
    pub(crate) fn with_name(self, given: &Path) -> Self {
        Self { given: given.to_owned(), ..self }
    }

    /// Returns the path as the user or a file named it, for messages.
    pub(crate) fn given_path(&self) -> &Path {
        &self.given
    }

    /// Returns the path without links.
    pub(crate) fn real(&self) -> &Path {
        &self.real
    }

    /// Opens the file and checks the opened file.
    ///
    /// # Errors
    /// Fails if there is a link on the path, if the file has a second name and [`Self::with_one_name`] was called,
    /// and if the system cannot open the file.
    pub(crate) fn open(&self, purpose: Purpose) -> io::Result<(File, Metadata)> {
        let file = open_plain(&self.real, purpose)?;
        let found = file.metadata()?;
        self.insist_one_name(&found)?;
        Ok((file, found))
    }

    /// Checks that an open file has no second name, if [`Self::with_one_name`] was called.
    ///
    /// # Errors
    /// Fails with an error for which [`has_second_name`] returns true.
    pub(crate) fn insist_one_name(&self, found: &Metadata) -> io::Result<()> {
        if self.one_name && found.is_file() && has_names(found) > 1 {
            Err(io::Error::other(SecondName))
        } else {
            Ok(())
        }
    }
}

#[cfg(unix)]
fn has_names(found: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(found)
}

/// Other systems offer no simple way to count the names of an open file.
#[cfg(not(unix))]
fn has_names(_: &Metadata) -> u64 {
    1
}

//! Where the private files of a discussion stand: `.discussions/` beside it, a folder that git ignores by itself.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::disk::sync_folder;
use super::error::StoreError;
use crate::boundary::{
    OpenFolder, Place, Purpose, create_folder, open_plain, remove_file, remove_folder, swapped,
};

/// The folder's name.
pub(super) const FOLDER: &str = ".discussions";
/// What a journal's name ends with, after the discussion's own.
pub(super) const JOURNAL: &str = ".journal";
const LOCK: &str = ".lock";
/// What makes git pass over the folder.
const IGNORE: &str = ".gitignore";

/// One discussion and its private files. The path is the real one, so that every link to a file shares them.
#[derive(Clone, Debug)]
pub(super) struct Sidecar {
    /// The discussion, canonical.
    pub(super) file: PathBuf,
    /// The private folder.
    pub(super) folder: PathBuf,
    name: OsString,
}

impl Sidecar {
    /// The private files of an existing discussion.
    pub(super) fn of(path: &Path) -> Result<Self, StoreError> {
        Self::at(&Place::follow(path))
    }

    /// The private files of an existing discussion whose links were followed before.
    pub(super) fn at(place: &Place) -> Result<Self, StoreError> {
        let given = place.given();
        let fail = |error| StoreError::from_io(given, "looking at the file", error);
        let (file, path) = (place.real().to_owned(), given.to_owned());
        let found = fs::symlink_metadata(&file).map_err(fail)?;
        match () {
            () if found.is_dir() => return Err(StoreError::Directory { path }),
            () if found.is_symlink() => return Err(fail(swapped())),
            () if !found.is_file() => return Err(StoreError::NotAFile { path }),
            () => place.insist_one_name(&found).map_err(fail)?,
        }
        match (file.parent(), file.file_name()) {
            (Some(parent), Some(name)) => {
                Ok(Self { folder: parent.join(FOLDER), name: name.to_owned(), file })
            }
            _ => Err(StoreError::NotAFile { path }),
        }
    }

    /// The private files of a discussion that may exist only in git; its folder has to exist.
    pub(super) fn wherever(path: &Path) -> Result<Self, StoreError> {
        match (Self::of(path), path.parent(), path.file_name().and_then(|name| name.to_str())) {
            (Err(StoreError::NotFound { .. }), Some(folder), Some(name)) => {
                let folder = fs::canonicalize(folder)
                    .map_err(|error| StoreError::from_io(path, "finding", error))?;
                Ok(Self::beside(&folder, name))
            }
            (found, ..) => found,
        }
    }

    /// The private files that a discussion of this name in a canonical folder has, or would have.
    pub(super) fn beside(folder: &Path, name: &str) -> Self {
        Self { file: folder.join(name), folder: folder.join(FOLDER), name: name.into() }
    }

    /// The discussion's file name.
    pub(super) fn name(&self) -> &Path {
        Path::new(&self.name)
    }

    /// The file that a run locks for as long as it asks participants.
    pub(super) fn run_lock(&self) -> PathBuf {
        self.with(".run")
    }

    /// The file that is locked while somebody who is asked in a run has a discussion within it run.
    pub(super) fn within_lock(&self) -> PathBuf {
        self.with(".within")
    }

    /// What calls may cost that were begun.
    pub(super) fn reserved(&self) -> PathBuf {
        self.with(".reserved")
    }

    /// The file that writers lock. The discussion itself cannot be locked: editors replace it.
    pub(super) fn lock(&self) -> PathBuf {
        self.with(LOCK)
    }

    /// What was acknowledged.
    pub(super) fn journal(&self) -> PathBuf {
        self.with(JOURNAL)
    }

    fn with(&self, ending: &str) -> PathBuf {
        let mut name = self.name.clone();
        name.push(ending);
        self.folder.join(name)
    }

    /// Insists that no private file is a link, nor their folder, and that each is a regular file: a repository can carry
    /// links to files of whoever clones it, an archive pipes too, and opening one of those may never end.
    ///
    /// # Errors
    /// [`StoreError::Linked`] or [`StoreError::NotAFile`] with the first one.
    pub(super) fn insist_plain(&self) -> Result<(), StoreError> {
        let folder = match fs::symlink_metadata(&self.folder) {
            Ok(folder) => folder,
            // None yet; whatever else is wrong with it, whoever opens something in it is told.
            Err(_) => return Ok(()),
        };
        if folder.is_symlink() {
            return Err(StoreError::Linked { path: self.folder.clone() });
        }
        let locks = [self.lock(), self.run_lock(), self.within_lock(), self.reserved()];
        let files = [self.folder.join(IGNORE), self.journal()].into_iter().chain(locks);
        for path in files {
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => return Err(StoreError::Linked { path }),
                Ok(found) if !found.is_file() => return Err(StoreError::NotAFile { path }),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Takes the folder away where nothing is left in it. Whoever wants to put something there meanwhile finds it, or
    /// makes it again.
    pub(super) fn remove_folder(&self) -> io::Result<()> {
        let ignore = self.folder.join(IGNORE);
        let folder = OpenFolder::open(&self.folder)?;
        let others = fs::read_dir(folder.path())?
            .any(|entry| !entry.is_ok_and(|entry| entry.file_name() == IGNORE));
        if others {
            return Ok(());
        }
        remove_file(&ignore)?;
        // Somebody was faster: their files must be ignored again.
        remove_folder(&self.folder).or_else(|_| self.prepare().map_err(io::Error::other))
    }

    /// Makes the folder and tells git to ignore it.
    pub(super) fn prepare(&self) -> Result<(), StoreError> {
        let fail = |doing| {
            move |source| StoreError::NotWritten { path: self.folder.clone(), doing, source }
        };
        match create_folder(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other.map_err(fail("making the folder"))?,
        }
        let ignore = self.folder.join(IGNORE);
        // An empty one was left by a writer that was killed, or met a full disk, before it wrote the line.
        if fs::symlink_metadata(&ignore).map_or(0, |found| found.len()) == 0 {
            // It may be a second name of somebody's empty file: that one stays as it is.
            let _ = remove_file(&ignore);
            let written = match open_plain(&ignore, Purpose::CreateNew) {
                // Another writer was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                made => made.and_then(|mut file| file.write_all(b"*\n")),
            };
            written.map_err(fail("writing .gitignore"))?;
        }
        let parent = self.folder.parent().unwrap_or(Path::new("."));
        sync_folder(parent).map_err(fail("syncing"))
    }
}

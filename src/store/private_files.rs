//! Paths of a discussion's private files. They are in the folder `.discussions/` beside it, which
//! contains a file that makes git ignore the folder.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::error::StoreError;
use crate::boundary::{
    OpenFolder, ProjectPlace, Purpose, create_folder, open_plain, remove_file, remove_folder,
    swapped,
};
use crate::platform::sync_folder;

/// Name of the folder.
pub(super) const FOLDER: &str = ".discussions";
/// Ending of a journal's name, after the discussion's name.
pub(super) const JOURNAL: &str = ".journal";
const LOCK: &str = ".lock";
/// The file that makes git ignore the folder.
const IGNORE: &str = ".gitignore";

/// Returns true if there is a private folder beside a discussion, which may be behind a link.
pub(crate) fn has_private_files(path: &Path) -> bool {
    let beside = |path: &Path| path.parent().is_some_and(|it| it.join(FOLDER).exists());
    beside(path) || fs::canonicalize(path).is_ok_and(|path| beside(&path))
}

/// One discussion and its private files. The path is canonical, so that all links to a discussion share these files.
#[derive(Clone, Debug)]
pub(super) struct Sidecar {
    /// The discussion, canonical.
    pub(super) file: PathBuf,
    /// The private folder.
    pub(super) folder: PathBuf,
    name: OsString,
}

impl Sidecar {
    /// Returns the private files of an existing discussion.
    pub(super) fn of(path: &Path) -> Result<Self, StoreError> {
        Self::at(&ProjectPlace::follow(path))
    }

    /// Returns the private files of an existing discussion with its links already resolved.
    pub(super) fn at(place: &ProjectPlace) -> Result<Self, StoreError> {
        let given = place.given_path();
        let fail = |error| StoreError::from_io(given, "looking at the file", error);
        let (file, path) = (place.real().to_owned(), given.to_owned());
        let found = fs::symlink_metadata(&file).map_err(fail)?;
        if found.is_dir() {
            return Err(StoreError::Directory { path });
        }
        if found.is_symlink() {
            return Err(fail(swapped()));
        }
        if !found.is_file() {
            return Err(StoreError::NotAFile { path });
        }
        place.insist_one_name_of_path().map_err(fail)?;
        match (file.parent(), file.file_name()) {
            (Some(parent), Some(name)) => {
                Ok(Self { folder: parent.join(FOLDER), name: name.to_owned(), file })
            }
            _ => Err(StoreError::NotAFile { path }),
        }
    }

    /// Returns the private files of a discussion that may exist only in git. Its folder must exist.
    pub(super) fn wherever(path: &Path) -> Result<Self, StoreError> {
        match (Self::of(path), path.parent(), path.file_name().and_then(|name| name.to_str())) {
            (Err(StoreError::NotFound { .. }), Some(folder), Some(name)) => {
                let folder = fs::canonicalize(folder)
                    .map_err(|error| StoreError::from_io(path, "finding", error))?;
                Ok(Self::for_discussion(&folder, name))
            }
            (found, ..) => found,
        }
    }

    /// Returns the private files of a discussion with this name in a canonical folder, whether it exists or not.
    pub(super) fn for_discussion(folder: &Path, name: &str) -> Self {
        Self { file: folder.join(name), folder: folder.join(FOLDER), name: name.into() }
    }

    /// Returns the discussion's file name.
    pub(super) fn name(&self) -> &Path {
        Path::new(&self.name)
    }

    /// Returns the lock file that a run holds while it asks participants.
    pub(super) fn run_lock(&self) -> PathBuf {
        self.with(".run")
    }

    /// Returns the lock file for a sub-discussion that a participant runs during its call in the parent's run.
    pub(super) fn within_lock(&self) -> PathBuf {
        self.with(".within")
    }

    /// Returns the file with the reserved costs of calls that have begun.
    pub(super) fn reserved(&self) -> PathBuf {
        self.with(".reserved")
    }

    /// Returns the lock file of writers. The discussion itself cannot be locked, because editors replace it.
    pub(super) fn lock(&self) -> PathBuf {
        self.with(LOCK)
    }

    /// Returns the journal.
    pub(super) fn journal(&self) -> PathBuf {
        self.with(JOURNAL)
    }

    fn with(&self, ending: &str) -> PathBuf {
        let mut name = self.name.clone();
        name.push(ending);
        self.folder.join(name)
    }

    /// Checks that the private folder and files are not links, and that each is a regular file. A repository can
    /// contain links to files of a user who clones it; an archive can contain pipes, and opening one may never end.
    ///
    /// # Errors
    /// Returns [`StoreError::Linked`] or [`StoreError::NotAFile`] with the first such file.
    pub(super) fn insist_plain(&self) -> Result<(), StoreError> {
        let folder = match fs::symlink_metadata(&self.folder) {
            Ok(folder) => folder,
            // There is no folder yet. Any other problem is reported when a file in the folder is opened.
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

    /// Deletes the folder if it contains nothing else. A writer that needs it at this moment finds it or creates it
    /// again.
    pub(super) fn remove_folder(&self) -> io::Result<()> {
        let ignore = self.folder.join(IGNORE);
        let folder = OpenFolder::open(&self.folder)?;
        let others = fs::read_dir(folder.path())?
            .any(|entry| !entry.is_ok_and(|entry| entry.file_name() == IGNORE));
        if others {
            return Ok(());
        }
        remove_file(&ignore)?;
        // Another process has added files in the meantime; git must ignore them again.
        remove_folder(&self.folder).or_else(|_| self.prepare().map_err(io::Error::other))
    }

    /// Creates the folder and makes git ignore it. [`Self::sync`] makes the folder last.
    pub(super) fn prepare(&self) -> Result<(), StoreError> {
        let fail = |doing| {
            move |source| StoreError::NotWritten { path: self.folder.clone(), doing, source }
        };
        match create_folder(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other.map_err(fail("making the folder"))?,
        }
        let ignore = self.folder.join(IGNORE);
        // An empty file was left by a writer that was killed, or found the disk full, before it wrote the line.
        if fs::symlink_metadata(&ignore).map_or(0, |found| found.len()) == 0 {
            // It may be a hard link to an empty file of the user, which must stay unchanged.
            let _ = remove_file(&ignore);
            let written = match open_plain(&ignore, Purpose::CreateNew) {
                // Another writer was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                made => made.and_then(|mut file| file.write_all(b"*\n")),
            };
            written.map_err(fail("writing .gitignore"))?;
        }
        Ok(())
    }

    /// Writes the folder's own entry to disk. That takes long, and an empty folder may be removed meanwhile, so there
    /// should be a file in it before.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        let parent = self.folder.parent().unwrap_or(Path::new("."));
        sync_folder(parent).map_err(|source| StoreError::NotWritten {
            path: self.folder.clone(),
            doing: "syncing",
            source,
        })
    }
}

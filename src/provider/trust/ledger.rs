//! The user's trust decisions, stored in a folder of the user's own.
//!
//! Each decision is one file, named by its fingerprint, so that two programs that write at once lose nothing and no
//! file is ever rewritten.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::store;

/// The name of the folder within the user's own folder.
const FOLDER: &str = "trusted";

/// The maximum size of a file. A trust decision has a few lines; a longer file is invalid.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// One trust decision, as the user sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Consent {
    /// The fingerprint of the trusted definition.
    pub fingerprint: String,
    /// The provider's name.
    pub provider: String,
    /// The project's folder.
    pub project: String,
    /// The command or service that it runs.
    pub runs: String,
    /// The time of the decision, in UTC.
    pub at: String,
}

/// The reason why trust decisions cannot be read or stored.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// Other users may write there, or the path is a link.
    #[error("{}: {reason}, so your trust decisions cannot be stored there", .path.display())]
    Unsafe {
        /// The file or folder.
        path: PathBuf,
        /// The problem with it.
        reason: &'static str,
    },
    /// The system reported an error.
    #[error("{}: cannot be used: {error}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// The folder of trust decisions, which is never within the project that they are about.
#[derive(Clone, Debug)]
pub(crate) struct Ledger(PathBuf);

impl Ledger {
    /// Creates the ledger in a folder of the user's own. The folder need not exist yet.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self(folder.join(FOLDER))
    }

    /// Returns another folder of the user's own, next to this one.
    pub(crate) fn sibling_folder(&self, name: &str) -> PathBuf {
        self.0.with_file_name(name)
    }

    /// Returns whether the folder is within the project. Then it may have come with the project, so it proves nothing.
    pub(crate) fn is_within(&self, project: &Path) -> bool {
        let leads = self.0.ancestors().find_map(|folder| folder.canonicalize().ok());
        self.0.starts_with(project) || leads.is_some_and(|leads| leads.starts_with(project))
    }

    /// Returns whether the definition with this fingerprint is trusted. A file that was changed does not count.
    ///
    /// # Errors
    ///
    /// Returns [`LedgerError`] if the folder is a link, may be written by others, or cannot be read.
    pub(crate) fn has(&self, fingerprint: &str) -> Result<bool, LedgerError> {
        Ok(self.is_there()? && self.read(&self.path(fingerprint)).is_some())
    }

    /// Stores a trust decision, completely or not at all.
    ///
    /// # Errors
    ///
    /// Returns [`LedgerError`] for the reasons of [`Ledger::has`], and if the file cannot be written.
    pub(crate) fn keep(&self, consent: &Consent) -> Result<(), LedgerError> {
        if !self.is_there()? {
            self.make()?;
        }
        let text = serde_json::to_string_pretty(consent).unwrap_or_default();
        let path = self.path(&consent.fingerprint);
        store::replace_private(&path, &format!("{text}\n"))
            .map_err(|error| LedgerError::Io { path, error })
    }

    /// Returns all trust decisions, ordered by project and name.
    ///
    /// # Errors
    ///
    /// Returns [`LedgerError`] for the reasons of [`Ledger::has`].
    pub(crate) fn list(&self) -> Result<Vec<Consent>, LedgerError> {
        let mut consents: Vec<Consent> =
            self.files()?.iter().filter_map(|path| self.read(path)).collect();
        consents.sort_by(|a, b| (&a.project, &a.provider).cmp(&(&b.project, &b.provider)));
        Ok(consents)
    }

    /// Revokes all trust decisions for a project's folder and returns them.
    ///
    /// # Errors
    ///
    /// Returns [`LedgerError`] for the reasons of [`Ledger::has`], and if a file cannot be removed.
    pub(crate) fn revoke(&self, project: &Path) -> Result<Vec<Consent>, LedgerError> {
        let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        let project = project.display().to_string();
        let mut revoked = Vec::new();
        for path in self.files()? {
            let Some(consent) = self.read(&path).filter(|it| it.project == project) else {
                continue;
            };
            fs::remove_file(&path).map_err(|error| LedgerError::Io { path, error })?;
            revoked.push(consent);
        }
        Ok(revoked)
    }

    /// Returns the path for a fingerprint. Only its hexadecimal digits are used, so that it can name no other file.
    fn path(&self, fingerprint: &str) -> PathBuf {
        let fingerprint: String = fingerprint.chars().filter(char::is_ascii_hexdigit).collect();
        self.0.join(format!("{fingerprint}.json"))
    }

    fn files(&self) -> Result<Vec<PathBuf>, LedgerError> {
        if !self.is_there()? {
            return Ok(Vec::new());
        }
        let entries = fs::read_dir(&self.0)
            .map_err(|error| LedgerError::Io { path: self.0.clone(), error })?;
        Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
    }

    /// Reads the trust decision in a file. Its name must match its fingerprint, and it must not be a link, which could
    /// lead to another person's file.
    fn read(&self, path: &Path) -> Option<Consent> {
        let found = fs::symlink_metadata(path).ok()?;
        if !found.is_file() || found.len() > MOST_BYTES || is_open_to_others(&found) {
            return None;
        }
        let consent: Consent = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        let named = path.file_stem().is_some_and(|stem| *stem == *consent.fingerprint);
        named.then_some(consent)
    }

    /// Returns whether the folder exists. It must be a real folder that other users cannot write to.
    fn is_there(&self) -> Result<bool, LedgerError> {
        let path = self.0.clone();
        let found = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(LedgerError::Io { path, error }),
            Ok(found) => found,
        };
        if found.is_symlink() {
            Err(LedgerError::Unsafe { path, reason: "it is a link" })
        } else if !found.is_dir() {
            Err(LedgerError::Unsafe { path, reason: "it is not a folder" })
        } else if is_open_to_others(&found) {
            Err(LedgerError::Unsafe { path, reason: "other users can write to it" })
        } else {
            Ok(true)
        }
    }

    fn make(&self) -> Result<(), LedgerError> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.0).map_err(|error| LedgerError::Io { path: self.0.clone(), error })
    }
}

#[cfg(unix)]
fn is_open_to_others(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    found.permissions().mode() & 0o022 != 0
}

#[cfg(not(unix))]
fn is_open_to_others(_: &fs::Metadata) -> bool {
    false
}

//! What the user agreed to, kept in a folder of their own: one file for each consent.
//!
//! One file each, named by its fingerprint, so that two programs which write at once lose nothing
//! and nothing is ever rewritten.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::store;

/// The folder within the user's own.
const FOLDER: &str = "trusted";

/// Consents are a few lines; what is longer is none.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// One consent, as it is shown to people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Consent {
    /// What it is for, by its fingerprint.
    pub fingerprint: String,
    /// The provider's name.
    pub provider: String,
    /// The project's folder.
    pub project: String,
    /// What runs there.
    pub runs: String,
    /// When it was given, in UTC.
    pub at: String,
}

/// Why consents cannot be read or kept.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// Somebody else may write there, or it leads elsewhere.
    #[error("{}: {reason}, so your trust decisions cannot be stored there", .path.display())]
    Unsafe {
        /// Which file or folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The system refused.
    #[error("{}: cannot be used: {error}", .path.display())]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// Where consents are kept, which is never within the project that they are about.
#[derive(Clone, Debug)]
pub(crate) struct Ledger(PathBuf);

impl Ledger {
    /// The one in a folder of the user's own, which need not exist.
    pub(crate) fn within(folder: &Path) -> Self {
        Self(folder.join(FOLDER))
    }

    /// Another folder of the user's own, next to it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.0.with_file_name(name)
    }

    /// Whether the folder came with a project, or could have, so that what it says proves nothing.
    pub(crate) fn is_within(&self, project: &Path) -> bool {
        let leads = self.0.ancestors().find_map(|folder| folder.canonicalize().ok());
        self.0.starts_with(project) || leads.is_some_and(|leads| leads.starts_with(project))
    }

    /// Whether what has this fingerprint was agreed to. A file that is not as it was written is no consent.
    ///
    /// # Errors
    ///
    /// [`LedgerError`] when the folder is a link, may be written by others, or cannot be read.
    pub(crate) fn has(&self, fingerprint: &str) -> Result<bool, LedgerError> {
        Ok(self.is_there()? && self.read(&self.path(fingerprint)).is_some())
    }

    /// Keeps a consent, whole or not at all.
    ///
    /// # Errors
    ///
    /// As [`Ledger::has`], and when it cannot be written.
    pub(crate) fn keep(&self, consent: &Consent) -> Result<(), LedgerError> {
        if !self.is_there()? {
            self.make()?;
        }
        let text = serde_json::to_string_pretty(consent).unwrap_or_default();
        let path = self.path(&consent.fingerprint);
        store::replace_private(&path, &format!("{text}\n"))
            .map_err(|error| LedgerError::Io { path, error })
    }

    /// All that was agreed to, by project and name.
    ///
    /// # Errors
    ///
    /// As [`Ledger::has`].
    pub(crate) fn list(&self) -> Result<Vec<Consent>, LedgerError> {
        let mut consents: Vec<Consent> =
            self.files()?.iter().filter_map(|path| self.read(path)).collect();
        consents.sort_by(|a, b| (&a.project, &a.provider).cmp(&(&b.project, &b.provider)));
        Ok(consents)
    }

    /// Takes back all consents for a project's folder; gives them.
    ///
    /// # Errors
    ///
    /// As [`Ledger::has`], and when one cannot be removed.
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

    /// A fingerprint is digits only, so that nothing else is ever named.
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

    /// The consent in a file of its own name; a link's is somebody else's.
    fn read(&self, path: &Path) -> Option<Consent> {
        let found = fs::symlink_metadata(path).ok()?;
        if !found.is_file() || found.len() > MOST_BYTES || is_open_to_others(&found) {
            return None;
        }
        let consent: Consent = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        let named = path.file_stem().is_some_and(|stem| *stem == *consent.fingerprint);
        named.then_some(consent)
    }

    /// Whether there is such a folder, which has to be a real one and nobody else's to write.
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

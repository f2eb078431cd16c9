//! The user's trust decisions, stored in a folder of the user's own, and the fingerprints that identify trusted
//! definitions: hashes of everything that decides what a provider runs.
//!
//! Each decision is one file, named by its fingerprint, so that two programs that write at once lose nothing and no
//! file is ever rewritten.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead as _, Read as _};
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::digest::{hex, sha256_hex};
use crate::platform::{create_private_folders, insist_owned, is_owned, is_writable_by_others};
use crate::provider::{Environment, Layer, RegistryEntry};
use crate::store;
use crate::view::Consent;

/// The name of the folder within the user's own folder.
const FOLDER: &str = "trusted";

/// The maximum size of a file. A trust decision has a few lines; a longer file is invalid.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// The reason why trust decisions cannot be read or stored.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// It belongs to another user, other users may write there, or the path is a link.
    #[error("{}: {reason}, so your trust decisions cannot be stored there", .path.display())]
    Unsafe {
        /// The file or folder.
        path: PathBuf,
        /// The problem with it.
        reason: String,
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

    /// Reads the trust decision in a file. Its name must match its fingerprint, and it must be the user's own file: no
    /// link, which could lead to another person's file.
    fn read(&self, path: &Path) -> Option<Consent> {
        let found = fs::symlink_metadata(path).ok()?;
        if !found.is_file() || found.len() > MOST_BYTES {
            return None;
        }
        if !is_owned(&found) || is_writable_by_others(&found) {
            return None;
        }
        let consent: Consent = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        let named = path.file_stem().is_some_and(|stem| *stem == *consent.fingerprint);
        named.then_some(consent)
    }

    /// Returns whether the folder exists. It must be a real folder of the user's own, which other users can neither
    /// write to nor replace.
    fn is_there(&self) -> Result<bool, LedgerError> {
        let path = self.0.clone();
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(LedgerError::Io { path, error }),
            Ok(_) => {}
        }
        match insist_owned(&path) {
            Err(error) => Err(LedgerError::Unsafe { path, reason: error.to_string() }),
            Ok(found) if is_writable_by_others(&found) => {
                Err(LedgerError::Unsafe { path, reason: "other users can write to it".to_owned() })
            }
            Ok(_) => Ok(true),
        }
    }

    fn make(&self) -> Result<(), LedgerError> {
        create_private_folders(&self.0)
            .map_err(|error| LedgerError::Io { path: self.0.clone(), error })
    }
}

/// The maximum number of bytes of a file that are hashed. For a longer file its beginning and its length count, so that
/// hashing never takes long.
const MOST_HASHED_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of words of a definition that are checked as file names, besides whole arguments. Real
/// definitions have fewer.
const MOST_PARTS: usize = 10_000;

/// A hash of a definition, of the project's files that it names, and of the project's path.
///
/// The path is included because the same words have another meaning elsewhere: a trusted folder's `./model.sh` is not
/// the `./model.sh` of a clone that copies the definition word by word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fingerprint(String);

impl Fingerprint {
    pub(super) fn of(
        entry: &RegistryEntry,
        project: &Path,
        files: &[NamedFile],
        script: Option<&str>,
    ) -> Self {
        let replaces: Vec<(&str, bool)> = entry
            .replaces
            .iter()
            .map(|replaced| (replaced.name.as_str(), replaced.origin == Layer::BuiltIn))
            .collect();
        // Each file is hashed once, however many names it has, so that the definition of a cloned project cannot make
        // hashing take minutes.
        let targets: BTreeSet<&PathBuf> = files.iter().map(|file| &file.target).collect();
        let contents: Vec<String> = targets.into_iter().map(|path| hash_of_file(path)).collect();
        // The debug form of a path is unambiguous, even if the path is not valid text.
        let files: Vec<String> =
            files.iter().map(|file| format!("{:?} {:?}", file.path, file.target)).collect();
        let content = json!({
            "version": 1,
            "project": format!("{project:?}"),
            "definition": entry.definition,
            "replaces": replaces,
            "files": files,
            "contents": contents,
            "script": script,
        });
        Self(sha256_hex(content.to_string()))
    }

    /// Returns the 64 hexadecimal digits.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file within the project that a definition names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NamedFile {
    /// The path in the definition.
    pub path: PathBuf,
    /// The target of that path: a link in a project may lead anywhere, and may change later.
    pub target: PathBuf,
}

/// Returns the files within the project that a definition names: its program, and every text in it that is the path of
/// a file.
pub(super) fn fingerprinted_files(
    entry: &RegistryEntry,
    env: &Environment,
    project: &Path,
) -> Vec<NamedFile> {
    let kind = &entry.definition.kind;
    let program = kind.program(env, entry.base(project));
    let texts = kind.texts(env);
    // `--require=./x.js`, `sh -c "./x.sh"` and lists of paths contain file names too.
    let parts = texts.iter().flat_map(|text| text.split(is_between)).take(MOST_PARTS);
    let named = texts.iter().map(String::as_str).chain(parts).filter(|text| !text.is_empty());
    let named: BTreeSet<PathBuf> =
        program.into_iter().chain(named.map(|text| project.join(text))).collect();
    let found = named.into_iter().filter_map(|path| {
        let target = path.canonicalize().ok().filter(|target| target.is_file())?;
        let inside = path.starts_with(project) || target.starts_with(project);
        inside.then_some(NamedFile { path, target })
    });
    found.collect()
}

/// Returns whether a character can come before or after a path.
fn is_between(c: char) -> bool {
    c.is_whitespace() || "=:,;'\"()|&<>`".contains(c)
}

fn hash_of_file(path: &Path) -> String {
    let hash = || -> io::Result<String> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut hash = Sha256::new();
        let mut content = io::BufReader::new(file.take(MOST_HASHED_BYTES));
        loop {
            let piece = content.fill_buf()?;
            if piece.is_empty() {
                break;
            }
            hash.update(piece);
            let read = piece.len();
            content.consume(read);
        }
        Ok(format!("{length} {}", hex(hash.finalize())))
    };
    // An unreadable file has no content to trust, so the kind of the error is hashed in its place.
    hash().unwrap_or_else(|error| error.kind().to_string())
}

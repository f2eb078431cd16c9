//! Fingerprints, which identify trusted definitions: hashes of everything that decides what a provider runs.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::digest::{hex, sha256_hex};
use crate::provider::{Environment, Layer, RegistryEntry};

/// The maximum number of bytes of a file that are hashed. For a longer file its beginning and its length count, so that
/// hashing never takes long.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

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
pub(super) fn files(entry: &RegistryEntry, env: &Environment, project: &Path) -> Vec<NamedFile> {
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
        io::copy(&mut file.take(MOST_BYTES), &mut hash)?;
        Ok(format!("{length} {}", hex(hash.finalize())))
    };
    // An unreadable file has no content to trust, so the kind of the error is hashed in its place.
    hash().unwrap_or_else(|error| error.kind().to_string())
}

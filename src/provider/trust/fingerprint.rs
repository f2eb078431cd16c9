//! What consent is remembered by: a hash of everything that decides what would be run.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::digest::{hex, sha256_hex};
use crate::provider::{Entry, Environment, Layer};

/// Of a longer file the beginning and the length count: nobody shall have to wait for a hash.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Words of a definition that are looked for as files beside whole arguments; people write fewer.
const MOST_PARTS: usize = 10_000;

/// A hash of a definition, of the files of the project that it names, and of the project's place.
///
/// The place counts because the same words mean other things elsewhere: `./model.sh` of a folder
/// that was trusted is not that of a clone which copies its definition word by word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fingerprint(String);

impl Fingerprint {
    pub(super) fn of(
        entry: &Entry,
        project: &Path,
        files: &[NamedFile],
        script: Option<&str>,
    ) -> Self {
        let replaces: Vec<(&str, bool)> = entry
            .replaces
            .iter()
            .map(|replaced| (replaced.name.as_str(), replaced.origin == Layer::BuiltIn))
            .collect();
        // Each once, by however many names: what a clone says shall not cost minutes.
        let targets: BTreeSet<&PathBuf> = files.iter().map(|file| &file.target).collect();
        let contents: Vec<String> = targets.into_iter().map(|path| hash_of_file(path)).collect();
        // The debug form of a path keeps apart what no text could.
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

    /// 64 hexadecimal digits.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file that a definition names within the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NamedFile {
    /// As it is named.
    pub path: PathBuf,
    /// Where that leads: a link of the project may lead anywhere, and elsewhere tomorrow.
    pub target: PathBuf,
}

/// The files within the project that a definition names: its program, and everything in it that is
/// the path of one.
pub(super) fn files(entry: &Entry, env: &Environment, project: &Path) -> Vec<NamedFile> {
    let kind = &entry.definition.kind;
    let program = kind.program(env, entry.base(project));
    let texts = kind.texts(env);
    // `--require=./x.js`, `sh -c "./x.sh"` and lists of paths name files too.
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

/// Whether a character may stand before or behind a path.
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
    // What cannot be read has no content that one could agree to, but a name.
    hash().unwrap_or_else(|error| error.kind().to_string())
}

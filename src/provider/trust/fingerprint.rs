//! What consent is remembered by: a hash of everything that decides what would be run.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::provider::availability::find_program;
use crate::provider::command::words;
use crate::provider::{Entry, Environment, Kind, Layer};

/// Of a longer file the beginning and the length count: nobody shall have to wait for a hash.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A hash of a definition, of the files of the project that it names, and of the project's place.
///
/// The place counts because the same words mean other things elsewhere: `./model.sh` of a folder
/// that was trusted is not that of a clone which copies its definition word by word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint(String);

impl Fingerprint {
    pub(super) fn of(
        entry: &Entry,
        project: &Path,
        files: &[PathBuf],
        script: Option<&str>,
    ) -> Self {
        let replaces: Vec<(&str, bool)> = entry
            .replaces
            .iter()
            .map(|replaced| (replaced.name.as_str(), replaced.origin == Layer::BuiltIn))
            .collect();
        // The debug form of a path keeps apart what no text could.
        let files: Vec<(String, String)> =
            files.iter().map(|path| (format!("{path:?}"), hash_of_file(path))).collect();
        let content = json!({
            "version": 1,
            "project": format!("{project:?}"),
            "definition": entry.definition,
            "replaces": replaces,
            "files": files,
            "script": script,
        });
        Self(hex(Sha256::digest(content.to_string())))
    }

    /// 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The files within the project that a definition names: its program, and every word of its
/// command and value of its environment that is the path of one.
pub(super) fn files(entry: &Entry, env: &Environment, project: &Path) -> Vec<PathBuf> {
    let definition = &entry.definition;
    let env = env.clone().with(&definition.env);
    let mut named: Vec<PathBuf> =
        definition.env.values().map(|value| project.join(value)).collect();
    if let Kind::Command(line) = &definition.kind {
        let words: Vec<OsString> = words(line, &env).unwrap_or_default();
        if let Some(first) = words.first() {
            named.extend(find_program(&first.to_string_lossy(), entry.base(project), &env));
        }
        named.extend(words.iter().map(|word| project.join(word)));
    }
    let inside: BTreeSet<PathBuf> = named
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .filter(|path| path.starts_with(project) && path.is_file())
        .collect();
    inside.into_iter().collect()
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

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

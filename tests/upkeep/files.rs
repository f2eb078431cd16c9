//! The files of this repository, for checks that hold files of a kind, wherever they are.

use std::path::Path;

use regex::Regex;
use serde_json::Value;

/// A text file of the repository.
#[derive(Debug)]
pub(super) struct File {
    /// The path from the repository's root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

pub(super) fn root() -> &'static Path {
    crate::root()
}

/// Reads one file; fails if it is not there.
pub(super) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns all text files, sorted by path.
pub(super) fn files() -> Vec<File> {
    let text = |path: &String| {
        let text = std::fs::read_to_string(root().join(path)).ok()?;
        Some(File { path: path.clone(), text })
    };
    crate::tracked::files().iter().filter_map(text).collect()
}

impl File {
    /// Returns the last part of the path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn is_in(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }

    /// Reads the text as JSON.
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{}: {error}", self.path))
    }
}

/// Returns a value of the table `[package]` in Cargo.toml.
pub(super) fn package(key: &str) -> String {
    let manifest = read("Cargo.toml");
    let table = manifest.split("\n[").next().unwrap();
    first(&format!(r#"(?m)^{key} = "([^"]+)""#), table)
        .unwrap_or_else(|| panic!("Cargo.toml has no `{key}` in [package]"))
}

/// Returns the first group of the first match.
pub(super) fn first(pattern: &str, text: &str) -> Option<String> {
    Regex::new(pattern).unwrap().captures(text).map(|found| found[1].to_owned())
}

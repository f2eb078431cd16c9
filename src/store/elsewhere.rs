//! Which commits hold the blocks that a file does not.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use super::block::{Key, entry_key};
use super::git::{Commit, Repository};
use super::journal::Record;
use super::sidecar::Sidecar;
use crate::transcript::parse;

/// Where git knows missing blocks from.
#[derive(Default)]
pub(super) struct Elsewhere {
    commits: HashMap<Key, String>,
}

impl Elsewhere {
    pub(super) fn look(sidecar: &Sidecar, missing: &[Record]) -> Self {
        Self::ask(sidecar, missing).unwrap_or_default()
    }

    fn ask(sidecar: &Sidecar, missing: &[Record]) -> Option<Self> {
        let repository = Repository::around(sidecar.folder.parent()?)?;
        let paths = paths(&repository, sidecar, missing);
        let wanted: HashSet<Key> = missing.iter().map(Record::key).collect();
        let head: Vec<String> = paths.iter().map(|path| format!("HEAD:{path}")).collect();
        let mut in_head = HashSet::new();
        let look = |_, text: Option<String>| {
            in_head.extend(keys(&text.unwrap_or_default()).filter(|key| wanted.contains(key)));
            ControlFlow::Continue(())
        };
        repository.contents(&head, look).ok()?;
        let mut wanted: HashSet<Key> = wanted.difference(&in_head).cloned().collect();
        let mut found = Self::default();
        if wanted.is_empty() {
            return Some(found);
        }
        let commits = repository.commits_everywhere(&paths).ok()?;
        let objects: Vec<String> = commits
            .iter()
            .flat_map(|commit| paths.iter().map(move |path| format!("{}:{path}", commit.0)))
            .collect();
        let mut seen = HashSet::new();
        let versions: Vec<(String, &Commit)> = repository
            .hashes(&objects)
            .ok()?
            .into_iter()
            .enumerate()
            .filter_map(|(index, hash)| Some((hash?, &commits[index / paths.len()])))
            .filter(|(hash, _)| seen.insert(hash.clone()))
            .collect();
        let hashes: Vec<String> = versions.iter().map(|(hash, _)| hash.clone()).collect();
        let look = |index: usize, text: Option<String>| {
            for key in keys(&text.unwrap_or_default()).filter(|key| wanted.remove(key)) {
                found.commits.insert(key, versions[index].1.0.clone());
            }
            if wanted.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        repository.contents(&hashes, look).ok()?;
        Some(found)
    }

    pub(super) fn commit_with(&self, record: &Record) -> Option<String> {
        self.commits.get(&record.key()).cloned()
    }
}

fn keys(text: &str) -> impl Iterator<Item = Key> {
    parse(text).entries.into_iter().map(move |entry| entry_key(text, &entry))
}

/// The file's path in the tree, and those that it had when the missing blocks were written.
fn paths(repository: &Repository, sidecar: &Sidecar, missing: &[Record]) -> Vec<String> {
    let former = missing.iter().filter_map(|record| Path::new(&record.path).file_name());
    let names = std::iter::once(sidecar.name().as_os_str()).chain(former);
    let mut paths: Vec<String> = Vec::new();
    for name in names.filter_map(|name| name.to_str()) {
        let path = repository.path_of(name);
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

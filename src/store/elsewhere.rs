//! Which commits hold the blocks that a file does not.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use super::block::{Key, entry_key};
use super::git::{Commit, Repository};
use super::journal::Record;
use super::sidecar::Sidecar;
use crate::transcript::parse;

/// How often each block stands in a text.
pub(super) type Counts = HashMap<Key, usize>;

/// Where git knows missing blocks from.
#[derive(Default)]
pub(super) struct Elsewhere {
    /// The commit of each missing block, in their order; none: `HEAD` has it, or nobody.
    commits: Vec<Option<String>>,
}

impl Elsewhere {
    /// Looks for missing blocks; `standing` is what the file holds.
    pub(super) fn look(sidecar: &Sidecar, missing: &[Record], standing: &Counts) -> Self {
        Self::ask(sidecar, missing, standing).unwrap_or_default()
    }

    fn ask(sidecar: &Sidecar, missing: &[Record], standing: &Counts) -> Option<Self> {
        let repository = Repository::around(sidecar.folder.parent()?)?;
        let paths = paths(&repository, sidecar, missing);
        let mut wanted: Vec<Wanted> = missing
            .iter()
            .enumerate()
            .map(|(index, record)| Wanted::new(index, record, standing))
            .collect();
        let head: Vec<String> = paths.iter().map(|path| format!("HEAD:{path}")).collect();
        repository
            .contents(&head, |_, text| {
                let version = Version::read(text.as_deref().unwrap_or_default());
                wanted.retain(|wanted| !version.holds_more_of(wanted));
                ControlFlow::Continue(())
            })
            .ok()?;
        let mut found = Self { commits: vec![None; missing.len()] };
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
            let version = Version::read(text.as_deref().unwrap_or_default());
            wanted.retain(|wanted| {
                let holds = version.holds_more_of(wanted) || version.holds_in_place(wanted);
                if holds {
                    found.commits[wanted.index] = Some(versions[index].1.0.clone());
                }
                !holds
            });
            if wanted.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        repository.contents(&hashes, look).ok()?;
        Some(found)
    }

    /// The commit that holds a missing block, by its place among them.
    pub(super) fn commit_with(&self, index: usize) -> Option<String> {
        self.commits.get(index)?.clone()
    }
}

/// A missing block.
struct Wanted<'a> {
    index: usize,
    key: Key,
    /// The hash of the block before it when it was written.
    after: Option<&'a str>,
    /// Equal blocks that the file does hold: bare control lines, or a person's "Agreed." on two branches.
    standing: usize,
}

impl<'a> Wanted<'a> {
    fn new(index: usize, record: &'a Record, standing: &Counts) -> Self {
        let key = record.key();
        let standing = standing.get(&key).copied().unwrap_or(0);
        Self { index, key, after: record.after.as_deref(), standing }
    }
}

/// The blocks of a committed version, in order.
struct Version(Vec<Key>);

impl Version {
    fn read(text: &str) -> Self {
        Self(parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect())
    }

    /// Whether it holds a block more often than the file does.
    fn holds_more_of(&self, wanted: &Wanted<'_>) -> bool {
        self.0.iter().filter(|key| **key == wanted.key).nth(wanted.standing).is_some()
    }

    /// Whether it holds a block where it was written.
    fn holds_in_place(&self, wanted: &Wanted<'_>) -> bool {
        let places = (0..self.0.len()).filter(|&at| self.0[at] == wanted.key);
        let mut befores = places.map(|at| at.checked_sub(1).map(|before| self.0[before].hash()));
        befores.any(|before| before.as_deref() == wanted.after)
    }
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

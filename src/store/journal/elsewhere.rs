//! Which missing blocks stand in commits that a file never came from: on another branch, in a stash, in a reflog.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use super::records::Record;
use crate::store::git::Repository;
use crate::store::merge::{Key, entry_key};
use crate::store::sidecar::Sidecar;
use crate::transcript::parse;

/// How often each block stands in a text.
pub(super) type Counts = HashMap<Key, usize>;

/// Where git knows missing blocks from.
#[derive(Default)]
pub(super) struct Elsewhere {
    /// The commit of each missing block, in their order; none: the history of `HEAD` lost it, or nobody has it.
    commits: Vec<Option<String>>,
    /// Whether a commit of the history of `HEAD` held it.
    committed: Vec<bool>,
    /// The file is as the last commit has it, and holds nothing else but what was recorded since.
    is_clean: bool,
}

impl Elsewhere {
    /// Looks for missing blocks; `standing` is what the file holds.
    pub(super) fn look(
        sidecar: &Sidecar,
        missing: &[Record],
        standing: &Counts,
        recorded: &HashSet<Key>,
    ) -> Self {
        Self::ask(sidecar, missing, standing, recorded).unwrap_or_default()
    }

    fn ask(
        sidecar: &Sidecar,
        missing: &[Record],
        standing: &Counts,
        recorded: &HashSet<Key>,
    ) -> Option<Self> {
        let repository = Repository::around(sidecar.folder.parent()?)?;
        let paths = paths(&repository, sidecar, missing);
        let mut wanted = Wanted::all(missing, standing);
        let mut found = Self {
            commits: vec![None; missing.len()],
            committed: vec![false; missing.len()],
            is_clean: false,
        };
        // Most losses are not committed yet; for them one commit is enough.
        let head: Vec<String> = paths.iter().map(|path| format!("HEAD:{path}")).collect();
        repository
            .contents(&head, |_, text| {
                let text = text.as_deref().unwrap_or_default();
                found.is_clean |= !text.is_empty() && holds_no_more(standing, text, recorded);
                let version = Version::read(text, &wanted);
                wanted.retain(|wanted| {
                    let is_lost = version.is_proof_of_loss(wanted);
                    found.committed[wanted.index] |= is_lost;
                    !is_lost
                });
                ControlFlow::Continue(())
            })
            .ok()?;
        if wanted.is_empty() {
            return Some(found);
        }
        let versions = Committed::all(&repository, &paths)?;
        let hashes: Vec<String> = versions.iter().map(|version| version.hash.clone()).collect();
        let look = |index: usize, text: Option<String>| {
            let version = Version::read(text.as_deref().unwrap_or_default(), &wanted);
            let Committed { commit, side, .. } = &versions[index];
            wanted.retain(|wanted| {
                let known = &mut found.commits[wanted.index];
                match side {
                    Side::History if version.is_proof_of_loss(wanted) => {
                        *known = None;
                        found.committed[wanted.index] = true;
                    }
                    // Never beside the equal one that the file holds: a merge made them one.
                    Side::History => {
                        if version.holds_in_place(wanted) {
                            *known = Some(commit.clone());
                        }
                        return true;
                    }
                    Side::Beside if version.holds(wanted) => *known = Some(commit.clone()),
                    Side::Beside => return true,
                }
                false
            });
            if wanted.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        repository.contents(&hashes, look).ok()?;
        Some(found)
    }

    /// Whether git put an older version back over a block that no commit holds.
    pub(super) fn is_undone(&self, index: usize) -> bool {
        self.is_clean && self.committed.get(index) == Some(&false)
    }

    /// The commit that holds a missing block, by its place among them.
    pub(super) fn commit_with(&self, index: usize) -> Option<String> {
        self.commits.get(index)?.clone()
    }
}

/// Whether a file holds only what a commit holds and what was recorded. Handwriting means that an editor saved it, and then
/// what is missing is lost rather than undone.
fn holds_no_more(standing: &Counts, committed: &str, recorded: &HashSet<Key>) -> bool {
    let read = parse(committed);
    let held: HashSet<Key> = read.entries.iter().map(|entry| entry_key(committed, entry)).collect();
    held.iter().all(|key| standing.contains_key(key))
        && standing.keys().all(|key| held.contains(key) || recorded.contains(key))
}

/// Where a version stands, seen from `HEAD`.
#[derive(Clone, Copy)]
enum Side {
    /// In a commit that `HEAD` came from. Whatever it holds and the file does not was removed on the way here.
    History,
    /// Only in commits that `HEAD` did not come from.
    Beside,
}

/// A committed version of the file.
struct Committed {
    hash: String,
    commit: String,
    side: Side,
}

impl Committed {
    /// All versions, each once, those of the history first.
    fn all(repository: &Repository, paths: &[String]) -> Option<Vec<Self>> {
        let history = repository.commits_of_head(paths).ok()?;
        let beside = repository.commits_beside_head(paths).ok()?;
        let commits = history.into_iter().map(|commit| (commit, Side::History));
        let commits: Vec<(String, Side)> =
            commits.chain(beside.into_iter().map(|commit| (commit, Side::Beside))).collect();
        let objects: Vec<String> = commits
            .iter()
            .flat_map(|(commit, _)| paths.iter().map(move |path| format!("{commit}:{path}")))
            .collect();
        let mut seen = HashSet::new();
        let mut versions = Vec::new();
        for (index, hash) in repository.hashes(&objects).ok()?.into_iter().enumerate() {
            let (commit, side) = &commits[index / paths.len()];
            if let Some(hash) = hash.filter(|hash| seen.insert(hash.clone())) {
                versions.push(Self { hash, commit: commit.clone(), side: *side });
            }
        }
        Some(versions)
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
    /// No equal block is missing as well.
    alone: bool,
}

impl<'a> Wanted<'a> {
    fn all(missing: &'a [Record], standing: &Counts) -> Vec<Self> {
        let keys: Vec<Key> = missing.iter().map(Record::key).collect();
        let mut counts = Counts::new();
        keys.iter().for_each(|key| *counts.entry(key.clone()).or_default() += 1);
        let wanted = missing.iter().zip(keys).enumerate().map(|(index, (record, key))| Self {
            index,
            after: record.after.as_deref(),
            standing: standing.get(&key).copied().unwrap_or(0),
            alone: counts.get(&key) == Some(&1),
            key,
        });
        wanted.collect()
    }

    /// Whether a text with these lines may hold the block: it has the longest of its own, whatever ends them.
    fn may_stand_in(&self, lines: &HashSet<&str>) -> bool {
        let longest = self.key.as_str().lines().max_by_key(|line| line.len());
        longest.is_none_or(|line| lines.contains(line.trim_end()))
    }
}

/// The wanted blocks of a committed version.
#[derive(Default)]
struct Version {
    blocks: HashMap<Key, Held>,
}

/// One of them.
#[derive(Default)]
struct Held {
    /// How often it stands there.
    times: usize,
    /// Hashes of the blocks that it stands behind.
    befores: HashSet<Option<String>>,
}

impl Version {
    /// A text that has no line of any wanted block is not worth parsing: of a long history that is most of them.
    fn read(text: &str, wanted: &[Wanted<'_>]) -> Self {
        let lines: HashSet<&str> = text.lines().map(str::trim_end).collect();
        if !wanted.iter().any(|wanted| wanted.may_stand_in(&lines)) {
            return Self::default();
        }
        let known: HashSet<&Key> = wanted.iter().map(|wanted| &wanted.key).collect();
        let mut blocks: HashMap<Key, Held> = HashMap::new();
        let mut before: Option<Key> = None;
        for entry in &parse(text).entries {
            let key = entry_key(text, entry);
            if known.contains(&key) {
                let held = blocks.entry(key.clone()).or_default();
                held.times += 1;
                held.befores.insert(before.as_ref().map(Key::hash));
            }
            before = Some(key);
        }
        Self { blocks }
    }

    fn holds(&self, wanted: &Wanted<'_>) -> bool {
        self.holds_more_of(wanted) || self.holds_in_place(wanted)
    }

    /// Whether the file, which came from this version, lost the block. Of equal ones that are missing only that which
    /// stood there was lost; another may stand on a branch.
    fn is_proof_of_loss(&self, wanted: &Wanted<'_>) -> bool {
        self.holds_more_of(wanted) && (wanted.alone || self.holds_in_place(wanted))
    }

    /// Whether it holds a block more often than the file does.
    fn holds_more_of(&self, wanted: &Wanted<'_>) -> bool {
        self.blocks.get(&wanted.key).is_some_and(|held| held.times > wanted.standing)
    }

    /// Whether it holds a block where it was written.
    fn holds_in_place(&self, wanted: &Wanted<'_>) -> bool {
        let held = self.blocks.get(&wanted.key);
        held.is_some_and(|held| held.befores.contains(&wanted.after.map(str::to_owned)))
    }
}

/// The file's path in the tree, and those that it had when the missing blocks were written.
fn paths(repository: &Repository, sidecar: &Sidecar, missing: &[Record]) -> Vec<String> {
    let former = missing.iter().filter_map(|record| Path::new(&record.path).file_name());
    let names = std::iter::once(sidecar.name().as_os_str()).chain(former);
    let (mut paths, mut known) = (Vec::new(), HashSet::new());
    for name in names.filter_map(|name| name.to_str()) {
        if known.insert(name) {
            paths.push(repository.path_of(name));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BLOCKS: [&str; 6] = [
        "Name: Rob\n\nAgreed.",
        "Name: Ann\n\nAgreed.",
        "Name: Rob\n\nAgreed, but a longer line.",
        "<!-- VOTE-RESET -->",
        "Name: Rob\n\nVOTE: READY",
        "Name: Ann\n\nVOTE: READY\n\nmore",
    ];

    fn file(blocks: &[usize], end: &str) -> String {
        let blocks = blocks.iter().map(|at| format!("---\n\n{}\n\n", BLOCKS[*at]));
        format!("# T\n\n{}---\n", blocks.collect::<String>()).replace('\n', end)
    }

    fn keys(text: &str) -> Vec<Key> {
        parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect()
    }

    fn blocks() -> impl Strategy<Value = Vec<usize>> {
        prop::collection::vec(0..BLOCKS.len(), 0..8)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_counted_once_is_what_going_through_a_version_finds(
            standing in blocks(),
            missing in blocks(),
            version in blocks(),
            end in prop::sample::select(&["\n", "\r\n"][..]),
        ) {
            let mut counts = Counts::new();
            for key in keys(&file(&standing, "\n")) {
                *counts.entry(key).or_default() += 1;
            }
            let mut after = None;
            let missing: Vec<Record> = missing.iter().map(|at| {
                let block = format!("{}\n\n", BLOCKS[*at]);
                let record = Record::new(Path::new("a.md"), &block, after.take(), None, None);
                after = Some(record.key().hash());
                record
            }).collect();
            let wanted = Wanted::all(&missing, &counts);
            let text = file(&version, end);
            let (version, held) = (Version::read(&text, &wanted), keys(&text));
            for wanted in &wanted {
                let more = held.iter().filter(|key| **key == wanted.key).count() > wanted.standing;
                let in_place = (0..held.len()).filter(|&at| held[at] == wanted.key).any(|at| {
                    at.checked_sub(1).map(|before| held[before].hash()).as_deref() == wanted.after
                });
                let alone = missing.iter().filter(|record| record.key() == wanted.key).count() == 1;
                prop_assert_eq!(version.holds_in_place(wanted), in_place);
                prop_assert_eq!(version.holds(wanted), more || in_place);
                prop_assert_eq!(version.is_proof_of_loss(wanted), more && (alone || in_place));
            }
        }
    }
}

//! Finds missing blocks in commits that are not in the file's history: on another branch, in a stash, in a reflog.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use super::records::JournalRecord;
use crate::store::git::Repository;
use crate::store::merge::{BlockKey, entry_key};
use crate::store::private_files::Sidecar;
use crate::transcript::parse;

/// Number of copies of each block in a text.
pub(super) type Counts = HashMap<BlockKey, usize>;

/// Places of missing blocks in git.
#[derive(Default)]
pub(super) struct Elsewhere {
    /// The commit that contains each missing block, in order. `None` if the history of `HEAD` lost it, or if no commit
    /// has it.
    commits: Vec<Option<String>>,
    /// True for each missing block that a commit of `HEAD`'s history contained.
    committed: Vec<bool>,
    /// True if the file equals the last commit, apart from blocks recorded since.
    is_clean: bool,
}

impl Elsewhere {
    /// Searches for missing blocks; `standing` counts the blocks of the file.
    pub(super) fn look(
        sidecar: &Sidecar,
        missing: &[JournalRecord],
        standing: &Counts,
        recorded: &HashSet<BlockKey>,
    ) -> Self {
        Self::ask(sidecar, missing, standing, recorded).unwrap_or_default()
    }

    fn ask(
        sidecar: &Sidecar,
        missing: &[JournalRecord],
        standing: &Counts,
        recorded: &HashSet<BlockKey>,
    ) -> Option<Self> {
        let repository = Repository::find_repository(sidecar.folder.parent()?)?;
        let paths = paths(&repository, sidecar, missing);
        let mut wanted = WantedBlock::all(missing, standing);
        let mut found = Self {
            commits: vec![None; missing.len()],
            committed: vec![false; missing.len()],
            is_clean: false,
        };
        // Most lost blocks are not committed yet, so the last commit alone answers the question.
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
        let versions = CommittedVersion::all(&repository, &paths)?;
        let hashes: Vec<String> = versions.iter().map(|version| version.hash.clone()).collect();
        let look = |index: usize, text: Option<String>| {
            let version = Version::read(text.as_deref().unwrap_or_default(), &wanted);
            let CommittedVersion { commit, side, .. } = &versions[index];
            wanted.retain(|wanted| {
                let known = &mut found.commits[wanted.index];
                match side {
                    VersionSide::History if version.is_proof_of_loss(wanted) => {
                        *known = None;
                        found.committed[wanted.index] = true;
                    }
                    // Equal blocks do not count: a merge may have joined them into the one in the file.
                    VersionSide::History => {
                        if version.holds_in_place(wanted) {
                            *known = Some(commit.clone());
                        }
                        return true;
                    }
                    VersionSide::Beside if version.holds(wanted) => *known = Some(commit.clone()),
                    VersionSide::Beside => return true,
                }
                false
            });
            if wanted.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        repository.contents(&hashes, look).ok()?;
        Some(found)
    }

    /// Returns true if git restored an older version over a block that no commit contains.
    pub(super) fn is_undone(&self, index: usize) -> bool {
        self.is_clean && self.committed.get(index) == Some(&false)
    }

    /// Returns the commit that contains the missing block with this index.
    pub(super) fn commit_with(&self, index: usize) -> Option<String> {
        self.commits.get(index)?.clone()
    }
}

/// Returns true if a file contains only committed and recorded blocks. Other text shows that an editor saved the file;
/// then missing blocks are lost and not undone by git.
fn holds_no_more(standing: &Counts, committed: &str, recorded: &HashSet<BlockKey>) -> bool {
    let read = parse(committed);
    let held: HashSet<BlockKey> =
        read.entries.iter().map(|entry| entry_key(committed, entry)).collect();
    held.iter().all(|key| standing.contains_key(key))
        && standing.keys().all(|key| held.contains(key) || recorded.contains(key))
}

/// The position of a version relative to `HEAD`.
#[derive(Clone, Copy)]
enum VersionSide {
    /// Its commit is reachable from `HEAD`. A block of this version that the file lacks was removed later.
    History,
    /// Only commits that are not reachable from `HEAD` have this version.
    Beside,
}

/// A committed version of the file.
struct CommittedVersion {
    hash: String,
    commit: String,
    side: VersionSide,
}

impl CommittedVersion {
    /// Returns all versions, each once, those of the history first.
    fn all(repository: &Repository, paths: &[String]) -> Option<Vec<Self>> {
        let history = repository.commits_of_head(paths).ok()?;
        let beside = repository.commits_beside_head(paths).ok()?;
        let commits = history.into_iter().map(|commit| (commit, VersionSide::History));
        let commits: Vec<(String, VersionSide)> =
            commits.chain(beside.into_iter().map(|commit| (commit, VersionSide::Beside))).collect();
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
struct WantedBlock<'a> {
    index: usize,
    key: BlockKey,
    /// The hash of the block before it at the time of writing.
    after: Option<&'a str>,
    /// Number of equal blocks in the file, such as control lines, or a person's "Agreed." on two branches.
    standing: usize,
    /// True if no equal block is missing as well.
    alone: bool,
}

impl<'a> WantedBlock<'a> {
    fn all(missing: &'a [JournalRecord], standing: &Counts) -> Vec<Self> {
        let keys: Vec<BlockKey> = missing.iter().map(JournalRecord::key).collect();
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

    /// Returns true if a text with these lines may contain the block: it has the block's longest line, with any line
    /// end.
    fn may_stand_in(&self, lines: &HashSet<&str>) -> bool {
        let longest = self.key.as_str().lines().max_by_key(|line| line.len());
        longest.is_none_or(|line| lines.contains(line.trim_end()))
    }
}

/// The missing blocks that a committed version contains.
#[derive(Default)]
struct Version {
    blocks: HashMap<BlockKey, Held>,
}

/// The copies of one missing block in a version.
#[derive(Default)]
struct Held {
    /// Number of copies.
    times: usize,
    /// Hashes of the blocks before the copies.
    befores: HashSet<Option<String>>,
}

impl Version {
    /// Parses a text, unless it has no line of any missing block. That saves most of the work in a long history.
    fn read(text: &str, wanted: &[WantedBlock<'_>]) -> Self {
        let lines: HashSet<&str> = text.lines().map(str::trim_end).collect();
        if !wanted.iter().any(|wanted| wanted.may_stand_in(&lines)) {
            return Self::default();
        }
        let known: HashSet<&BlockKey> = wanted.iter().map(|wanted| &wanted.key).collect();
        let mut blocks: HashMap<BlockKey, Held> = HashMap::new();
        let mut before: Option<BlockKey> = None;
        for entry in &parse(text).entries {
            let key = entry_key(text, entry);
            if known.contains(&key) {
                let held = blocks.entry(key.clone()).or_default();
                held.times += 1;
                held.befores.insert(before.as_ref().map(BlockKey::hash));
            }
            before = Some(key);
        }
        Self { blocks }
    }

    fn holds(&self, wanted: &WantedBlock<'_>) -> bool {
        self.holds_more_of(wanted) || self.holds_in_place(wanted)
    }

    /// Returns true if this version proves that the file lost the block later. Of several equal missing blocks, only
    /// one at the place in this version is proven lost; another one may be on a branch.
    fn is_proof_of_loss(&self, wanted: &WantedBlock<'_>) -> bool {
        self.holds_more_of(wanted) && (wanted.alone || self.holds_in_place(wanted))
    }

    /// Returns true if this version contains more copies of a block than the file.
    fn holds_more_of(&self, wanted: &WantedBlock<'_>) -> bool {
        self.blocks.get(&wanted.key).is_some_and(|held| held.times > wanted.standing)
    }

    /// Returns true if this version contains a block at its original place.
    fn holds_in_place(&self, wanted: &WantedBlock<'_>) -> bool {
        let held = self.blocks.get(&wanted.key);
        held.is_some_and(|held| held.befores.contains(&wanted.after.map(str::to_owned)))
    }
}

/// Returns the file's path in the tree, and its paths at the time when the missing blocks were written.
fn paths(repository: &Repository, sidecar: &Sidecar, missing: &[JournalRecord]) -> Vec<String> {
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

    fn keys(text: &str) -> Vec<BlockKey> {
        parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect()
    }

    fn blocks() -> impl Strategy<Value = Vec<usize>> {
        prop::collection::vec(0..BLOCKS.len(), 0..8)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn counted_blocks_equal_the_exhaustive_search(
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
            let missing: Vec<JournalRecord> = missing.iter().map(|at| {
                let block = format!("{}\n\n", BLOCKS[*at]);
                let record = JournalRecord::new(Path::new("a.md"), &block, after.take(), None, None);
                after = Some(record.key().hash());
                record
            }).collect();
            let wanted = WantedBlock::all(&missing, &counts);
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

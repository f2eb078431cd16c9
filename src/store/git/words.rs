//! The words of a range of commits: the blocks that each commit adds and loses, and what its message says.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;

use super::commits::{Commit, CommitIdentity};
use super::repository::{Repository, literal};
use super::trees::{FileMode, ObjectId, ObjectReader};
use crate::store::merge::{BlockText, FileVersions, VersionIndex};

/// One file that a commit changed, compared with one parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathChange {
    /// The path from the top of the tree.
    pub(crate) path: Vec<u8>,
    /// The kind and the object before; none if there was no file.
    pub(crate) old: Option<(FileMode, ObjectId)>,
    /// The kind and the object after; none if there is no file.
    pub(crate) new: Option<(FileMode, ObjectId)>,
}

/// A commit with its changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoggedCommit {
    pub(crate) commit: Commit,
    /// The changes against each parent from which it differs; one list for a commit without a parent.
    pub(crate) changes: Vec<Vec<PathChange>>,
}

/// The blocks of one text that a commit adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddedBlock {
    /// How often it adds them.
    pub(crate) count: usize,
    /// The topics of the files to which it adds them.
    pub(crate) topics: BTreeSet<BlockText>,
    /// The paths of these files.
    pub(crate) paths: BTreeSet<Vec<u8>>,
    /// Of lost blocks: true if a turn below one of them had seen it.
    pub(crate) is_seen: bool,
}

/// What a commit adds and loses.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommitWords {
    pub(crate) commit: Commit,
    pub(crate) added: HashMap<BlockText, AddedBlock>,
    /// The blocks that an ordinary commit loses, with the topics of the files that had them.
    pub(crate) lost: HashMap<BlockText, AddedBlock>,
    /// The pages that it changed: their paths, and their objects before and after.
    pub(crate) pages: Vec<ChangedPage>,
    /// The paths of the pages of the first parent whose topics it loses, also in a merge.
    pub(crate) lost_topics: BTreeSet<Vec<u8>>,
    /// True if an object of these pages is not here, so nobody knows all words.
    pub(crate) is_partial: bool,
}

/// A page that a commit changed, compared with its first parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedPage {
    pub(crate) path: Vec<u8>,
    pub(crate) old: Option<ObjectId>,
    pub(crate) new: Option<ObjectId>,
}

/// Returns true if a path may be a discussion's.
pub(crate) fn is_page(path: &[u8]) -> bool {
    path.len() > 3 && path[path.len() - 3..].eq_ignore_ascii_case(b".md")
}

impl Repository {
    /// Lists commits with their changes, oldest first. `revisions` are revisions and options of `git log`; without
    /// `paths`, all files count.
    pub(super) fn logged(
        &self,
        revisions: &[&str],
        paths: &[String],
    ) -> io::Result<Vec<LoggedCommit>> {
        let mut asked = vec![
            "-z",
            "--raw",
            "-m",
            "--no-abbrev",
            "--no-renames",
            "--topo-order",
            "--reverse",
            "--format=%x01%H%x00%P%x00%an%x00%ae%x00%cn%x00%ce%x00%B%x02",
        ];
        asked.extend(revisions);
        asked.push("--");
        let literal: Vec<String> = paths.iter().map(|path| literal(path)).collect();
        asked.extend(literal.iter().map(String::as_str));
        Ok(parse_log(&self.log_bytes(asked)?))
    }
}

fn parse_log(log: &[u8]) -> Vec<LoggedCommit> {
    let mut found: Vec<LoggedCommit> = Vec::new();
    let mut rest = log;
    while let Some(after) = rest.strip_prefix(b"\x01") {
        rest = after;
        // A message may contain any byte but NUL, so its end is the mark before the changes.
        let mut fields: Vec<String> = Vec::with_capacity(6);
        for _ in 0..6 {
            let Some(end) = memchr::memchr(0, rest) else { return found };
            fields.push(String::from_utf8_lossy(&rest[..end]).into_owned());
            rest = &rest[end + 1..];
        }
        let Some(end) = end_of_message(rest) else { return found };
        let message = String::from_utf8_lossy(&rest[..end]).into_owned();
        rest = &rest[end + 1..];
        let changes = take_changes(&mut rest);
        let mut fields = fields.into_iter();
        let mut next = || fields.next().unwrap_or_default();
        let id = next();
        let parents: Vec<String> = next().split_whitespace().map(str::to_owned).collect();
        let author = CommitIdentity { name: next(), email: next() };
        let committer = CommitIdentity { name: next(), email: next() };
        match found.last_mut().filter(|last| last.commit.id == id) {
            Some(last) => last.changes.push(changes),
            None => found.push(LoggedCommit {
                commit: Commit { id, parents, author, committer, message },
                changes: vec![changes],
            }),
        }
    }
    found
}

/// Returns the position of the mark after a message: the first one that a NUL or the end follows.
fn end_of_message(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(2, text).find(|at| matches!(text.get(at + 1), None | Some(0)))
}

/// Parses the lines of `--raw` up to the next commit.
fn take_changes(rest: &mut &[u8]) -> Vec<PathChange> {
    let mut changes = Vec::new();
    loop {
        while let Some(b'\0' | b'\n') = rest.first() {
            *rest = &rest[1..];
        }
        if rest.first() != Some(&b':') {
            return changes;
        }
        let Some(end) = memchr::memchr(0, rest) else { return changes };
        let about = String::from_utf8_lossy(&rest[1..end]).into_owned();
        *rest = &rest[end + 1..];
        let Some(end) = memchr::memchr(0, rest) else { return changes };
        let path = rest[..end].to_vec();
        *rest = &rest[end + 1..];
        let words: Vec<&str> = about.split(' ').collect();
        if let [old_mode, new_mode, old, new, ..] = words[..] {
            let side = |mode, object: &str| Some((FileMode::parse(mode)?, ObjectId::from(object)));
            changes.push(PathChange { path, old: side(old_mode, old), new: side(new_mode, new) });
        }
    }
}

impl ChangedPage {
    fn of(change: &PathChange) -> Self {
        let file = |side: &Option<(FileMode, ObjectId)>| match side {
            Some((FileMode::File, object)) => Some(ObjectId::clone(object)),
            _ => None,
        };
        Self { path: change.path.clone(), old: file(&change.old), new: file(&change.new) }
    }
}

/// Reads the blocks of file versions, each once.
#[derive(Debug, Default)]
pub(crate) struct VersionReader {
    versions: FileVersions,
    known: HashMap<ObjectId, Option<VersionIndex>>,
    /// The last version of each path, with its text.
    recent: HashMap<Vec<u8>, (VersionIndex, String)>,
}

impl VersionReader {
    fn version(
        &mut self,
        objects: &mut ObjectReader,
        path: &[u8],
        side: Option<&(FileMode, ObjectId)>,
    ) -> Option<VersionIndex> {
        let (FileMode::File, object) = side? else { return None };
        if let Some(known) = self.known.get(object) {
            return *known;
        }
        let bytes = objects.read(object);
        self.add(path, object, bytes)
    }

    fn add(
        &mut self,
        path: &[u8],
        object: &ObjectId,
        bytes: Option<Vec<u8>>,
    ) -> Option<VersionIndex> {
        let text = bytes.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        });
        let index = text.map(|text| {
            let before = self.recent.get(path).map(|(index, text)| (*index, text.as_str()));
            let index = self.versions.add(&text, before);
            self.recent.insert(path.to_vec(), (index, text));
            index
        });
        self.known.insert(ObjectId::clone(object), index);
        index
    }

    /// Reads the pages that commits changed, in the order in which [`Self::words`] needs them.
    pub(crate) fn load(&mut self, objects: &mut ObjectReader, logged: &[LoggedCommit]) {
        let changes = logged.iter().flat_map(|one| one.changes.iter().flatten());
        let mut seen = HashSet::new();
        let (paths, wanted): (Vec<&[u8]>, Vec<ObjectId>) = changes
            .filter(|change| is_page(&change.path))
            .flat_map(|change| [(change, &change.old), (change, &change.new)])
            .filter_map(|(change, side)| match side {
                Some((FileMode::File, object)) => Some((change.path.as_slice(), object)),
                _ => None,
            })
            .filter(|(_, object)| !self.known.contains_key(*object) && seen.insert(*object))
            .map(|(path, object)| (path, ObjectId::clone(object)))
            .unzip();
        let mut paths = paths.into_iter();
        objects.read_all(&wanted, |object, bytes| {
            self.add(paths.next().unwrap_or_default(), object, bytes);
        });
    }

    /// Returns what a commit adds and loses.
    pub(crate) fn words(
        &mut self,
        objects: &mut ObjectReader,
        logged: &LoggedCommit,
    ) -> CommitWords {
        let LoggedCommit { commit, changes } = logged;
        let mut words = CommitWords { commit: commit.clone(), ..CommitWords::default() };
        // A merge that equals one of its parents adds nothing.
        if changes.len() < words.commit.parents.len() {
            return words;
        }
        let is_merge = words.commit.parents.len() > 1;
        for (part, changes) in changes.iter().enumerate() {
            let (added, lost) = self.difference(objects, changes, &mut words.is_partial);
            if part == 0 {
                words.added = added;
                let pages = changes.iter().filter(|change| is_page(&change.path));
                words.pages = pages.map(ChangedPage::of).collect();
                let topics = lost.iter().filter(|(text, lost)| lost.topics.contains(*text));
                words.lost_topics = topics.flat_map(|(_, it)| it.paths.iter().cloned()).collect();
            } else {
                words.added.retain(|text, block| match added.get(text) {
                    Some(other) => {
                        block.count = block.count.min(other.count);
                        block.topics.extend(other.topics.iter().cloned());
                        block.paths.extend(other.paths.iter().cloned());
                        true
                    }
                    None => false,
                });
            }
            if !is_merge {
                words.lost = lost;
            }
        }
        words
    }

    /// Returns true if a version that was read only appends blocks to another one.
    pub(crate) fn is_appended(&self, old: &ObjectId, new: &ObjectId) -> bool {
        let index = |object| self.known.get(object).copied().flatten();
        let (Some(old), Some(new)) = (index(old), index(new)) else { return false };
        let (lost, added) = self.versions.differing(Some(old), Some(new));
        lost.len() <= 1 && added.len() >= lost.len() && lost.iter().zip(&added).all(|(a, b)| a == b)
    }

    /// Returns what a change adds and loses that is not committed. Each page has a path, its text before and after.
    pub(crate) fn words_of_texts(
        &mut self,
        commit: Commit,
        pages: &[(Vec<u8>, Option<String>, Option<String>)],
    ) -> CommitWords {
        let read: Vec<_> = pages
            .iter()
            .map(|(path, old, new)| {
                let old = old.as_ref().map(|text| self.versions.add(text, None));
                let new = new.as_ref().map(|text| self.versions.add(text, None));
                (path.as_slice(), old, new)
            })
            .collect();
        let (added, lost) = self.difference_of(&read);
        CommitWords { commit, added, lost, ..CommitWords::default() }
    }

    /// Returns the blocks that the pages of a commit have more often than those of a parent, and less often. Leaves out
    /// pages that are not here, and sets `is_partial`.
    fn difference(
        &mut self,
        objects: &mut ObjectReader,
        changes: &[PathChange],
        is_partial: &mut bool,
    ) -> (HashMap<BlockText, AddedBlock>, HashMap<BlockText, AddedBlock>) {
        let read: Vec<_> = changes
            .iter()
            .filter(|change| is_page(&change.path))
            .filter_map(|change| {
                let [old, new] = [&change.old, &change.new].map(|side| {
                    let index = self.version(objects, &change.path, side.as_ref());
                    let is_file = matches!(side, Some((FileMode::File, _)));
                    *is_partial |= is_file && index.is_none();
                    (index, !is_file || index.is_some())
                });
                (old.1 && new.1).then_some((change.path.as_slice(), old.0, new.0))
            })
            .collect();
        self.difference_of(&read)
    }

    fn difference_of(
        &self,
        pages: &[(&[u8], Option<VersionIndex>, Option<VersionIndex>)],
    ) -> (HashMap<BlockText, AddedBlock>, HashMap<BlockText, AddedBlock>) {
        let mut counts: HashMap<BlockText, isize> = HashMap::new();
        let (mut new_places, mut old_places) = (HashMap::new(), HashMap::new());
        for (path, old, new) in pages {
            let (lost, added) = self.versions.differing(*old, *new);
            // How many of the lost blocks, from the first on, have a turn below them.
            let seen = old.and_then(|old| {
                let above = self.versions.count(old) - lost.len();
                self.versions.last_turn(old)?.checked_sub(above)
            });
            let seen: HashSet<&BlockText> =
                lost.iter().take(seen.map_or(0, |at| at + 1)).copied().collect();
            let mut of_page: HashMap<&BlockText, isize> = HashMap::new();
            for (texts, step) in [(lost, -1), (added, 1)] {
                for text in texts {
                    *of_page.entry(text).or_default() += step;
                }
            }
            // What a page keeps does not make it a place of the change.
            for (text, count) in of_page.into_iter().filter(|(_, count)| *count != 0) {
                *counts.entry(text.clone()).or_default() += count;
                let (version, places) =
                    if count > 0 { (new, &mut new_places) } else { (old, &mut old_places) };
                let Some(version) = version else { continue };
                let place: &mut AddedBlock = places.entry(text.clone()).or_default();
                place.topics.insert(self.versions.topic(*version).clone());
                place.paths.insert(path.to_vec());
                place.is_seen |= count < 0 && seen.contains(text);
            }
        }
        let (mut added, mut lost) = (HashMap::new(), HashMap::new());
        for (text, count) in counts {
            let (places, list) = match count {
                0 => continue,
                1.. => (&mut new_places, &mut added),
                _ => (&mut old_places, &mut lost),
            };
            if let Some(mut block) = places.remove(&text) {
                block.count = count.unsigned_abs();
                list.insert(text, block);
            }
        }
        (added, lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_with_merges_and_strange_bytes_is_parsed() {
        let zero = "0".repeat(40);
        let log = format!(
            "\u{1}aa\0\0Rob\0r@x\0Ann\0a@x\0one\u{2}\u{1}two\n\u{2}\0\n:000000 100644 {zero} 11 A\0a\nb.md\0\
             \u{1}bb\0aa cc\0Ann\0a@x\0Ann\0a@x\0merge\n\u{2}\0\n:100644 120000 11 22 M\0b.md\0\
             \u{1}bb\0aa cc\0Ann\0a@x\0Ann\0a@x\0merge\n\u{2}\0\n:100644 000000 33 {zero} D\0c.md\0\
             \u{1}dd\0bb\0\0\0\0\0empty\n\u{2}\0"
        );
        let found = parse_log(log.as_bytes());
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].commit.message, "one\u{2}\u{1}two\n");
        assert_eq!(found[0].changes[0][0].path, b"a\nb.md");
        assert_eq!(found[0].changes[0][0].old, None);
        assert_eq!(found[1].changes.len(), 2);
        assert_eq!(found[1].changes[0][0].new, Some((FileMode::Link, "22".into())));
        assert_eq!(found[1].changes[1][0].new, None);
        assert_eq!((found[2].commit.message.as_str(), found[2].changes.len()), ("empty\n", 1));
    }

    #[test]
    fn pages_are_markdown_of_any_case() {
        assert!(
            is_page(b"a/b.MD") && is_page(b"\xff.md") && !is_page(b".md") && !is_page(b"a.txt")
        );
    }
}

//! Does a discussion hold what was acknowledged?

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use similar::TextDiff;

use super::block::{Key, entry_key};
use super::error::StoreError;
use super::git::{Commit, Repository};
use super::journal::{self, Record};
use super::orphan;
use super::sidecar::Sidecar;
use crate::problem::{Problem, Severity};
use crate::transcript::{Ending, Entry, EntryKind, Transcript, parse};

/// How alike an edited text and the acknowledged one are at least, from 0 to 1.
const ALIKE: f32 = 0.6;
/// Longer blocks are compared line by line, in bytes.
const LONG: usize = 16 * 1024;

/// What became of a block that was acknowledged and is not in the file as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Gone, though nobody took it back: `--restore` puts it back.
    Dropped,
    /// Only in other commits: another branch, or a stash.
    Elsewhere {
        /// One of them, in hexadecimal.
        commit: String,
    },
    /// Still there, with other words.
    Edited {
        /// Where, counted from 1.
        line: usize,
    },
}

/// One acknowledged block that the file does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was acknowledged.
    pub record: Record,
    /// What became of it.
    pub fate: Fate,
}

impl Finding {
    /// The finding as `check` reports it.
    pub fn problem(&self) -> Problem {
        let what = first_words(&self.record.block);
        let (severity, code, line, message) = match &self.fate {
            Fate::Dropped => (
                Severity::Error,
                "block-dropped",
                0,
                format!(
                    "{what} was acknowledged and is gone; `discussions check --restore` puts it back"
                ),
            ),
            Fate::Elsewhere { commit } => (
                Severity::Note,
                "block-elsewhere",
                0,
                format!(
                    "{what} is not in this version of the file but in commit {}",
                    commit.get(..12).unwrap_or(commit)
                ),
            ),
            Fate::Edited { line } => (
                Severity::Warning,
                "block-edited",
                *line,
                format!("{what} was changed after it was acknowledged"),
            ),
        };
        Problem::new(severity, code, (line, usize::from(line > 0)), message)
    }
}

/// Who said it and how it begins, or the control line.
fn first_words(block: &str) -> String {
    let mut lines = block.lines();
    let first = lines.next().unwrap_or_default();
    let Some(name) = first.strip_prefix("Name: ") else { return format!("`{first}`") };
    let words = lines
        .find(|line| !line.trim().is_empty() && !line.starts_with("<!-- "))
        .unwrap_or_default();
    let start: String = words.trim().chars().take(40).collect();
    let more = if start.len() < words.trim().len() { "..." } else { "" };
    format!("{name}'s comment \"{start}{more}\"")
}

/// Compares a discussion's text with its journal. Git is asked only about blocks that are missing.
///
/// # Errors
/// A path that names no regular file, and a journal that cannot be read. Without git, or outside a repository, every
/// missing block that was not edited counts as dropped.
pub fn check(path: &Path, text: &str) -> Result<Vec<Finding>, StoreError> {
    let sidecar = Sidecar::of(path)?;
    let journal = match sidecar.journal() {
        own if own.exists() => own,
        own => orphan::find(&sidecar, text).unwrap_or(own),
    };
    Ok(compare(&sidecar, journal::expected(&journal)?, text))
}

/// Sorts out the blocks that are expected and missing.
pub(super) fn compare(sidecar: &Sidecar, expected: Vec<Record>, text: &str) -> Vec<Finding> {
    let transcript = parse(text);
    let mut present: HashMap<Key, usize> = HashMap::new();
    for entry in &transcript.entries {
        *present.entry(entry_key(text, entry)).or_default() += 1;
    }
    let mut known = HashSet::new();
    let mut missing = Vec::new();
    for record in expected {
        let key = record.key();
        match present.get_mut(&key) {
            Some(count) if *count > 0 => *count -= 1,
            _ => missing.push(record),
        }
        known.insert(key);
    }
    if missing.is_empty() {
        return Vec::new();
    }
    let elsewhere = Elsewhere::look(sidecar, &missing);
    let mut edits = Edits::new(&transcript, &known);
    missing
        .into_iter()
        .map(|record| {
            let fate = if let Some(commit) = elsewhere.commit_with(&record) {
                Fate::Elsewhere { commit }
            } else if let Some(line) = edits.take(&record) {
                Fate::Edited { line }
            } else {
                Fate::Dropped
            };
            Finding { record, fate }
        })
        .collect()
}

/// The comments that no journal knows: handwriting, pulled ones, and edited ones.
struct Edits<'t> {
    unknown: Vec<Candidate<'t>>,
    /// What an edited block is called now, by what it was called when it was acknowledged; hashes of keys.
    renamed: HashMap<String, String>,
}

/// A comment that may be what became of a missing one.
struct Candidate<'t> {
    name: &'t str,
    text: &'t str,
    line: usize,
    /// Hashes of its own lines and of the block's before it.
    own: String,
    before: Option<String>,
}

impl<'t> Edits<'t> {
    fn new(transcript: &'t Transcript<'t>, known: &HashSet<Key>) -> Self {
        let mut unknown = Vec::new();
        let mut before: Option<&Entry<'_>> = None;
        for entry in &transcript.entries {
            let key = entry_key(transcript.text, entry);
            match &entry.kind {
                // What an editor left of a comment that it cut is no edit: the comment is lost.
                EntryKind::Comment(comment)
                    if comment.ending == Ending::Rule && !known.contains(&key) =>
                {
                    unknown.push(Candidate {
                        name: comment.name.as_str(),
                        text: &transcript.text[entry.span.clone()],
                        line: entry.line,
                        own: key.hash(),
                        before: before.map(|entry| entry_key(transcript.text, entry).hash()),
                    });
                }
                EntryKind::Comment(_) | EntryKind::Control(_) | EntryKind::Stray(_) => {}
            }
            before = Some(entry);
        }
        Self { unknown, renamed: HashMap::new() }
    }

    /// Finds what a block was edited into: a text like it, of the same author, in its old place or with its own
    /// `REPLY`. Where in doubt a block is lost rather than edited. Nothing can be the edit of two.
    fn take(&mut self, record: &Record) -> Option<usize> {
        let key = record.key();
        let name = key.as_str().lines().next()?.strip_prefix("Name:")?.trim();
        let before = record.after.as_ref().map(|hash| self.renamed.get(hash).unwrap_or(hash));
        let alike = |candidate: &Candidate<'_>| {
            let placed =
                candidate.before.as_ref() == before || same_reply(candidate.text, key.as_str());
            if !placed || !candidate.name.eq_ignore_ascii_case(name) {
                return None;
            }
            let ratio = ratio(&said(key.as_str()), &said(candidate.text));
            (ratio >= ALIKE).then_some(ratio)
        };
        let (index, _) = self
            .unknown
            .iter()
            .enumerate()
            .filter_map(|(index, candidate)| Some((index, alike(candidate)?)))
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        let edit = self.unknown.swap_remove(index);
        self.renamed.insert(key.hash(), edit.own);
        Some(edit.line)
    }
}

/// Whether both are answers recorded at the same time, by their own account.
fn same_reply(a: &str, b: &str) -> bool {
    let reply = |block: &'_ str| {
        block.lines().find(|line| line.starts_with("<!-- REPLY ")).map(str::to_owned)
    };
    matches!((reply(a), reply(b)), (Some(a), Some(b)) if a == b && a.contains(" at: "))
}

/// A comment without its head and the program's own lines below it, which every answer of one turn shares.
fn said(block: &str) -> String {
    let below = block.lines().skip(1).skip_while(|line| line.starts_with("<!-- "));
    below.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn ratio(a: &str, b: &str) -> f32 {
    if a.len() + b.len() > LONG {
        TextDiff::from_lines(a, b).ratio()
    } else {
        TextDiff::from_words(a, b).ratio()
    }
}

/// Where git knows missing blocks from.
#[derive(Default)]
struct Elsewhere {
    commits: HashMap<Key, String>,
}

impl Elsewhere {
    fn look(sidecar: &Sidecar, missing: &[Record]) -> Self {
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

    fn commit_with(&self, record: &Record) -> Option<String> {
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

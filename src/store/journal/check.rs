//! Does a discussion hold what was acknowledged?

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::edit::Edits;
use super::elsewhere::{Counts, Elsewhere};
use super::moved::moved;
use super::orphan;
use super::records::{self, Journal, Record};
use crate::store::error::StoreError;
use crate::store::merge::{Acceptances, Key, entry_key};
use crate::store::sidecar::Sidecar;
use crate::transcript::{EntryKind, parse};

/// What became of a block that was acknowledged and is not in the file as it was written, or not where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Gone, though nobody took it back: `--restore` puts it back.
    Dropped,
    /// Only in commits that `HEAD` did not come from: another branch, a stash, or what a reflog remembers.
    Elsewhere {
        /// One of them, in hexadecimal.
        commit: String,
    },
    /// Still there, with other words.
    Edited {
        /// Where, counted from 1.
        line: usize,
    },
    /// Still there as it was written, but a merge put other blocks before it, and it answers by number.
    Moved {
        /// Of the answer, counted from 1.
        line: usize,
    },
    /// Nobody knows: the journal's own lines are damaged.
    Unreadable {
        /// The journal, from the discussion's folder.
        journal: PathBuf,
        /// Its damaged lines, counted from 1.
        lines: RangeInclusive<usize>,
    },
    /// Lines of the journal were written in another folder: that of which this is a copy, or somebody else's. They are
    /// not believed.
    Foreign {
        /// The journal, from the discussion's folder.
        journal: PathBuf,
        /// How many lines.
        lines: usize,
    },
    /// Git carries the journal to others, so that anybody could have written it. It is not believed.
    Tracked {
        /// The journal, from the discussion's folder.
        journal: PathBuf,
    },
}

/// One acknowledged block that the file does not hold as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was acknowledged; with an empty block where the finding is of the journal itself.
    pub record: Record,
    /// What became of it.
    pub fate: Fate,
    /// An `ACCEPTED` line of the file covers it. Whose words they were in this folder is told all the same: the line may
    /// be anybody's.
    pub is_accepted: bool,
    /// No commit ever held it, and the file is as git has it: `git checkout` or `git stash` put the last commit back.
    pub is_undone: bool,
}

/// Compares a discussion's text with its journal. Git is asked whether it carries the journal, and about blocks that are
/// missing.
///
/// # Errors
/// A path that names no regular file, a private file that is a link, and a journal that cannot be opened. Without git,
/// or outside a repository, every missing block that was not edited counts as dropped.
pub fn check(path: &Path, text: &str) -> Result<Vec<Finding>, StoreError> {
    let sidecar = Sidecar::wherever(path)?;
    sidecar.insist_plain()?;
    let journal = match sidecar.journal() {
        own if own.exists() => own,
        own => orphan::find(&sidecar, text).unwrap_or(own),
    };
    let Journal { expected, damaged, foreign, tracked } = records::load(&journal)?;
    let accepted = Acceptances::of(text);
    let mut moved = moved(&expected, text);
    moved.retain(|finding| !accepted.moved(&finding.record.key().hash()));
    let mut findings = compare(&sidecar, expected, text);
    findings.extend(moved);
    let folder = sidecar.folder.parent().unwrap_or(Path::new("."));
    let journal = journal.strip_prefix(folder).unwrap_or(&journal).to_owned();
    let damaged =
        damaged.into_iter().map(|lines| Fate::Unreadable { journal: journal.clone(), lines });
    let foreign = (foreign > 0).then(|| Fate::Foreign { journal: journal.clone(), lines: foreign });
    let tracked = tracked.then(|| Fate::Tracked { journal: journal.clone() });
    // Of the journal itself there is no block to show.
    let record = || Record::new(&sidecar.file, "", None, None, None);
    let told = damaged.chain(foreign).chain(tracked);
    findings.extend(told.map(|fate| Finding::of(record(), fate)));
    Ok(findings)
}

impl Finding {
    pub(super) fn of(record: Record, fate: Fate) -> Self {
        Self { record, fate, is_accepted: false, is_undone: false }
    }
}

/// Whether this folder has a journal of a discussion.
pub(crate) fn has_journal(path: &Path) -> bool {
    Sidecar::wherever(path).is_ok_and(|sidecar| sidecar.journal().exists())
}

/// Counts the answers of models that the journal of this folder does not know; `None` if it has no journal of the
/// discussion that is believed.
pub(crate) fn unrecorded_answers(path: &Path, text: &str) -> Option<usize> {
    let sidecar = Sidecar::wherever(path).ok()?;
    let journal = sidecar.journal();
    if !journal.exists() {
        return None;
    }
    let Journal { expected, tracked, .. } = records::load(&journal).ok()?;
    if tracked || expected.is_empty() {
        return None;
    }
    let known: HashSet<Key> = expected.iter().map(Record::key).collect();
    let read = parse(text);
    let answers = read.entries.iter().filter(|entry| match &entry.kind {
        EntryKind::Comment(comment) => comment.reply.is_some(),
        EntryKind::Control(_) | EntryKind::Stray(_) => false,
    });
    Some(answers.filter(|entry| !known.contains(&entry_key(text, entry))).count())
}

/// The same of a text that is to be committed. What is only not committed yet is no loss: it stands in the file, and not
/// in the last commit.
///
/// # Errors
/// As [`check`].
pub(crate) fn check_staged(
    path: &Path,
    text: &str,
    file: &str,
    committed: &str,
) -> Result<Vec<Finding>, StoreError> {
    let keys = |text: &str| -> HashSet<Key> {
        parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect()
    };
    let (file, committed) = (keys(file), keys(committed));
    let mut found = check(path, text)?;
    found.retain(|finding| !finding.is_accepted);
    found.retain(|finding| match finding.fate {
        Fate::Dropped | Fate::Edited { .. } | Fate::Elsewhere { .. } => {
            let key = finding.record.key();
            committed.contains(&key) || !file.contains(&key)
        }
        Fate::Moved { .. }
        | Fate::Unreadable { .. }
        | Fate::Foreign { .. }
        | Fate::Tracked { .. } => true,
    });
    Ok(found)
}

/// Sorts out the blocks that are expected and missing.
pub(in crate::store) fn compare(
    sidecar: &Sidecar,
    expected: Vec<Record>,
    text: &str,
) -> Vec<Finding> {
    let transcript = parse(text);
    let keys: Vec<Key> = transcript.entries.iter().map(|entry| entry_key(text, entry)).collect();
    let mut standing = Counts::new();
    keys.iter().for_each(|key| *standing.entry(key.clone()).or_default() += 1);
    let known: HashSet<Key> = expected.iter().map(Record::key).collect();
    let missing = missing(expected, &keys, &standing);
    if missing.is_empty() {
        return Vec::new();
    }
    let mut excuses = Acceptances::of(text).excuses();
    let excused: Vec<bool> =
        missing.iter().map(|record| excuses.take(&record.key().hash(), record.said)).collect();
    let told = missing.clone();
    let elsewhere = match told.is_empty() {
        true => Elsewhere::default(),
        false => Elsewhere::look(sidecar, &told, &standing, &known),
    };
    let mut edits = Edits::new(&transcript, &known);
    let mut findings = Vec::with_capacity(told.len());
    for (index, excused) in excused.into_iter().enumerate() {
        let record = missing[index].clone();
        // What was agreed to shows where that stands which was written behind it.
        let edited = edits.take(&record, &missing[index + 1..]);
        let is_undone = !excused && elsewhere.is_undone(index);
        let fate = match (elsewhere.commit_with(index), edited) {
            (Some(commit), _) => Fate::Elsewhere { commit },
            (None, Some(line)) => Fate::Edited { line },
            (None, None) => Fate::Dropped,
        };
        if excused && matches!(fate, Fate::Elsewhere { .. }) {
            continue;
        }
        let is_undone = is_undone && fate == Fate::Dropped;
        findings.push(Finding { record, fate, is_accepted: excused, is_undone });
    }
    findings
}

/// Which records are not in the file, and somebody agreed to that.
pub(super) fn excused(expected: &[Record], text: &str) -> Vec<Record> {
    let read = parse(text);
    let keys: Vec<Key> = read.entries.iter().map(|entry| entry_key(text, entry)).collect();
    let mut standing = Counts::new();
    keys.iter().for_each(|key| *standing.entry(key.clone()).or_default() += 1);
    let mut excuses = Acceptances::of(text).excuses();
    let gone = missing(expected.to_vec(), &keys, &standing).into_iter();
    gone.filter(|record| excuses.take(&record.key().hash(), record.said)).collect()
}

/// The records that no block of the file stands for. Of equal blocks, those are there that stand where they were
/// written.
fn missing(expected: Vec<Record>, keys: &[Key], standing: &Counts) -> Vec<Record> {
    let mut free = standing.clone();
    if expected.iter().all(|record| take(&mut free, &record.key())) {
        return Vec::new();
    }
    let befores = std::iter::once(None).chain(keys.iter().map(|key| Some(key.hash())));
    let places: HashSet<(&Key, Option<String>)> = keys.iter().zip(befores).collect();
    free = standing.clone();
    let in_place: Vec<bool> = expected
        .iter()
        .map(|record| {
            let key = record.key();
            places.contains(&(&key, record.after.clone())) && take(&mut free, &key)
        })
        .collect();
    let found = in_place.into_iter().zip(expected);
    found
        .filter(|(found, record)| !found && !take(&mut free, &record.key()))
        .map(|(_, record)| record)
        .collect()
}

/// Takes one of the blocks that are left, where there is one.
fn take(free: &mut Counts, key: &Key) -> bool {
    match free.get_mut(key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

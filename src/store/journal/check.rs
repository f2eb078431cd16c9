//! The check that a discussion still contains its recorded blocks, and the messages about its findings.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use super::displaced::{FoundText, UnframedLines, renumbered_answers};
use super::edit::Edits;
use super::orphan;
use super::other_refs::{Counts, Elsewhere};
use super::records::{self, GitUse, Journal, JournalRecord};
use super::tracked::TrackedJournals;
use crate::codes::{Fix, ProblemCode};
use crate::problem::{Problem, Severity};
use crate::store::error::StoreError;
use crate::store::merge::{Acceptances, BlockKey, entry_key};
use crate::store::private_files::Sidecar;
use crate::transcript::{EntryKind, parse, visible_line};

/// The fate of a recorded block that is not in the file in its original form, or not at its original place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The block is missing and its removal was not accepted; `--restore` puts it back.
    Dropped,
    /// The block is only in commits that are not reachable from `HEAD`: on another branch, in a stash, or in a reflog.
    Elsewhere {
        /// One of these commits, in hexadecimal.
        commit: String,
    },
    /// The text is still there, but the rule (`---`) above or below it is missing, so another block or stray text
    /// contains it. `--restore` puts the rule back.
    Unframed {
        /// The lines of the text, counted from 0.
        lines: Range<usize>,
    },
    /// The block is still there, with changed words.
    Edited {
        /// Its line, from 1.
        line: usize,
    },
    /// The block is unchanged, but a merge inserted others before it, and it refers to an item by number.
    Moved {
        /// Line of the reference, from 1.
        line: usize,
    },
    /// The fate is unknown because lines of the journal are damaged.
    Unreadable {
        /// Path of the journal, relative to the discussion's folder.
        journal: PathBuf,
        /// Damaged lines, from 1.
        lines: RangeInclusive<usize>,
    },
    /// Lines of the journal were written in another folder: in the original of a copied folder, or by another
    /// user. They do not count.
    Foreign {
        /// Path of the journal, relative to the discussion's folder.
        journal: PathBuf,
        /// Number of such lines.
        lines: usize,
    },
    /// Git tracks the journal, so that any committer could have written it. It does not count.
    Tracked {
        /// Path of the journal, relative to the discussion's folder.
        journal: PathBuf,
    },
}

/// One recorded block that the file does not contain in its original form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalFinding {
    /// The recorded block; empty if the finding is about the journal itself.
    pub record: JournalRecord,
    /// The block's fate.
    pub fate: Fate,
    /// True if an `ACCEPTED` line of the file covers it. Losses of text that was recorded in this folder are reported
    /// even then, because anyone can write such a line.
    pub is_accepted: bool,
    /// True if no commit ever contained it and the file equals git's version: `git checkout` or `git stash` restored
    /// the last commit.
    pub is_undone: bool,
}

/// Compares a discussion's text with its journal. Git is asked whether it tracks the journal, and for the places of
/// missing blocks.
///
/// # Errors
/// Fails if the path does not name a regular file, if a private file is a link, or if the journal cannot be opened.
/// Without git or a repository, every missing block that was not edited counts as dropped.
pub fn check(path: &Path, text: &str) -> Result<Vec<JournalFinding>, StoreError> {
    check_asking(path, text, GitUse::Asked(&TrackedJournals::default()))
}

/// Compares an unsaved text with the journal of its discussion, with or without git. Without git, every missing block that
/// was not edited counts as dropped, and a journal that git tracks counts.
///
/// # Errors
/// Fails if the path does not name a regular file, if a private file is a link, or if the journal cannot be opened.
pub(crate) fn check_asking(
    path: &Path,
    text: &str,
    git: GitUse<'_>,
) -> Result<Vec<JournalFinding>, StoreError> {
    let sidecar = Sidecar::wherever(path)?;
    sidecar.insist_plain()?;
    let journal = match sidecar.journal() {
        own if own.exists() => own,
        own => orphan::find(&sidecar, text, git).unwrap_or(own),
    };
    let Journal { expected, damaged, foreign, tracked } = records::load(&journal, git)?;
    let accepted = Acceptances::of(text);
    let mut moved = renumbered_answers(&expected, text);
    moved.retain(|finding| !accepted.accepts_move(&finding.record.key().hash()));
    let mut findings = compare_asking(&sidecar, expected, text, git);
    findings.extend(moved);
    let folder = sidecar.folder.parent().unwrap_or(Path::new("."));
    let journal = journal.strip_prefix(folder).unwrap_or(&journal).to_owned();
    let damaged =
        damaged.into_iter().map(|lines| Fate::Unreadable { journal: journal.clone(), lines });
    let foreign = (foreign > 0).then(|| Fate::Foreign { journal: journal.clone(), lines: foreign });
    let tracked = tracked.then(|| Fate::Tracked { journal: journal.clone() });
    // A finding about the journal itself has no block to show.
    let record = || JournalRecord::new(&sidecar.file, "", None, None, None);
    let told = damaged.chain(foreign).chain(tracked);
    findings.extend(told.map(|fate| JournalFinding::of(record(), fate)));
    Ok(findings)
}

impl JournalFinding {
    pub(super) fn of(record: JournalRecord, fate: Fate) -> Self {
        Self { record, fate, is_accepted: false, is_undone: false }
    }
}

/// Returns true if this folder has a journal of the discussion.
pub(crate) fn has_journal(path: &Path) -> bool {
    Sidecar::wherever(path).is_ok_and(|sidecar| sidecar.journal().exists())
}

/// Counts the models' answers that this folder's journal does not contain. `None` if there is no trusted journal of the
/// discussion.
pub(crate) fn unrecorded_answers(
    path: &Path,
    text: &str,
    tracked: &TrackedJournals,
) -> Option<usize> {
    let sidecar = Sidecar::wherever(path).ok()?;
    let journal = sidecar.journal();
    if !journal.exists() {
        return None;
    }
    let Journal { expected, tracked, .. } = records::load(&journal, GitUse::Asked(tracked)).ok()?;
    if tracked || expected.is_empty() {
        return None;
    }
    let known: HashSet<BlockKey> = expected.iter().map(JournalRecord::key).collect();
    let read = parse(text);
    let answers = read.entries.iter().filter(|entry| match &entry.kind {
        EntryKind::Comment(comment) => comment.reply.is_some(),
        EntryKind::Control(_) | EntryKind::Stray(_) => false,
    });
    Some(answers.filter(|entry| !known.contains(&entry_key(text, entry))).count())
}

/// Compares a text to be committed with the journal. A block that is in the file and not in the last commit is merely
/// not committed yet; that is not a loss.
///
/// # Errors
/// Fails like [`check`].
pub(crate) fn check_staged(
    path: &Path,
    text: &str,
    file: &str,
    committed: &str,
    tracked: &TrackedJournals,
) -> Result<Vec<JournalFinding>, StoreError> {
    let keys = |text: &str| -> HashSet<BlockKey> {
        parse(text).entries.iter().map(|entry| entry_key(text, entry)).collect()
    };
    let (file, committed) = (keys(file), keys(committed));
    let mut found = check_asking(path, text, GitUse::Asked(tracked))?;
    found.retain(|finding| !finding.is_accepted);
    found.retain(|finding| match finding.fate {
        Fate::Dropped | Fate::Unframed { .. } | Fate::Edited { .. } | Fate::Elsewhere { .. } => {
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

/// Determines the fates of the missing blocks.
pub(in crate::store) fn compare(
    sidecar: &Sidecar,
    expected: Vec<JournalRecord>,
    text: &str,
) -> Vec<JournalFinding> {
    compare_asking(sidecar, expected, text, GitUse::Asked(&TrackedJournals::default()))
}

fn compare_asking(
    sidecar: &Sidecar,
    expected: Vec<JournalRecord>,
    text: &str,
    git: GitUse<'_>,
) -> Vec<JournalFinding> {
    // A discussion of a fresh clone has no journal; nothing of it needs a copy then.
    if expected.is_empty() {
        return Vec::new();
    }
    let transcript = parse(text);
    let keys: Vec<BlockKey> =
        transcript.entries.iter().map(|entry| entry_key(text, entry)).collect();
    let mut standing = Counts::new();
    keys.iter().for_each(|key| *standing.entry(key.clone()).or_default() += 1);
    let known: HashSet<BlockKey> = expected.iter().map(JournalRecord::key).collect();
    let missing = missing(expected, &keys, &standing);
    if missing.is_empty() {
        return Vec::new();
    }
    let mut excuses = Acceptances::of(text).excuses();
    let excused: Vec<bool> =
        missing.iter().map(|record| excuses.take(&record.key().hash(), record.said)).collect();
    let told = missing.clone();
    let elsewhere = if told.is_empty() || matches!(git, GitUse::Avoided) {
        Elsewhere::default()
    } else {
        Elsewhere::look(sidecar, &told, &standing, &known)
    };
    let mut edits = Edits::new(&transcript, &known);
    let mut lines = UnframedLines::of(&transcript, &known);
    let mut findings = Vec::with_capacity(told.len());
    for (index, excused) in excused.into_iter().enumerate() {
        let record = missing[index].clone();
        // Accepted losses are processed too: their new places locate the blocks that were written after them.
        let edited = edits.take(&record, &missing[index + 1..]);
        let is_undone = !excused && elsewhere.is_undone(index);
        let here = if excused { None } else { lines.find(&record) };
        let fate = match (here, elsewhere.commit_with(index), edited) {
            (Some(FoundText::Unframed(lines)), ..) => Fate::Unframed { lines },
            (_, Some(commit), _) => Fate::Elsewhere { commit },
            (_, None, Some(line)) => Fate::Edited { line },
            (Some(FoundText::Extended(at)), None, None) => Fate::Edited { line: at + 1 },
            (None, None, None) => Fate::Dropped,
        };
        if excused && matches!(fate, Fate::Elsewhere { .. }) {
            continue;
        }
        let is_undone = is_undone && fate == Fate::Dropped;
        findings.push(JournalFinding { record, fate, is_accepted: excused, is_undone });
    }
    findings
}

/// Returns the records that are not in the file and are accepted as lost.
pub(super) fn excused(expected: &[JournalRecord], text: &str) -> Vec<JournalRecord> {
    let read = parse(text);
    let keys: Vec<BlockKey> = read.entries.iter().map(|entry| entry_key(text, entry)).collect();
    let mut standing = Counts::new();
    keys.iter().for_each(|key| *standing.entry(key.clone()).or_default() += 1);
    let mut excuses = Acceptances::of(text).excuses();
    let gone = missing(expected.to_vec(), &keys, &standing).into_iter();
    gone.filter(|record| excuses.take(&record.key().hash(), record.said)).collect()
}

/// Returns the records without a matching block in the file. Of equal blocks, those at their original places match
/// first.
fn missing(
    expected: Vec<JournalRecord>,
    keys: &[BlockKey],
    standing: &Counts,
) -> Vec<JournalRecord> {
    let mut free = standing.clone();
    if expected.iter().all(|record| take(&mut free, &record.key())) {
        return Vec::new();
    }
    let befores = std::iter::once(None).chain(keys.iter().map(|key| Some(key.hash())));
    let places: HashSet<(&BlockKey, Option<String>)> = keys.iter().zip(befores).collect();
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

/// Takes one of the remaining equal blocks. Returns false if there is none.
fn take(free: &mut Counts, key: &BlockKey) -> bool {
    match free.get_mut(key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

impl JournalFinding {
    /// Returns the finding in the form that `check` reports.
    pub fn problem(&self) -> Problem {
        let what = first_words(&self.record.block);
        let (severity, code, line, message) = match &self.fate {
            Fate::Dropped if self.is_accepted => (
                Severity::Warning,
                ProblemCode::BlockDropped,
                0,
                format!(
                    "{what} was written {} and is no longer in the file; a line in the file accepts this, but that line \
                     was not written in this folder",
                    self.when()
                ),
            ),
            Fate::Dropped if self.is_undone => (
                Severity::Warning,
                ProblemCode::BlockDropped,
                0,
                format!(
                    "{what} was written {} but never committed; `git checkout` or `git stash` removed it from the \
                     file",
                    self.when()
                ),
            ),
            Fate::Dropped => (
                Severity::Error,
                ProblemCode::BlockDropped,
                0,
                format!("{what} was written {} and is no longer in the file", self.when()),
            ),
            Fate::Unframed { lines } => (
                Severity::Error,
                ProblemCode::BlockDropped,
                lines.start + 1,
                format!(
                    "{what} was written {} and its text is still here, but the `---` above or below it is missing",
                    self.when()
                ),
            ),
            Fate::Elsewhere { commit } => (
                Severity::Note,
                ProblemCode::BlockElsewhere,
                0,
                format!(
                    "{what} is not in this version of the file, but in commit {}",
                    commit.get(..12).unwrap_or(commit)
                ),
            ),
            Fate::Edited { line } => (
                Severity::Warning,
                ProblemCode::BlockEdited,
                *line,
                if self.is_accepted {
                    format!(
                        "{what} was written {} and has changed since; a line in the file accepts this, but that line was \
                         not written in this folder",
                        self.when()
                    )
                } else {
                    format!("{what} was written {} and has changed since", self.when())
                },
            ),
            Fate::Moved { line } => (
                Severity::Warning,
                ProblemCode::AnswerMoved,
                *line,
                format!(
                    "a merge moved {what}, which answers a question by its number; check that the number still names the right \
                     question"
                ),
            ),
            Fate::Unreadable { journal, lines } => {
                let (which, them) = match lines.end() - lines.start() {
                    0 => (format!("line {}", lines.start()), "the line"),
                    _ => (format!("lines {} to {}", lines.start(), lines.end()), "these lines"),
                };
                (
                    Severity::Warning,
                    ProblemCode::JournalDamaged,
                    0,
                    format!(
                        "{which} of {} cannot be read, so what was recorded there is not checked; see if a comment is \
                         missing, then delete {them}",
                        visible_line(&journal.to_string_lossy())
                    ),
                )
            }
            Fate::Foreign { journal, lines } => {
                let which = match lines {
                    1 => "1 line was".to_owned(),
                    _ => format!("{lines} lines were"),
                };
                (
                    Severity::Note,
                    ProblemCode::JournalForeign,
                    0,
                    format!(
                        "in {}, {which} written in another folder and cannot be checked here; delete the journal if \
                         you did not copy this folder yourself",
                        journal.display()
                    ),
                )
            }
            Fate::Tracked { journal } => (
                Severity::Warning,
                ProblemCode::JournalTracked,
                0,
                format!(
                    "git tracks {}, so anyone could have written it; this journal is ignored",
                    journal.display()
                ),
            ),
        };
        let fix = match self.fate {
            Fate::Dropped | Fate::Unframed { .. } => Some(Fix::Restore),
            Fate::Edited { .. } | Fate::Moved { .. } => Some(Fix::Accept),
            Fate::Tracked { .. } => Some(Fix::Untrack),
            _ => None,
        };
        Problem::new(severity, code, (line, usize::from(line > 0)), message).with_fix(fix)
    }
}

impl JournalFinding {
    /// Returns the finding for a comment that its own author edited before any turn saw it.
    pub(crate) fn as_own_edit(&self) -> Problem {
        let what = first_words(&self.record.block);
        let message = format!("{what} was edited by its author; no later turn has seen it");
        let problem = self.problem();
        Problem { severity: Severity::Note, code: ProblemCode::OwnEdit, message, ..problem }
    }

    /// Returns the person who wrote the comment; `None` for an answer of a model and for a control line.
    pub(crate) fn author(&self) -> Option<&str> {
        let mut lines = self.record.block.lines();
        let name = lines.next()?.strip_prefix("Name: ")?;
        let is_answer = lines.next().is_some_and(|line| line.starts_with("<!-- REPLY"));
        (!is_answer).then_some(name.trim())
    }

    /// Returns the time of writing for a message, if it is known.
    fn when(&self) -> String {
        let at = self.record.said.map(|at| at.format("on %Y-%m-%d at %H:%M (UTC)").to_string());
        at.unwrap_or_else(|| "through this program".to_owned())
    }
}

impl JournalRecord {
    /// Returns who wrote the block and how it begins, or the control line.
    pub(crate) fn first_words(&self) -> String {
        first_words(&self.block)
    }
}

/// Returns author and first words of a comment, or the control line.
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

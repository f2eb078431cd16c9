//! Changes older text on a person's command: accepts changes for all users, with lines in the
//! discussion, and corrects handwriting so that it counts.
//!
//! Earlier bytes of a file change only if a person accepts changes, restores rules or the
//! beginning, or corrects handwriting. A correction changes only bytes that the program did not
//! write.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::Path;

use super::append::Writer;
use super::atomic_write;
use super::lock::Patience;
use super::restore::conflict;
use crate::boundary::ProjectPlace;
use crate::digest::sha256_hex;
use crate::platform::FileNumbers;
use crate::store::error::StoreError;
use crate::store::git::version_at;
use crate::store::journal::{
    self, Fate, GitUse, JournalRecord, TrackedJournals, check, expected_asking,
};
use crate::store::merge::{
    Acceptances, BlockKey, CommittedLoss, LineEnd, Lost, entry_at, entry_key, lost_text, plain,
};
use crate::store::private_files::Sidecar;
use crate::store::read::read;
use crate::text_diff::{TextComparison, TextUnit};
use crate::transcript::{
    self, Accepted, Control, Draft, EntryKind, Known, Marker, MarkerSet, Name, Time, parse,
};

/// Changes of a discussion that a person can accept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    changes: Vec<AcceptedChange>,
    /// True if the journal still contains text that was removed with acceptance.
    pub(crate) stale: bool,
    /// The text in which the changes were found.
    text: String,
}

/// One text that is not at its former place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AcceptedChange {
    lost: Lost,
    /// Hashes of the entries before the text, in all versions.
    after: BTreeSet<String>,
    /// Number of copies that are missing.
    count: usize,
    /// True if this folder's journal expects the text.
    is_own: bool,
    /// The author, if git's history names one.
    of: Option<String>,
}

impl Changes {
    /// Returns the number of changed, removed or moved texts.
    pub(crate) fn count(&self) -> usize {
        self.changes.iter().map(|change| change.count).sum()
    }

    /// Returns the number of removed texts.
    pub(crate) fn removed(&self) -> usize {
        let gone = self.changes.iter().filter(|change| change.lost.now.is_none());
        gone.map(|change| change.count).sum()
    }

    /// Returns all changes as unified diffs; untrusted text.
    pub(crate) fn diff(&self) -> String {
        let shown = self.changes.iter().map(|AcceptedChange { lost, .. }| {
            if lost.is_moved() {
                let lines = lost.text.lines().map(|line| format!(" {line}\n"));
                return format!(
                    "--- was elsewhere\n+++ is now here\n{}",
                    lines.collect::<String>()
                );
            }
            let now = lost.now.as_ref().map_or("", |(_, text)| text.as_str());
            let ended = |text: &str| match text {
                "" => String::new(),
                text => format!("{text}\n"),
            };
            let (was, now) = (ended(&lost.text), ended(now));
            TextComparison::of(TextUnit::Lines, &was, &now).unified(3, ("before", "now"))
        });
        shown.collect()
    }

    /// Returns a hash that identifies this set of changes.
    pub(crate) fn digest(&self) -> String {
        sha256_hex(format!("{:?}{}", self.changes, sha256_hex(&self.text)))
    }

    fn add(&mut self, lost: Lost, is_own: bool) -> &mut AcceptedChange {
        let is_move = lost.is_moved();
        let same = |change: &AcceptedChange| {
            change.lost.was == lost.was && change.lost.is_moved() == is_move
        };
        let index = match self.changes.iter().position(same) {
            Some(index) => index,
            None => {
                let (after, count) = (BTreeSet::new(), 0);
                self.changes.push(AcceptedChange {
                    lost: lost.clone(),
                    after,
                    count,
                    is_own: false,
                    of: None,
                });
                self.changes.len() - 1
            }
        };
        let change = &mut self.changes[index];
        change.after.insert(lost.after);
        change.is_own |= is_own;
        change.count = change.count.max(1);
        change
    }

    /// If a text changed in several versions, replaces the new text of its change by the form in
    /// the file now.
    fn settle(&mut self, text: &str) {
        let stands: Vec<String> =
            parse(text).entries.iter().map(|entry| entry_key(text, entry).hash()).collect();
        let all = self.changes.clone();
        for change in &mut self.changes {
            for _ in 0..all.len() {
                let Some((hash, _)) = &change.lost.now else { break };
                let next = all.iter().find(|other| other.lost.was == *hash);
                let Some(next) =
                    next.filter(|next| !stands.contains(hash) && next.lost.was != change.lost.was)
                else {
                    break;
                };
                change.lost.now.clone_from(&next.lost.now);
            }
        }
    }
}

/// Collects the changes to accept: from this folder's journal, and those of published text that the caller found.
///
/// # Errors
/// Fails if the file cannot be read or contains a merge conflict.
pub(crate) fn changes(path: &Path, committed: &[CommittedLoss]) -> Result<Changes, StoreError> {
    let document = read(path)?;
    document.insist_exact()?;
    let text = document.text;
    if let Some(line) = conflict(&text) {
        return Err(StoreError::Conflict { path: path.to_owned(), line });
    }
    let mut found = Changes {
        stale: journal::is_stale_at(path, &text)?,
        text: text.to_string(),
        ..Changes::default()
    };
    let mut counts: Vec<String> = Vec::new();
    for finding in check(path, &text)? {
        // The file already accepts this change; only the old text in the journal remains to be removed.
        if finding.is_accepted {
            continue;
        }
        let line = match finding.fate {
            Fate::Dropped => None,
            Fate::Unframed { lines } => Some(lines.start + 1),
            Fate::Edited { line } | Fate::Moved { line } => Some(line),
            Fate::Elsewhere { .. }
            | Fate::Unreadable { .. }
            | Fate::Foreign { .. }
            | Fate::Tracked { .. } => continue,
        };
        let key = finding.record.key();
        let now = line.and_then(|line| entry_at(&text, line)).map(|(key, _)| key);
        let after = finding.record.after.clone();
        let lost = Lost {
            was: key.hash(),
            after: after.unwrap_or_else(|| Accepted::START.to_owned()),
            text: key.as_str().to_owned(),
            now: now.map(|now| (now.hash(), now.as_str().to_owned())),
            is_seen: true,
        };
        counts.push(lost.was.clone());
        let count = counts.iter().filter(|was| **was == lost.was).count();
        found.add(lost, true).count = count;
    }
    let mut committed_counts: Vec<&str> = Vec::new();
    for loss in committed {
        committed_counts.push(&loss.was);
        let count = committed_counts.iter().filter(|was| **was == loss.was).count();
        let change = found.add(loss.into(), false);
        change.count = change.count.max(count);
        change.of.clone_from(&loss.of);
    }
    found.settle(&text);
    Ok(found)
}

/// Accepts changes that a person has seen: writes a line for each, and removes old text from the journals. Returns the
/// number of removed journal lines.
///
/// # Errors
/// Returns [`StoreError::Changed`] if the changes are not the ones that were seen; nothing is written then. Otherwise
/// fails like [`Writer::lock`] and [`Writer::append`].
pub(crate) fn accept(
    place: &ProjectPlace,
    seen: &str,
    committed: &[CommittedLoss],
    by: &Name,
    at: Time,
    wait: impl Into<Patience>,
) -> Result<usize, StoreError> {
    let path = place.real();
    let mut writer = Writer::lock_at(place, wait)?.at(at);
    let found = changes(path, committed)?;
    if found.digest() != seen {
        return Err(StoreError::Changed { path: path.to_owned() });
    }
    let drafts: Vec<Draft> =
        found.changes.iter().flat_map(|change| change.drafts(by, at)).collect();
    if !drafts.is_empty() {
        writer.append(&drafts)?;
    }
    let text = writer.read()?.text;
    let fresh: Vec<JournalRecord> =
        found.changes.iter().filter_map(|change| change.record(path, &text, at)).collect();
    journal::purge(writer.sidecar(), &text, &fresh)
}

impl AcceptedChange {
    fn drafts(&self, by: &Name, at: Time) -> impl Iterator<Item = Draft> {
        let line = Accepted {
            was: self.lost.was.clone(),
            after: self.after.iter().cloned().collect(),
            now: self.lost.now.as_ref().map(|(hash, _)| hash.clone()),
            of: self.lost.author().map(str::to_owned).or_else(|| self.of.clone()),
            by: Some(by.to_string()),
            at: Some(at),
        };
        std::iter::repeat_n(Draft::Control(Control::Accepted(line.into())), self.count)
    }

    /// Returns the record that the journal expects from now on: the changed words as they are now
    /// in the file, at their present place.
    fn record(&self, path: &Path, text: &str, at: Time) -> Option<JournalRecord> {
        let (hash, now) =
            self.lost.now.as_ref().filter(|_| self.is_own && !self.lost.is_moved())?;
        let entries = parse(text).entries;
        let keys: Vec<BlockKey> = entries.iter().map(|entry| entry_key(text, entry)).collect();
        let index = keys.iter().position(|key| key.hash() == *hash)?;
        let before = index.checked_sub(1).map(|before| keys[before].hash());
        let end = if keys[index].is_comment() { "\n\n---\n" } else { "\n" };
        let (block, start) = (format!("{now}{end}"), entries[index].span.start as u64);
        Some(JournalRecord::new(path, &block, before, Some(start), None).with_time(Some(at)))
    }
}

/// A file with its proposed fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mended {
    /// The present text.
    before: String,
    /// The proposed text.
    after: String,
    /// Number of lines with another line end than most lines.
    pub(crate) ends: usize,
}

impl Mended {
    /// Returns the proposed change as a unified diff without line ends; untrusted text.
    pub(crate) fn diff(&self) -> String {
        let (before, after) = (plain(&self.before), plain(&self.after));
        TextComparison::of(TextUnit::Lines, &before, &after).unified(3, ("before", "fixed"))
    }

    /// Returns the proposed text.
    pub(crate) fn text(&self) -> &str {
        &self.after
    }

    /// Returns the votes, like `Bob: READY`, that the fixed text has and the current text lacks.
    /// The first list has the votes that count, the second those that a later vote of the same
    /// person replaces.
    pub(crate) fn new_votes(&self) -> (Vec<String>, Vec<String>) {
        let mut old = votes(&self.before);
        let new = votes(&self.after);
        let is_last = |at: usize| !new.iter().skip(at + 1).any(|(name, _)| *name == new[at].0);
        let (mut last, mut earlier) = (Vec::new(), Vec::new());
        for (at, vote) in new.iter().enumerate() {
            if let Some(known) = old.iter().position(|other| other == vote) {
                old.swap_remove(known);
                continue;
            }
            let list = if is_last(at) { &mut last } else { &mut earlier };
            list.push(format!("{}: {}", vote.0, vote.1));
        }
        (last, earlier)
    }

    /// Returns a hash that identifies this proposal.
    pub(crate) fn digest(&self) -> String {
        sha256_hex(format!("{}\n{}", sha256_hex(&self.before), sha256_hex(&self.after)))
    }
}

/// Returns the votes that may count in all comments, with their authors. Different votes in one comment are no vote.
fn votes(text: &str) -> Vec<(Name, String)> {
    let read = parse(text);
    let comments = read.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Comment(comment) if !comment.mixed => Some(comment),
        _ => None,
    });
    let votes = comments.filter_map(|comment| {
        let marks = comment.read(&MarkerSet::default()).marks.into_iter();
        let mut votes = marks.filter(|mark| mark.marker == Marker::Vote).map(|mark| mark.text);
        let vote = votes.next()?;
        let is_clear = votes.all(|other| other.eq_ignore_ascii_case(&vote));
        is_clear.then(|| (comment.name.clone(), vote.to_string()))
    });
    votes.collect()
}

/// Returns the proposed fixes of a file, or `None` if there are none.
///
/// # Errors
/// Fails if the file cannot be read or contains a merge conflict.
pub(crate) fn proposed(path: &Path, known: &[Known]) -> Result<Option<Mended>, StoreError> {
    let document = read(path)?;
    document.insist_exact()?;
    proposed_for(path, &document.text, known, GitUse::Asked(&TrackedJournals::default()))
}

/// Returns the proposed fixes of this text, as if the file contained it. Without git, a journal that git tracks counts.
///
/// # Errors
/// Fails if the journal cannot be read, or if the text contains a merge conflict.
pub(crate) fn proposed_for(
    path: &Path,
    text: &str,
    known: &[Known],
    git: GitUse<'_>,
) -> Result<Option<Mended>, StoreError> {
    let before = text.to_owned();
    if let Some(line) = conflict(&before) {
        return Err(StoreError::Conflict { path: path.to_owned(), line });
    }
    // The text may belong to a file that was never saved.
    let journal = expected_asking(&Sidecar::wherever(path)?.journal(), git)?;
    let written: HashSet<BlockKey> = journal.iter().map(JournalRecord::key).collect();
    let text = plain(&before);
    let mended = mended(&text, known, &written);
    let (crlf, lf) = LineEnd::count(&before);
    let ends = LineEnd::of(&before);
    let after = ends.end(mended);
    // No fix may change a block that the program wrote.
    let keys = |text: &str| -> Vec<BlockKey> {
        let read = parse(text);
        let all = read.entries.iter().map(|entry| crate::store::merge::entry_key(text, entry));
        all.filter(|key| written.contains(key)).collect()
    };
    if after == before || keys(&before) != keys(&after) {
        return Ok(None);
    }
    Ok(Some(Mended { before, after, ends: crlf.min(lf) }))
}

/// Applies fixes until none changes the text. Repeats, because a fixed head line makes its author known to later fixes.
fn mended(text: &str, known: &[Known], written: &HashSet<BlockKey>) -> String {
    let mut known = known.to_vec();
    let mut text = text.to_owned();
    loop {
        let next = transcript::mend(&text, &known, |block| written.contains(&BlockKey::of(block)));
        if next == text {
            return text;
        }
        text = next;
        for name in speakers(&text) {
            if !known.iter().any(|(other, _)| *other == name) {
                known.push((name, Vec::new()));
            }
        }
    }
}

/// Writes fixes that a person has seen. If they change text of git's last version, this change is accepted at once.
///
/// # Errors
/// Returns [`StoreError::Changed`] if the fixes are not the ones that were seen. Fails if the file has several names.
/// Nothing is written in either case. Otherwise fails like [`Writer::lock`] and [`Writer::append`].
pub(crate) fn mend(
    place: &ProjectPlace,
    known: &[Known],
    seen: &str,
    by: &Name,
    at: Time,
    wait: impl Into<Patience>,
) -> Result<(), StoreError> {
    let path = place.real();
    let mut writer = Writer::lock_at(place, wait)?.at(at);
    let mended = proposed(path, known)?.filter(|mended| mended.digest() == seen);
    let Some(mended) = mended else { return Err(StoreError::Changed { path: path.to_owned() }) };
    let fail = |source| StoreError::NotWritten { path: path.to_owned(), doing: "writing", source };
    insist_one_name(writer.path()).map_err(fail)?;
    atomic_write::replace_at(writer.path(), &mended.after).map_err(fail)?;
    let own: HashSet<String> =
        lost_text(&mended.before, &mended.after).0.into_iter().map(|lost| lost.was).collect();
    let head = version_at(path, "HEAD")?.unwrap_or_default();
    let accepted = Acceptances::of(&mended.after).since(&head);
    let published = if head.is_empty() { Vec::new() } else { lost_text(&head, &mended.after).0 };
    let gone = published
        .into_iter()
        .filter(|lost| own.contains(&lost.was) && !accepted.naming(lost.author()).cover(lost));
    let drafts: Vec<Draft> = gone
        .map(|lost| {
            Draft::Control(Control::Accepted(Box::new(Accepted {
                of: lost.author().map(str::to_owned),
                was: lost.was,
                after: vec![lost.after],
                now: lost.now.map(|(hash, _)| hash),
                by: Some(by.to_string()),
                at: Some(at),
            })))
        })
        .collect();
    if !drafts.is_empty() {
        writer.append(&drafts)?;
    }
    Ok(())
}

/// Checks that the file has one name only: with several hard links, the new text would be in a separate file.
pub(super) fn insist_one_name(path: &Path) -> io::Result<()> {
    if FileNumbers::of_path(path)?.names > 1 {
        return Err(io::Error::other(
            "the file has a second name (a hard link), which would keep the old text",
        ));
    }
    Ok(())
}

/// Returns the authors of all comments in a text.
pub(crate) fn speakers(text: &str) -> Vec<Name> {
    let entries = parse(text).entries.into_iter();
    let mut names: Vec<Name> = Vec::new();
    for entry in entries {
        if let EntryKind::Comment(comment) = entry.kind
            && !names.contains(&comment.name)
        {
            names.push(comment.name);
        }
    }
    names
}

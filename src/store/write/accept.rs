//! Accepts changes of older text for all users, with lines in the discussion.

use std::collections::BTreeSet;
use std::path::Path;

use similar::TextDiff;

use super::append::Writer;
use super::lock_timeout::Patience;
use super::restore::conflict;
use crate::boundary::ProjectPlace;
use crate::digest::sha256_hex;
use crate::store::error::StoreError;
use crate::store::git::{Present, departed, history_of};
use crate::store::journal::{self, Fate, JournalRecord, check};
use crate::store::merge::{BlockKey, Lost, entry_at, entry_key};
use crate::store::read::read;
use crate::transcript::{Accepted, Control, Draft, Name, Time, parse};

/// Changes of a discussion that a person can accept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    changes: Vec<AcceptedChange>,
    /// True if the journal still contains text with an accepted removal.
    pub(crate) stale: bool,
}

/// One text that is not at its former place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AcceptedChange {
    lost: Lost,
    /// Hashes of the entries before it, in all versions.
    after: BTreeSet<String>,
    /// Number of copies that are missing.
    count: usize,
    /// True if this folder's journal expects it.
    is_own: bool,
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
            let diff = TextDiff::from_lines(&was, &now);
            diff.unified_diff().context_radius(3).header("before", "now").to_string()
        });
        shown.collect()
    }

    /// Returns a hash that identifies this set of changes.
    pub(crate) fn digest(&self) -> String {
        sha256_hex(format!("{:?}", self.changes))
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

    /// Sets the new text of each change to its present form, for texts that changed in several versions.
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

/// Collects the changes to accept, from this folder's journal and from git's history.
///
/// # Errors
/// Fails if the file cannot be read or contains a merge conflict.
pub(crate) fn changes(path: &Path) -> Result<Changes, StoreError> {
    let document = read(path)?;
    document.insist_exact()?;
    let text = document.text;
    if let Some(line) = conflict(&text) {
        return Err(StoreError::Conflict { path: path.to_owned(), line });
    }
    let mut found = Changes { stale: journal::is_stale_at(path, &text)?, ..Changes::default() };
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
    let folder = path.parent().unwrap_or(Path::new("."));
    let departed = departed(folder, Present::Files, true, None)?;
    for rewrite in history_of(path, &text, None, &departed)?.unwrap_or_default() {
        for lost in rewrite.lost {
            found.add(lost, false);
        }
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
    by: &Name,
    at: Time,
    wait: impl Into<Patience>,
) -> Result<usize, StoreError> {
    let path = place.real();
    let mut writer = Writer::lock_at(place, wait)?.at(at);
    let found = changes(path)?;
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
            of: self.lost.author().map(str::to_owned),
            by: Some(by.to_string()),
            at: Some(at),
        };
        std::iter::repeat_n(Draft::Control(Control::Accepted(line.into())), self.count)
    }

    /// Returns the record that the journal expects from now on: changed words in their present form, at their present
    /// place.
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

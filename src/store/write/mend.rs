//! Handwriting brought into the form that counts. Beside agreeing to a change this is the only way in which the program
//! changes earlier bytes, and only those that it did not write.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use similar::TextDiff;

use super::append::Writer;
use super::patience::Patience;
use super::restore::conflict;
use super::whole;
use crate::boundary::Place;
use crate::digest::sha256_hex;
use crate::store::error::StoreError;
use crate::store::git::{Departed, history_of};
use crate::store::journal::{Record, expected};
use crate::store::merge::{Key, LineEnd, lost, plain};
use crate::store::read::read;
use crate::store::sidecar::Sidecar;
use crate::transcript::{
    self, Accepted, Control, Draft, EntryKind, Known, Marker, MarkerSet, Name, Time, parse,
};

/// A file as it would be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mended {
    /// What stands there now.
    before: String,
    /// What would.
    after: String,
    /// Lines that end otherwise than most do.
    pub(crate) ends: usize,
}

impl Mended {
    /// What would be changed, as a unified diff without ends of lines: untrusted text.
    pub(crate) fn diff(&self) -> String {
        let (before, after) = (plain(&self.before), plain(&self.after));
        let diff = TextDiff::from_lines(before.as_ref(), after.as_ref());
        diff.unified_diff().context_radius(3).header("before", "fixed").to_string()
    }

    /// The text that would be written.
    pub(crate) fn text(&self) -> &str {
        &self.after
    }

    /// Returns the votes, `Bob: READY`, that count only in what would be written.
    pub(crate) fn new_votes(&self) -> Vec<String> {
        let mut old = votes(&self.before);
        let mut new = votes(&self.after);
        new.retain(|vote| match old.iter().position(|other| other == vote) {
            Some(at) => {
                old.swap_remove(at);
                false
            }
            None => true,
        });
        new
    }

    /// What tells this from every other proposal.
    pub(crate) fn digest(&self) -> String {
        sha256_hex(format!("{}\n{}", sha256_hex(&self.before), sha256_hex(&self.after)))
    }
}

/// Returns the votes of all comments whose votes may count.
fn votes(text: &str) -> Vec<String> {
    let read = parse(text);
    let comments = read.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Comment(comment) if !comment.mixed => Some(comment),
        _ => None,
    });
    let votes = comments.flat_map(|comment| {
        let marks = comment.read(&MarkerSet::default()).marks.into_iter();
        let votes = marks.filter(|mark| mark.marker == Marker::Vote);
        votes.map(|vote| format!("{}: {}", comment.name, vote.text)).collect::<Vec<_>>()
    });
    votes.collect()
}

/// What would be mended in a file; `None` where there is nothing.
///
/// # Errors
/// A file that cannot be read, and one in which a merge conflict stands.
pub(crate) fn proposed(path: &Path, known: &[Known]) -> Result<Option<Mended>, StoreError> {
    let document = read(path)?;
    document.insist_exact()?;
    proposed_for(path, &document.text, known)
}

/// Returns what would be mended if a file held this text.
///
/// # Errors
/// A journal that cannot be read, and a text in which a merge conflict stands.
pub(crate) fn proposed_for(
    path: &Path,
    text: &str,
    known: &[Known],
) -> Result<Option<Mended>, StoreError> {
    let before = text.to_owned();
    if let Some(line) = conflict(&before) {
        return Err(StoreError::Conflict { path: path.to_owned(), line });
    }
    let journal = expected(&Sidecar::of(path)?.journal())?;
    let written: HashSet<Key> = journal.iter().map(Record::key).collect();
    let text = plain(&before);
    let mended = mended(&text, known, &written);
    let (crlf, lf) = LineEnd::count(&before);
    let ends = LineEnd::of(&before);
    let after = ends.end(mended);
    // Whatever was mended, what the program wrote says what it said.
    let keys = |text: &str| -> Vec<Key> {
        let read = parse(text);
        let all = read.entries.iter().map(|entry| crate::store::merge::entry_key(text, entry));
        all.filter(|key| written.contains(key)).collect()
    };
    if after == before || keys(&before) != keys(&after) {
        return Ok(None);
    }
    Ok(Some(Mended { before, after, ends: crlf.min(lf) }))
}

/// Mended until there is nothing more to do: whose head was mended is known from then on.
fn mended(text: &str, known: &[Known], written: &HashSet<Key>) -> String {
    let mut known = known.to_vec();
    let mut text = text.to_owned();
    loop {
        let next = transcript::mend(&text, &known, |block| written.contains(&Key::of(block)));
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

/// Writes what somebody has seen. What git has in its last version was changed with that, which is agreed to at once.
///
/// # Errors
/// [`StoreError::Changed`] when something else would be written than was seen; a file with several names. Then nothing was
/// written. Otherwise as [`Writer::lock`] and [`Writer::append`].
pub(crate) fn mend(
    place: &Place,
    known: &[Known],
    seen: &str,
    (by, at): (&Name, Time),
    wait: impl Into<Patience>,
) -> Result<(), StoreError> {
    let path = place.real();
    let mut writer = Writer::lock_at(place, wait)?.at(at);
    let mended = proposed(path, known)?.filter(|mended| mended.digest() == seen);
    let Some(mended) = mended else { return Err(StoreError::Changed { path: path.to_owned() }) };
    let fail = |source| StoreError::NotWritten { path: path.to_owned(), doing: "writing", source };
    insist_one_name(writer.path()).map_err(fail)?;
    whole::replace_at(writer.path(), &mended.after).map_err(fail)?;
    let own: HashSet<String> =
        lost(&mended.before, &mended.after).0.into_iter().map(|lost| lost.was).collect();
    let rewrites = history_of(path, &mended.after, None, &Departed::default())?.unwrap_or_default();
    let committed = rewrites.into_iter().filter(|rewrite| rewrite.commit.is_none());
    let gone = committed.flat_map(|rewrite| rewrite.lost).filter(|lost| own.contains(&lost.was));
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

/// A file with several names would become two files.
fn insist_one_name(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if fs::metadata(path)?.nlink() > 1 {
            return Err(io::Error::other(
                "the file has a second name (a hard link), which would keep the old text",
            ));
        }
    }
    #[cfg(not(unix))]
    fs::metadata(path)?;
    Ok(())
}

/// Everybody who said something in a text.
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

//! Determines whether text was only appended, and which parts of an earlier version a later one
//! lost or moved.

use std::collections::HashMap;

use super::block::{BlockKey, entry_key, plain};
use crate::digest::sha256_hex;
use crate::text_diff::{DiffOp, list_changes};
use crate::transcript::{Accepted, parse};

/// A part of an earlier version that is not at its place in a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct Lost {
    /// SHA-256 of its lines.
    pub(in crate::store) was: String,
    /// SHA-256 of the part before it, or [`Accepted::START`].
    pub(in crate::store) after: String,
    /// Its lines.
    pub(in crate::store) text: String,
    /// Hash and lines of its replacement. An equal hash means that it was moved.
    pub(in crate::store) now: Option<(String, String)>,
    /// True if a turn began after it, so that models have seen it.
    pub(in crate::store) is_seen: bool,
}

impl Lost {
    /// Returns the author, if it is a comment.
    pub(in crate::store) fn author(&self) -> Option<&str> {
        self.text.lines().next()?.strip_prefix("Name: ").map(str::trim)
    }

    /// Returns true if the later version contains it unchanged at another place.
    pub(in crate::store) fn is_moved(&self) -> bool {
        self.now.as_ref().is_some_and(|(hash, _)| *hash == self.was)
    }
}

/// A change of a published text that a person can accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommittedLoss {
    /// The hash of the text.
    pub(crate) was: String,
    /// The hash of the block before it, or [`Accepted::START`].
    pub(crate) after: String,
    /// The text.
    pub(crate) text: String,
    /// The author of the text, if it is a comment.
    pub(crate) of: Option<String>,
    /// The hash and the text of its replacement; an equal hash if it was moved.
    pub(crate) now: Option<(String, String)>,
}

impl From<&CommittedLoss> for Lost {
    fn from(loss: &CommittedLoss) -> Self {
        let CommittedLoss { was, after, text, now, .. } = loss.clone();
        Self { was, after, text, now, is_seen: true }
    }
}

/// One part: the text before all entries, or an entry.
struct ChangedPart {
    hash: String,
    text: String,
    /// Its first line, which identifies an edited comment.
    head: String,
}

fn parts(text: &str) -> Vec<ChangedPart> {
    let read = parse(text);
    let beginning = plain(&text[..read.preamble.end]).into_owned();
    let first = ChangedPart { hash: sha256_hex(&beginning), text: beginning, head: String::new() };
    let entries = read.entries.iter().map(|entry| {
        let key = entry_key(text, entry);
        ChangedPart {
            hash: key.hash(),
            text: key.as_str().to_owned(),
            head: key.as_str().lines().next().unwrap_or_default().to_lowercase(),
        }
    });
    std::iter::once(first).chain(entries).collect()
}

/// Returns the parts of `before` that `now` lacks or has elsewhere, and the hashes of parts that `now` inserts between
/// those of `before`. Text appended after `before` changes nothing.
pub(in crate::store) fn lost_text(before: &str, now: &str) -> (Vec<Lost>, Vec<String>) {
    if plain(now).starts_with(plain(before).as_ref()) {
        return (Vec::new(), Vec::new());
    }
    let (old, new) = (parts(before), parts(now));
    fn hashes(parts: &[ChangedPart]) -> Vec<&str> {
        parts.iter().map(|part| part.hash.as_str()).collect()
    }
    let ops = list_changes(&hashes(&old), &hashes(&new));
    let mut free: HashMap<&str, usize> = HashMap::new();
    let mut between = Vec::new();
    for op in &ops {
        let (DiffOp::Insert { .. } | DiffOp::Replace { .. }) = op else { continue };
        for part in &new[op.new_range()] {
            *free.entry(&part.hash).or_default() += 1;
            if op.old_range().end < old.len() {
                between.push(part.hash.clone());
            }
        }
    }
    let last_turn = old.iter().rposition(|part| part.text.starts_with("<!-- TURN:"));
    let mut gone = Vec::new();
    for op in &ops {
        let mut candidates: Vec<&ChangedPart> = new[op.new_range()].iter().collect();
        let (DiffOp::Delete { .. } | DiffOp::Replace { .. }) = op else { continue };
        for index in op.old_range() {
            let part = &old[index];
            let moved = free.get_mut(part.hash.as_str()).filter(|count| **count > 0);
            let became = if let Some(count) = moved {
                *count -= 1;
                Some(part)
            } else {
                let same = |new: &&ChangedPart| new.head == part.head;
                // If the head line was corrected, the first words below it still match.
                let words = |part: &ChangedPart| {
                    part.text.lines().filter(|line| !line.is_empty()).nth(1).map(str::to_owned)
                };
                let alike = |new: &&ChangedPart| words(part).is_some() && words(new) == words(part);
                let found = candidates.iter().position(same);
                let found = found.or_else(|| candidates.iter().position(alike));
                found.map(|at| candidates.remove(at))
            };
            let before = index.checked_sub(2).map(|_| old[index - 1].hash.clone());
            gone.push(Lost {
                was: part.hash.clone(),
                after: before.unwrap_or_else(|| Accepted::START.to_owned()),
                text: part.text.clone(),
                now: became.map(|new| (new.hash.clone(), new.text.clone())),
                is_seen: last_turn.is_some_and(|turn| turn > index),
            });
        }
    }
    (gone, between)
}

/// Returns the key of the entry at a line of a text, and the hash of the entry before it.
pub(in crate::store) fn entry_at(text: &str, line: usize) -> Option<(BlockKey, String)> {
    let entries = parse(text).entries;
    let index = entries.iter().rposition(|entry| entry.line <= line)?;
    let before = index.checked_sub(1).map(|before| entry_key(text, &entries[before]).hash());
    let before = before.unwrap_or_else(|| Accepted::START.to_owned());
    Some((entry_key(text, &entries[index]), before))
}

/// Maximum number of lines that are compared to choose between several possible places.
const ENOUGH: usize = 64;

/// Returns the byte position in `new` at which text begins that was only appended after `old`. Returns the length of
/// `new` if nothing was appended, or if the end of `old` cannot be found.
///
/// The end of `old` is the place where most of its last lines match. Of equally good places, it is the first one after
/// the common beginning.
pub(in crate::store) fn appended_from(old: &str, new: &str) -> usize {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = if common == old.len() {
        common
    } else {
        let run = |end: &usize| {
            let pairs = old[common..].iter().rev().zip(new[common..*end].iter().rev());
            pairs.take(ENOUGH).take_while(|(a, b)| a == b).count()
        };
        // Of equal maxima, `max_by_key` returns the last.
        let ends = (common + 1..=new.len()).rev().map(|end| (run(&end), end));
        match ends.max_by_key(|(lines, _)| *lines) {
            Some((1.., end)) => end,
            _ => new.len(),
        }
    };
    new[..end].iter().map(|line| line.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(comments: &[&str]) -> String {
        let comments: String =
            comments.iter().map(|said| format!("---\n\nName: Rob\n\n{said}\n\n")).collect();
        format!("# T\n\n{comments}---\n")
    }

    fn lost_lines(before: &str, now: &str) -> Vec<(String, Option<String>)> {
        let last = |text: &str| text.lines().last().unwrap_or_default().to_owned();
        let (gone, _) = lost_text(before, now);
        gone.iter()
            .map(|lost| (last(&lost.text), lost.now.as_ref().map(|now| last(&now.1))))
            .collect()
    }

    #[test]
    fn lost_changed_and_moved_blocks_are_found() {
        let all = file(&["a", "b", "c"]);
        assert_eq!(lost_lines(&all, &file(&["a", "b", "c", "d"])), []);
        assert_eq!(lost_lines(&all, &all.replace('\n', "\r\n")), []);
        assert_eq!(lost_lines(&all, &file(&["a", "c"])), [("b".to_owned(), None)]);
        assert_eq!(
            lost_lines(&all, &file(&["a", "x", "c"])),
            [("b".to_owned(), Some("x".to_owned()))]
        );
        let moved = lost_lines(&all, &file(&["b", "a", "c"]));
        assert!(moved.len() == 1 && moved[0].1.as_ref() == Some(&moved[0].0), "{moved:?}");
        let titled = all.replace("# T", "# U");
        assert_eq!(lost_lines(&all, &titled), [("# T".to_owned(), Some("# U".to_owned()))]);
    }

    #[test]
    fn continuing_an_open_comment_changes_nothing() {
        let open = "# T\n\n---\n\nName: Rob\n\nhalf\n";
        assert_eq!(lost_lines(open, &format!("{open}and half\n\n---\n")), []);
        assert_eq!(lost_lines("# T\n", "# T\n\nmore\n\n---\n\nName: Rob\n\nx\n"), []);
        assert_eq!(lost_lines(open, &open.replace("half", "whole")).len(), 1);
    }

    #[test]
    fn appended_text_is_distinguished_from_changed_text() {
        let old = "one\ntwo\nthree\n";
        let new = "one\n2\nthree\nfour\nfive\n";
        assert_eq!(&new[appended_from(old, new)..], "four\nfive\n");
        assert_eq!(appended_from(old, "one\n"), 4);
        assert_eq!(appended_from("", "one\n"), 0);
        assert_eq!(appended_from("one", "one more\n"), 9);
    }

    #[test]
    fn first_of_equal_ends_is_used() {
        let old = "A\n---\nB\n---\n";
        let new = "A\n---\nchanged\n---\nC\n---\n";
        assert_eq!(&new[appended_from(old, new)..], "C\n---\n");
        let moved = "A\n---\nnew\n---\nB\n---\nC\n---\n";
        assert_eq!(&moved[appended_from(old, moved)..], "C\n---\n");
    }
}

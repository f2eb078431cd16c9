//! Telling an edited block from a lost one.

use std::collections::{HashMap, HashSet};

use similar::TextDiff;

use super::block::{Key, entry_key};
use super::journal::Record;
use crate::transcript::{Ending, Entry, EntryKind, Transcript};

/// How alike an edited text and the acknowledged one are at least, from 0 to 1.
const ALIKE: f32 = 0.6;
/// Longer blocks are compared line by line, in bytes.
const LONG: usize = 16 * 1024;

/// Shorter blocks are compared letter by letter too, in bytes.
const SHORT: usize = 400;

/// The comments that no journal knows: handwriting, pulled ones, and edited ones.
pub(super) struct Edits<'t> {
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
    pub(super) fn new(transcript: &'t Transcript, known: &HashSet<Key>) -> Self {
        let mut unknown = Vec::new();
        let mut before: Option<&Entry> = None;
        for entry in &transcript.entries {
            let key = entry_key(&transcript.text, entry);
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
                        before: before.map(|entry| entry_key(&transcript.text, entry).hash()),
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
    pub(super) fn take(&mut self, record: &Record) -> Option<usize> {
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
    } else if a.len() + b.len() < SHORT {
        // One changed word is much of a short text, and little of its letters.
        TextDiff::from_words(a, b).ratio().max(TextDiff::from_chars(a, b).ratio())
    } else {
        TextDiff::from_words(a, b).ratio()
    }
}

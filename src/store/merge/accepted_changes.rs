//! Changes of older text that one side of a merge made and accepted. They are applied to the other versions too, so
//! that no person has to merge a settled change.

use std::collections::HashMap;

use super::accepted::Acceptances;
use super::block::entry_key;
use super::changed::{Lost, lost_text};
use crate::digest::sha256_hex;
use crate::transcript::{Accepted, parse};

/// The common version and both sides, each with the accepted changes of either side.
pub(super) struct Settled {
    pub(super) base: String,
    pub(super) ours: String,
    pub(super) theirs: String,
}

/// Applies the accepted changes. Returns `None` if none was accepted, if a side changed more than it accepted, or if
/// the sides accepted different replacements.
pub(super) fn settled(base: &str, ours: &str, theirs: &str) -> Option<Settled> {
    // Most merges contain no acceptance and need no comparison.
    let word = "<!-- ACCEPTED ";
    if !ours.contains(word) && !theirs.contains(word) {
        return None;
    }
    let (our_own, their_own) = (accepted_changes(base, ours)?, accepted_changes(base, theirs)?);
    let same = |a: &Lost, b: &Lost| a.was == b.was && a.after == b.after;
    let differ = |a: &Lost| their_own.iter().any(|b| same(a, b) && a.now != b.now);
    if our_own.is_empty() && their_own.is_empty() || our_own.iter().any(differ) {
        return None;
    }
    let beside = |mine: &[Lost], other: &[Lost]| -> Vec<Lost> {
        other.iter().filter(|b| !mine.iter().any(|a| same(a, b))).cloned().collect()
    };
    let (from_theirs, from_ours) = (beside(&our_own, &their_own), beside(&their_own, &our_own));
    let all: Vec<Lost> = our_own.iter().chain(&from_theirs).cloned().collect();
    let times = times(base);
    Some(Settled {
        base: with(base, &all, &times)?,
        ours: with(ours, &from_theirs, &times)?,
        theirs: with(theirs, &from_ours, &times)?,
    })
}

/// Returns the changes of one side to the common version. `None` if one of them was not accepted, or if a block only
/// moved.
fn accepted_changes(base: &str, side: &str) -> Option<Vec<Lost>> {
    let (gone, _) = lost_text(base, side);
    let accepted = Acceptances::of(side).since(base);
    gone.iter().all(|one| accepted.cover(one) && !one.is_moved()).then_some(gone)
}

/// Counts how often each text occurs in a version.
fn times(text: &str) -> HashMap<String, usize> {
    let mut times = HashMap::new();
    for entry in &parse(text).entries {
        *times.entry(entry_key(text, entry).hash()).or_default() += 1;
    }
    times
}

/// Applies changes to a version. Returns `None` if the place of a change is unclear.
fn with(text: &str, changes: &[Lost], times: &HashMap<String, usize>) -> Option<String> {
    let read = parse(text);
    let entries = &read.entries;
    let hashes: Vec<String> = entries.iter().map(|entry| entry_key(text, entry).hash()).collect();
    let behind = |index: usize| match index.checked_sub(1) {
        Some(before) => hashes[before].as_str(),
        None => Accepted::START,
    };
    let mut edits = Vec::with_capacity(changes.len());
    for change in changes {
        let now = change.now.as_ref().map_or("", |(_, text)| text.as_str());
        if sha256_hex(&text[..read.preamble.end]) == change.was {
            edits.push((0..read.preamble.end, now));
            continue;
        }
        let is_it = |index: &usize| hashes[*index] == change.was;
        let mut all = (0..hashes.len()).filter(is_it);
        let index = match times.get(&change.was) {
            // A text that occurs once can be found whatever happened to the text before it.
            Some(1) => all.next()?,
            _ => all.find(|index| behind(*index) == change.after)?,
        };
        let span = entries[index].span.clone();
        let end = match &change.now {
            Some(_) => span.end,
            None => entries.get(index + 1).map_or(text.len(), |next| next.span.start),
        };
        edits.push((span.start..end, now));
    }
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut out = text.to_owned();
    for (range, now) in edits {
        out.replace_range(range, now);
    }
    Some(out)
}

//! Changes of older text that one side of a merge made, and that somebody agreed to there: they are made in the other
//! versions too, so that nobody has to join what was settled.

use std::collections::HashMap;

use super::accepted::Acceptances;
use super::block::entry_key;
use super::changed::{Lost, lost};
use crate::digest::sha256_hex;
use crate::transcript::{Accepted, parse};

/// The common version and both sides, each with what was agreed to on either.
pub(super) struct Settled {
    pub(super) base: String,
    pub(super) ours: String,
    pub(super) theirs: String,
}

/// `None`: nobody agreed to anything, somebody changed more than was agreed to, or the sides agreed to different things.
pub(super) fn settled(base: &str, ours: &str, theirs: &str) -> Option<Settled> {
    // Most merges know no agreement, and need not be compared for that.
    let word = "<!-- ACCEPTED ";
    if !ours.contains(word) && !theirs.contains(word) {
        return None;
    }
    let (our_own, their_own) = (agreed(base, ours)?, agreed(base, theirs)?);
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

/// What a side changed of the common version. `None`: nobody agreed to some of it, or it only moved something.
fn agreed(base: &str, side: &str) -> Option<Vec<Lost>> {
    let (gone, _) = lost(base, side);
    let accepted = Acceptances::of(side).since(base);
    gone.iter().all(|one| accepted.cover(one) && !one.is_moved()).then_some(gone)
}

/// How often each text stands in a version.
fn times(text: &str) -> HashMap<String, usize> {
    let mut times = HashMap::new();
    for entry in &parse(text).entries {
        *times.entry(entry_key(text, entry).hash()).or_default() += 1;
    }
    times
}

/// A version with changes made in it. `None`: where one of them is to be made cannot be told.
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
            // What stands once is found whatever became of the text before it.
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

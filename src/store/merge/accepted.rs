//! Changes of older text that were accepted in `ACCEPTED` lines of the discussion. A merge applies the accepted changes
//! of one side to the other versions.
//!
//! A line applies only to earlier versions. It excuses nothing in a version that already contains
//! the line, so that later changes cannot hide behind an acceptance of something else.

use std::collections::HashMap;

use super::block::entry_key;
use super::changed::{Lost, lost_text};
use crate::codes::ProblemCode;
use crate::digest::sha256_hex;
use crate::problem::{Problem, Severity};
use crate::transcript::{Accepted, Control, Entry, EntryKind, Time, parse, visible_line};

/// `ACCEPTED` lines, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Acceptances(Vec<Accepted>);

impl Acceptances {
    /// Returns the lines of a text.
    pub(in crate::store) fn of(text: &str) -> Self {
        // Most texts contain none and need not be parsed.
        if !text.contains("<!-- ACCEPTED ") {
            return Self::default();
        }
        let entries = parse(text).entries.into_iter();
        Self(
            entries
                .filter_map(|entry| match entry.kind {
                    EntryKind::Control(Control::Accepted(line)) => Some(*line),
                    EntryKind::Comment(_) | EntryKind::Control(_) | EntryKind::Stray(_) => None,
                })
                .collect(),
        )
    }

    /// Returns the lines that an earlier version does not contain.
    pub(in crate::store) fn since(&self, version: &str) -> Self {
        let known = Self::of(version).0;
        Self(self.0.iter().filter(|line| !known.contains(line)).cloned().collect())
    }

    /// Returns the lines that name the right author of the changed text. If the text has no author, returns all lines.
    #[must_use]
    pub(in crate::store) fn naming(&self, author: Option<&str>) -> Self {
        let Some(author) = author.map(str::to_lowercase) else { return self.clone() };
        let names = |line: &&Accepted| {
            line.of.as_ref().is_some_and(|of| of.trim().to_lowercase() == author)
        };
        Self(self.0.iter().filter(names).cloned().collect())
    }

    /// Returns true if this loss at this place was accepted.
    pub(in crate::store) fn cover(&self, lost: &Lost) -> bool {
        self.cover_among(lost, self)
    }

    /// Returns true if this loss was accepted. `all` contains earlier acceptances too, which identify the place.
    pub(in crate::store) fn cover_among(&self, lost: &Lost, all: &Self) -> bool {
        self.0.iter().any(|line| {
            line.was == lost.was
                && line.after.iter().any(|after| all.is_one_place(after, &lost.after))
                && is_move(line) == lost.is_moved()
        })
    }

    /// Returns true if two places become the same one once accepted changes are applied: a merge applies changes to one
    /// branch that were accepted on the other.
    fn is_one_place(&self, after: &str, other: &str) -> bool {
        let all = |from: &str| {
            let mut found = vec![from.to_owned()];
            let mut at = 0;
            while let Some(hash) = found.get(at).cloned() {
                let became = self.0.iter().filter(|line| line.was == hash && !is_move(line));
                for line in became {
                    let next = match &line.now {
                        Some(now) => std::slice::from_ref(now),
                        None => line.after.as_slice(),
                    };
                    for hash in next {
                        if !found.contains(hash) {
                            found.push(hash.clone());
                        }
                    }
                }
                at += 1;
            }
            found
        };
        after == other
            || all(after).iter().any(|hash| hash == other)
            || all(other).iter().any(|hash| hash == after)
    }

    /// Returns true if the new place of a moved text was accepted.
    pub(in crate::store) fn accepts_move(&self, hash: &str) -> bool {
        self.0.iter().any(|line| line.was == hash && is_move(line))
    }

    /// Returns the acceptances of losses. Each excuses one loss.
    pub(in crate::store) fn excuses(&self) -> Excuses {
        let mut excuses: HashMap<String, Vec<Option<Time>>> = HashMap::new();
        for line in self.0.iter().filter(|line| !is_move(line)) {
            excuses.entry(line.was.clone()).or_default().push(line.at);
        }
        Excuses(excuses)
    }
}

fn is_move(line: &Accepted) -> bool {
    line.now.as_ref() == Some(&line.was)
}

/// Returns notes about accepted changes of other people's words. All readers see these notes, because the name in an
/// `ACCEPTED` line proves nothing: any writer can use any name.
pub(crate) fn agreements(text: &str) -> Vec<Problem> {
    if !text.contains("<!-- ACCEPTED ") {
        return Vec::new();
    }
    let read = parse(text);
    let hashes: HashMap<String, &Entry> =
        read.entries.iter().map(|entry| (entry_key(text, entry).hash(), entry)).collect();
    let told = read.entries.iter().filter_map(|entry| {
        let EntryKind::Control(Control::Accepted(line)) = &entry.kind else { return None };
        // The head of the present comment is more reliable than the author's name in the `ACCEPTED` line.
        let stands = line.now.as_ref().and_then(|now| match &hashes.get(now)?.kind {
            EntryKind::Comment(comment) => Some(comment.name.as_str()),
            EntryKind::Control(_) | EntryKind::Stray(_) => None,
        });
        let of = stands.or(line.of.as_deref())?;
        let by = line.by.as_deref().unwrap_or("somebody");
        let what = match &line.now {
            None => "removed",
            Some(_) if is_move(line) => "moved",
            Some(_) => "changed",
        };
        let message = format!(
            "{} accepted that a comment by {} was {what}",
            visible_line(by),
            visible_line(of)
        );
        let place = (entry.line, 1);
        let other = !of.eq_ignore_ascii_case(by);
        other.then(|| Problem::new(Severity::Note, ProblemCode::ChangeAccepted, place, message))
    });
    told.collect()
}

/// Acceptances that are not used up yet.
#[derive(Clone, Debug)]
pub(in crate::store) struct Excuses(HashMap<String, Vec<Option<Time>>>);

impl Excuses {
    /// Uses up one acceptance of a loss, if one exists that is not older than the lost text. A text without a time
    /// counts as older than any acceptance.
    pub(in crate::store) fn take(&mut self, hash: &str, written: Option<Time>) -> bool {
        let Some(times) = self.0.get_mut(hash) else { return false };
        let fits = |at: &Option<Time>| at.zip(written).is_none_or(|(at, written)| written <= at);
        times.iter().position(fits).map(|found| times.swap_remove(found)).is_some()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::merge::lost_text;
    use crate::transcript::{Draft, append};

    const BEFORE: &str = "# T\n\n---\n\nName: Rob\n\nVOTE: READY\n\n---\n\nName: Eve\n\nx\n\n---\n\nName: Rob\n\nVOTE: READY\n\n---\n";

    /// Returns the text without its first vote, and with a line that accepts the removal.
    fn accepted_text() -> String {
        let now = BEFORE.replacen("\nName: Rob\n\nVOTE: READY\n\n---\n", "", 1);
        let (lost, _) = lost_text(BEFORE, &now);
        assert_eq!(lost.len(), 1);
        let line = Accepted {
            was: lost[0].was.clone(),
            after: vec![lost[0].after.clone()],
            ..Accepted::default()
        };
        let added = append(&now, &[Draft::Control(Control::Accepted(line.into()))]);
        now + &added
    }

    #[test]
    fn acceptance_covers_one_text_at_one_place_before_it() {
        let now = accepted_text();
        let all = Acceptances::of(&now);
        let (first, _) = lost_text(BEFORE, &now);
        assert!(all.since(BEFORE).cover(&first[0]));
        // Equal words by the same person at another place.
        let other = BEFORE.replace("x\n\n---\n\nName: Rob\n\nVOTE: READY\n", "x\n");
        let (second, _) = lost_text(BEFORE, &other);
        assert!(second.len() == 1 && !all.cover(&second[0]), "{second:?}");
        // A version that already contains the line gets no excuse from it.
        assert!(!all.since(&now).cover(&first[0]));
    }

    #[test]
    fn each_acceptance_excuses_one_earlier_loss() {
        let time = |text: &str| Some(text.parse().unwrap());
        let line = |at: Option<Time>| Accepted { was: "a".to_owned(), at, ..Accepted::default() };
        let noon = time("2026-11-20T12:00:00Z");
        let mut excuses = Acceptances(vec![line(noon)]).excuses();
        assert!(!excuses.take("a", time("2026-11-20T13:00:00Z")));
        assert!(!excuses.take("b", None));
        assert!(excuses.take("a", time("2026-11-20T11:00:00Z")));
        assert!(!excuses.take("a", None));
        let moved = Accepted { now: Some("a".to_owned()), ..line(None) };
        assert!(!Acceptances(vec![moved]).excuses().take("a", None));
    }
}

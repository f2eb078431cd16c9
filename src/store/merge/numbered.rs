//! References by number: `A: Q3`, `DONE: T1`, `+1 D2`, `HINDSIGHT (D2): held`. The item that a number refers to depends on all the text above
//! it.

use std::collections::{HashMap, HashSet};

use super::block::{BlockKey, entry_key};
use crate::problem::Renumbered;
use crate::transcript::{Comment, EntryKind, Marker, MarkerSet, parse};

/// One number in a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct MarkerNumber {
    /// The letter of the items that it counts.
    pub(in crate::store) letter: char,
    /// The number, from 1.
    pub(in crate::store) number: usize,
    /// Line in the document.
    pub(in crate::store) line: usize,
}

/// Returns the numbers with which a comment refers to items.
pub(in crate::store) fn numbers(comment: &Comment) -> Vec<MarkerNumber> {
    let body = comment.read(&MarkerSet::default());
    let decision = Marker::Decision.opens();
    let marks = body.marks.iter().filter_map(|mark| {
        // Only brackets name a decision; `AFFECTS: d1` is a file.
        let letter = if mark.marker.may_name_decision() {
            decision.filter(|_| mark.text.starts_with('('))?
        } else {
            mark.marker.names()?
        };
        let number = number_after(&mark.text, letter)?;
        Some(MarkerNumber { letter, number, line: mark.line })
    });
    let supports = body.supports.iter().filter_map(|&(number, line)| {
        Some(MarkerNumber { letter: decision?, number: number as usize, line })
    });
    marks.chain(supports).collect()
}

/// Returns the number after a letter at the start of a text, possibly in bold or brackets.
fn number_after(text: &str, letter: char) -> Option<usize> {
    let bare = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = bare.chars().next().filter(|first| first.eq_ignore_ascii_case(&letter))?;
    let digits = &bare[first.len_utf8()..];
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Returns the numbers of a text that referred to another item in the same comment of an earlier version. A merge
/// causes this for `A: Q3`, for example, if it inserts a question above.
pub(crate) fn renumbered(before: &str, after: &str) -> Vec<Renumbered> {
    let known: HashMap<_, _> = meanings(before)
        .into_iter()
        .filter_map(|meaning| Some((meaning.place, meaning.text?)))
        .collect();
    let changed = meanings(after).into_iter().filter_map(|meaning| {
        let before =
            known.get(&meaning.place).filter(|text| Some(*text) != meaning.text.as_ref())?;
        Some(Renumbered {
            line: meaning.number.line,
            name: format!("{}{}", meaning.number.letter, meaning.number.number),
            before: before.clone(),
            after: meaning.text,
        })
    });
    changed.collect()
}

/// The item that a number refers to at its place.
struct Meaning {
    /// The comment, its index among equal comments, and the index of the number in it.
    place: (BlockKey, usize, usize),
    number: MarkerNumber,
    text: Option<String>,
}

fn meanings(text: &str) -> Vec<Meaning> {
    let mut counted: HashMap<char, Vec<String>> = HashMap::new();
    let mut decided = HashSet::new();
    let mut seen: HashMap<BlockKey, usize> = HashMap::new();
    let mut found = Vec::new();
    for entry in &parse(text).entries {
        let EntryKind::Comment(comment) = &entry.kind else { continue };
        if !comment.acknowledged() || comment.summary.is_some() {
            continue;
        }
        for mark in comment.read(&MarkerSet::default()).marks {
            let Some(letter) = mark.marker.opens() else { continue };
            // Repeating a decision supports it; it does not get another number.
            if mark.marker != Marker::Decision || decided.insert(mark.text.clone()) {
                counted.entry(letter).or_default().push(mark.text);
            }
        }
        let key = entry_key(text, entry);
        let copy = seen.entry(key.clone()).and_modify(|copy| *copy += 1).or_default();
        for (index, number) in numbers(comment).into_iter().enumerate() {
            let list = counted.get(&number.letter);
            let text = number.number.checked_sub(1).and_then(|index| list?.get(index)).cloned();
            found.push(Meaning { place: (key.clone(), *copy, index), number, text });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "# A\n\n---\n\nName: Rob\n\nQ: first?\n\n---\n\nName: Rob\n\nQ: second?\n\n---\n\n\
                        Name: Ann\n\nA: Q2 because.\n\nA: Q1 so.\n\n---\n";

    #[test]
    fn number_with_another_target_is_found() {
        let moved = OURS.replace(
            "---\n\nName: Rob\n\nQ: second?",
            "---\n\nName: Eve\n\nQ: third?\n\n---\n\nName: Rob\n\nQ: second?",
        );
        let found = renumbered(OURS, &moved);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            (found[0].before.as_str(), found[0].after.as_deref()),
            ("second?", Some("third?"))
        );
        assert_eq!((found[0].name.as_str(), found[0].line), ("Q2", 25));
        assert_eq!(renumbered(OURS, OURS), []);
        assert_eq!(renumbered("# A\n", OURS), []);
    }

    #[test]
    fn hindsight_about_another_decision_than_before_is_found() {
        let ours = "# A\n\n---\n\nName: Rob\n\nDECISION: first\n\n---\n\n\
                    Name: Ann\n\nHINDSIGHT (D1): held\n\nAFFECTS: `d1`\n\n---\n";
        let theirs = "---\n\nName: Eve\n\nDECISION: other\n\n---\n\nName: Rob\n\nDECISION: first";
        let moved = ours.replace("---\n\nName: Rob\n\nDECISION: first", theirs);
        let found = renumbered(ours, &moved);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].name.as_str(), found[0].before.as_str()), ("D1", "first"));
        assert_eq!(found[0].after.as_deref(), Some("other"));
    }

    #[test]
    fn every_kind_of_item_is_compared() {
        for (opens, names) in
            [("TODO", "DONE: T1"), ("DECISION", "WITHDRAWN: D1"), ("CONCERN", "SETTLED: C1")]
        {
            let ours = format!(
                "# A\n\n---\n\nName: Rob\n\n{opens}: first\n\n---\n\nName: Rob\n\n{names}\n\n---\n"
            );
            let theirs =
                format!("---\n\nName: Eve\n\n{opens}: other\n\n---\n\nName: Rob\n\n{opens}: first");
            let moved = ours.replace(&format!("---\n\nName: Rob\n\n{opens}: first"), &theirs);
            let found = renumbered(&ours, &moved);
            let found: Vec<_> =
                found.iter().map(|one| (&*one.before, one.after.as_deref())).collect();
            assert_eq!(found, [("first", Some("other"))], "{names}");
        }
    }

    #[test]
    fn numbers_are_read_in_every_spelling() {
        for (text, number) in [("Q3", 3), ("q12: so", 12), ("**Q1** yes", 1), ("(Q2)", 2)] {
            assert_eq!(number_after(text, 'Q'), Some(number));
        }
        assert!(["Quite so", "3", "T3", ""].iter().all(|text| number_after(text, 'Q').is_none()));
    }
}

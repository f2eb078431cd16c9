//! The difference between the text that reviewers read and the final text.

use std::ops::Range;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::text_diff::{ChangeTag, DiffOp, DiffTag, TextComparison, TextUnit};

/// Maximum time of one comparison; after it, the result becomes coarse.
const PATIENCE: Duration = Duration::from_secs(2);

/// The difference between the reviewed text and the final text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextRevision {
    /// A unified diff from the reviewed text to the final text.
    pub diff: String,
    /// The changed places, each with its words.
    #[serde(skip)]
    pub places: Vec<Vec<TextChange>>,
}

/// A part of a changed place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChange {
    /// The text or texts that have the part.
    pub kind: ChangeKind,
    /// Its text.
    pub text: String,
}

/// The fate of a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is in both texts.
    Kept,
    /// It is only in the reviewed text.
    Removed,
    /// It is only in the final text.
    Added,
}

impl TextChange {
    /// Returns true if it is only in the reviewed text.
    pub fn is_removed(&self) -> bool {
        self.kind == ChangeKind::Removed
    }

    /// Returns true if it is only in the final text.
    pub fn is_added(&self) -> bool {
        self.kind == ChangeKind::Added
    }
}

impl TextRevision {
    /// Compares the reviewed text with the final text; `None` if they are equal.
    pub(super) fn between(reviewed: &str, last: &str) -> Option<Self> {
        let with_end = |text: &str| format!("{}\n", text.trim_end());
        let (reviewed, last) = (with_end(reviewed), with_end(last));
        let lines = TextComparison::with_patience(PATIENCE, TextUnit::Lines, &reviewed, &last);
        let diff = lines.unified(1, ("reviewed", "final"));
        if diff.is_empty() {
            return None;
        }
        let (old, new): (Vec<&str>, Vec<&str>) =
            (reviewed.split_inclusive('\n').collect(), last.split_inclusive('\n').collect());
        let changed = lines.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
        let places = changed.map(|op| words(&old, &new, op)).filter(|place| !place.is_empty());
        Some(Self { places: places.collect(), diff })
    }
}

/// Returns a changed place as words that were kept, removed and added; empty if only blank lines changed.
fn words(old: &[&str], new: &[&str], op: &DiffOp) -> Vec<TextChange> {
    // The file has tags in escaped form; a page shows them as they were typed.
    let text = |lines: &[&str], range: Range<usize>| {
        lines.get(range).unwrap_or_default().concat().replace("&lt;", "<")
    };
    let old = text(old, op.old_range());
    let new = text(new, op.new_range());
    let (old, new) = (old.trim(), new.trim());
    let mut place: Vec<TextChange> = Vec::new();
    if old.is_empty() && new.is_empty() {
        return place;
    }
    let compared = TextComparison::with_patience(PATIENCE, TextUnit::Words, old, new);
    for (tag, text) in compared.changes() {
        let kind = match tag {
            ChangeTag::Equal => ChangeKind::Kept,
            ChangeTag::Delete => ChangeKind::Removed,
            ChangeTag::Insert => ChangeKind::Added,
        };
        match place.last_mut() {
            Some(last) if last.kind == kind => last.text.push_str(text),
            _ => place.push(TextChange { kind, text: text.to_owned() }),
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_places_have_their_words() {
        let reviewed = "Order a box.\n\nIt costs 300.\n\nAsk Ann.";
        let last = "Order a box.\n\nIt costs 150, paid in May.\n\nAsk Ann.\n\nThen wait.\n";
        let revision = TextRevision::between(reviewed, last).unwrap();
        for line in ["--- reviewed", "+++ final", "-It costs 300.", "+It costs 150, paid in May."] {
            assert!(revision.diff.lines().any(|found| found == line), "{line}: {}", revision.diff);
        }
        assert!(!revision.diff.contains("No newline"), "{}", revision.diff);
        let marked = |place: &Vec<TextChange>| -> String {
            let part = |part: &TextChange| match part.kind {
                ChangeKind::Kept => part.text.clone(),
                ChangeKind::Removed => format!("[-{}]", part.text),
                ChangeKind::Added => format!("[+{}]", part.text),
            };
            place.iter().map(part).collect()
        };
        let places: Vec<String> = revision.places.iter().map(marked).collect();
        assert_eq!(places, ["It costs [-300.][+150, paid in May.]", "[+Then wait.]"]);
    }

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(TextRevision::between("One.\n", "One."), None);
        // Blank lines are a difference, but no place to show.
        let blank = TextRevision::between("One.\nTwo.", "One.\n\nTwo.").unwrap();
        assert_eq!(blank.places, Vec::<Vec<TextChange>>::new());
    }
}

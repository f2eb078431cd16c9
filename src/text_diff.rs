//! Differences of two texts by lines, words or letters, and how similar the texts are.
//!
//! The code that compares is generic. All comparisons of the project are made here, so that it is compiled once.

use std::ops::Range;
use std::time::Duration;

pub(crate) use similar::{ChangeTag, DiffOp, DiffTag};
use similar::{DiffableStr as _, TextDiff};

/// The parts into which texts are cut before they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextUnit {
    /// Lines with their line ends.
    Lines,
    /// Words, and the blanks between them.
    Words,
    /// Characters.
    Letters,
}

impl TextUnit {
    fn cut(self, text: &str) -> Vec<&str> {
        match self {
            Self::Lines => text.tokenize_lines(),
            Self::Words => text.tokenize_words(),
            Self::Letters => text.tokenize_chars(),
        }
    }
}

/// Two texts and their difference.
pub(crate) struct TextComparison<'t>(TextDiff<'t, 't, str>);

impl<'t> TextComparison<'t> {
    /// Compares two texts by these units.
    pub(crate) fn of(unit: TextUnit, old: &'t str, new: &'t str) -> Self {
        Self::of_slices(&unit.cut(old), &unit.cut(new), unit == TextUnit::Lines, None)
    }

    /// Compares two texts by these units. After `patience`, the result becomes coarse.
    pub(crate) fn with_patience(
        patience: Duration,
        unit: TextUnit,
        old: &'t str,
        new: &'t str,
    ) -> Self {
        Self::of_slices(&unit.cut(old), &unit.cut(new), unit == TextUnit::Lines, Some(patience))
    }

    /// `are_lines` is true if each slice contains its line end.
    fn of_slices(
        old: &[&'t str],
        new: &[&'t str],
        are_lines: bool,
        patience: Option<Duration>,
    ) -> Self {
        let mut settings = TextDiff::configure();
        settings.newline_terminated(are_lines);
        if let Some(patience) = patience {
            settings.timeout(patience);
        }
        Self(settings.diff_slices(old, new))
    }

    /// Returns the share of equal units, 0 to 1.
    pub(crate) fn ratio(&self) -> f32 {
        self.0.ratio()
    }

    /// Returns the ranges of units that are equal, removed, inserted or replaced.
    pub(crate) fn ops(&self) -> &[DiffOp] {
        self.0.ops()
    }

    /// Returns all units of both texts in order, each with its fate.
    pub(crate) fn changes(&self) -> Vec<(ChangeTag, &str)> {
        self.0.iter_all_changes().map(|change| (change.tag(), change.value())).collect()
    }

    /// Returns the difference of lines as a unified diff. `context` is the number of equal lines around each change;
    /// `names` are those of the old and the new text.
    pub(crate) fn unified(&self, context: usize, names: (&str, &str)) -> String {
        let mut diff = self.0.unified_diff();
        diff.context_radius(context).header(names.0, names.1).to_string()
    }
}

/// Returns the ranges of items that are equal, removed, inserted or replaced between two lists.
pub(crate) fn list_changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    TextComparison::of_slices(old, new, false, None).ops().to_vec()
}

/// Returns the share of equal letters of two texts, 0 to 1.
pub(crate) fn letters_alike(one: &str, other: &str) -> f32 {
    TextComparison::of(TextUnit::Letters, one, other).ratio()
}

/// Returns the share of equal letters of two texts if it is at least `least`. Most texts are ruled out by their letters
/// in any order, which takes far less time.
pub(crate) fn letters_at_least(least: f32, one: &str, other: &str) -> Option<f32> {
    let (mut left, mut shared) = ([0_u32; 256], 0);
    one.chars().for_each(|letter| left[bucket(letter)] += 1);
    for letter in other.chars() {
        let count = &mut left[bucket(letter)];
        shared += usize::from(*count > 0);
        *count = count.saturating_sub(1);
    }
    let total = one.chars().count() + other.chars().count();
    if (2 * shared) as f32 + 0.001 < least * total as f32 {
        return None;
    }
    Some(letters_alike(one, other)).filter(|alike| *alike >= least)
}

/// Different letters may be counted together; the bound that follows from the counts is then only higher.
fn bucket(letter: char) -> usize {
    letter as usize % 256
}

/// Cuts the change from one text to another into replacements of whole lines, each with its range of bytes.
pub(crate) fn line_edits(old: &str, new: &str) -> Vec<(Range<usize>, String)> {
    let compared = TextComparison::of(TextUnit::Lines, old, new);
    let starts = |text: &str| -> Vec<usize> {
        let ends = text.split_inclusive('\n').scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        });
        std::iter::once(0).chain(ends).collect()
    };
    let (old_starts, new_starts) = (starts(old), starts(new));
    let changed = compared.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    let edits = changed.filter_map(|op| {
        let (from, to) = (op.old_range(), op.new_range());
        let range = *old_starts.get(from.start)?..*old_starts.get(from.end)?;
        let text = new.get(*new_starts.get(to.start)?..*new_starts.get(to.end)?)?;
        Some((range, text.to_owned()))
    });
    edits.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_text_is_cut_into_line_edits() {
        let old = "a\nb\nc\nd";
        let edits = line_edits(old, "a\nx\nc\nd\n---\n");
        assert_eq!(edits, [(2..4, "x\n".to_owned()), (6..7, "d\n---\n".to_owned())]);
        let mut text = old.to_owned();
        edits.iter().rev().for_each(|(range, new)| text.replace_range(range.clone(), new));
        assert_eq!(text, "a\nx\nc\nd\n---\n");
    }

    proptest::proptest! {
        #[test]
        fn bound_rules_out_no_similar_text(one in "[a-dé你]{0,12}", other in "[a-dé你]{0,12}", least in 0.0_f32..1.0) {
            let alike = letters_alike(&one, &other);
            let found = letters_at_least(least, &one, &other);
            proptest::prop_assert_eq!(found, (alike >= least).then_some(alike));
        }
    }

    #[test]
    fn share_of_equal_units_counts_both_texts() {
        assert_eq!(letters_alike("abcd", "abxd"), 0.75);
        assert_eq!(letters_alike("", ""), 1.0);
        let words = TextComparison::of(TextUnit::Words, "one two", "one three");
        assert_eq!(words.ratio(), 2.0 / 3.0);
    }
}

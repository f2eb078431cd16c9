//! Suggests the known word that an unknown word probably means.

use crate::text_diff::letters_at_least;

/// The share of two words that must be equal, 0 to 1, for one to be suggested instead of the other. At 0.5, `featur`
/// gets `debate` as a suggestion beside `feature`; at 0.7 a short word with two wrong letters gets none.
const NEAR: f32 = 0.6;

/// The share of two words that must be equal if their first letters differ. For example, `openai` contains most of
/// `nope`, but no user types `nope` for it.
const NEAR_BUT_FOR_THE_BEGINNING: f32 = 0.75;

/// The share of equal letters at which one word is certainly a misspelling of the other.
const SLIP: f32 = 0.8;

/// Returns the known words that are similar to `word` in any case, nearest first, each once. A word with another
/// first letter must be more similar than one with the same first letter.
pub(crate) fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = word.to_lowercase();
    let mut near: Vec<(f32, String, &str)> = Vec::new();
    for word in known {
        let lower = word.to_lowercase();
        let same_start = lower.chars().next() == wanted.chars().next();
        let least = if same_start { NEAR } else { NEAR_BUT_FOR_THE_BEGINNING };
        if let Some(alike) = letters_at_least(least, &wanted, &lower)
            && !near.iter().any(|(.., other)| *other == word)
        {
            near.push((alike, lower, word));
        }
    }
    // The sort is stable: words that differ only in case keep their order.
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    near.into_iter().map(|(.., word)| word).collect()
}

/// Returns true if `word` is `meant`, exactly or with a small typing error.
pub(crate) fn is_slip_of(word: &str, meant: &str) -> bool {
    letters_at_least(SLIP, word, meant).is_some()
}

/// Returns true if `word` is `meant` with a typing error: one wrong letter in names of 4 letters or more, two in
/// names of 7 or more. Case does not matter, and two swapped letters are one error.
pub(crate) fn is_misspelling_of(word: &str, meant: &str) -> bool {
    ComparedWord::new(word).is_misspelling_of(&ComparedWord::new(meant))
}

/// A word that is prepared for comparison with many others.
#[derive(Clone, Debug)]
pub(crate) struct ComparedWord {
    /// The word in lower case.
    lower: String,
    /// The number of its characters as written.
    length: usize,
    /// One bit for each of its letters; different letters may share a bit.
    letters: u64,
}

impl ComparedWord {
    /// Prepares a word.
    pub(crate) fn new(word: &str) -> Self {
        let lower = word.to_lowercase();
        let letters = lower.chars().fold(0, |all, letter| all | 1 << (letter as u32 % 64));
        Self { length: word.chars().count(), lower, letters }
    }

    /// Returns a key that is equal for words of the same length with the same letters.
    pub(crate) fn length_and_letters(&self) -> (usize, u64) {
        (self.length, self.letters)
    }

    /// Returns false if no word with the length and letters of `meant` can be misspelt like this. Rules out nearly all
    /// words.
    pub(crate) fn may_mean(&self, meant: &Self) -> bool {
        self.most_errors(meant).is_some_and(|most| self.may_differ_by(most, meant))
    }

    fn may_differ_by(&self, most: usize, meant: &Self) -> bool {
        // One error changes at most two letters.
        self.length.abs_diff(meant.length) <= most
            && (self.letters ^ meant.letters).count_ones() as usize <= 2 * most
    }

    /// Works like [`is_misspelling_of`].
    pub(crate) fn is_misspelling_of(&self, meant: &Self) -> bool {
        self.most_errors(meant).is_some_and(|most| {
            self.may_differ_by(most, meant)
                && strsim::osa_distance(&self.lower, &meant.lower) <= most
        })
    }

    /// Returns the maximum number of typing errors; `None` for words that are too short.
    fn most_errors(&self, meant: &Self) -> Option<usize> {
        match self.length.min(meant.length) {
            0..4 => None,
            4..7 => Some(1),
            _ => Some(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn letters_rule_out_no_misspelling(word in "[a-cA-Cé]{0,9}", meant in "[a-cA-Cé]{0,9}") {
            let most = match word.chars().count().min(meant.chars().count()) {
                0..4 => 0,
                4..7 => 1,
                _ => 2,
            };
            let errors = strsim::osa_distance(&word.to_lowercase(), &meant.to_lowercase());
            proptest::prop_assert_eq!(is_misspelling_of(&word, &meant), most > 0 && errors <= most);
        }
    }

    #[test]
    fn nearest_word_comes_first_in_any_case() {
        let known = ["feature", "future", "debate", "Feature"];
        assert_eq!(suggest("FEATUR", known), ["feature", "Feature", "future"]);
        assert_eq!(suggest("featrue", known)[0], "feature");
        assert!(suggest("xyzzy", known).is_empty());
        assert!(suggest("", known).is_empty());
        assert!(
            suggest("nope", ["openai", "opencode"]).is_empty(),
            "its letters alone are no likeness"
        );
        assert_eq!(suggest("rchitect", ["architect"]), ["architect"]);
    }

    #[test]
    fn allowed_misspellings_depend_on_the_length() {
        for (word, meant) in [
            ("Marc", "Mark"),
            ("mrak", "Mark"),
            ("AI-Architekt", "AI-Architect"),
            ("securty", "Security"),
        ] {
            assert!(is_misspelling_of(word, meant), "{word} {meant}");
        }
        for (word, meant) in
            [("Rob", "Bob"), ("Mira", "Mara Lee"), ("Martha", "Marina"), ("Ann", "Anna")]
        {
            assert!(!is_misspelling_of(word, meant), "{word} {meant}");
        }
    }

    #[test]
    fn slip_is_stricter_than_a_suggestion() {
        assert!(is_slip_of("phase", "phases") && is_slip_of("phsaes", "phases"));
        assert!(!is_slip_of("aliases", "phases"), "a key of other programs");
    }
}

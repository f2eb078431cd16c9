//! Which word was meant by one that nobody knows.

use similar::{TextDiff, get_close_matches};

/// How much of two words has to be equal, 0 to 1, for one to be proposed in place of the other. At half, `debate` is
/// proposed for `featur` beside `feature`; at 0.7 short words lose theirs by two letters.
const NEAR: f32 = 0.6;

/// How much of two words has to be equal where they do not even begin alike: `openai` holds most of `nope`, and is nobody's
/// slip for it.
const NEAR_BUT_FOR_THE_BEGINNING: f32 = 0.75;

/// How much of two words is equal where one is surely the other, misspelt.
const SLIP: f32 = 0.8;

/// The known words that look like `word` in any case, the nearest first, each once. Words begin alike, or are alike but for
/// that.
pub(crate) fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let known: Vec<&str> = known.into_iter().collect();
    let lower: Vec<String> = known.iter().map(|word| word.to_lowercase()).collect();
    let words: Vec<&str> = lower.iter().map(String::as_str).collect();
    let wanted = word.to_lowercase();
    let is_meant = |near: &&str| {
        near.chars().next() == wanted.chars().next()
            || TextDiff::from_chars(wanted.as_str(), *near).ratio() >= NEAR_BUT_FOR_THE_BEGINNING
    };
    let mut found = Vec::new();
    let near = get_close_matches(wanted.as_str(), &words, words.len(), NEAR);
    for near in near.into_iter().filter(is_meant) {
        let all = known.iter().zip(&lower).filter(|(_, lower)| *lower == near);
        for (word, _) in all {
            if !found.contains(word) {
                found.push(*word);
            }
        }
    }
    found
}

/// Whether `word` is `meant`, or that with a slip of the pen.
pub(crate) fn is_slip_of(word: &str, meant: &str) -> bool {
    TextDiff::from_chars(word, meant).ratio() >= SLIP
}

/// Returns whether `word` is `meant` with a typing error: one letter off in names from 4 letters on, two from 7 on. The
/// case of letters does not matter, and two letters in the wrong order are one error.
pub(crate) fn is_misspelling_of(word: &str, meant: &str) -> bool {
    let (short, long) = {
        let (word, meant) = (word.chars().count(), meant.chars().count());
        (word.min(meant), word.max(meant))
    };
    let most = match short {
        0..4 => return false,
        4..7 => 1,
        _ => 2,
    };
    // Comparing lengths first spares nearly all comparisons of letters.
    long - short <= most
        && strsim::osa_distance(&word.to_lowercase(), &meant.to_lowercase()) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first_in_any_case() {
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
    fn misspellings_depend_on_the_length() {
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
    fn a_slip_is_nearer_than_a_proposal() {
        assert!(is_slip_of("phase", "phases") && is_slip_of("phsaes", "phases"));
        assert!(!is_slip_of("aliases", "phases"), "a key of other programs");
    }
}

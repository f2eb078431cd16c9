//! Replaces many words in one pass over a text, because a head may name thousands of participants.

use std::cmp::Reverse;

use aho_corasick::AhoCorasick;

use super::prose::{fixed, overlaps};

/// Words with their replacements.
#[derive(Debug)]
pub(super) struct Words {
    by: Vec<String>,
    /// `None` if there is nothing to replace, or if the search tables would be too large.
    finder: Option<AhoCorasick>,
}

impl Words {
    /// Builds the search. If a word occurs twice, its first replacement counts.
    pub(super) fn new(pairs: Vec<(String, String)>) -> Self {
        let (words, by): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok();
        Self { by, finder }
    }

    /// Returns the text with whole words replaced, ignoring ASCII case. Of several matches at one position the longest
    /// counts. Replacements are not searched again; code and addresses stay unchanged.
    pub(super) fn replace(&self, text: &str) -> String {
        let whole = |range: &std::ops::Range<usize>| {
            let before = text[..range.start].chars().next_back();
            let after = text[range.end..].chars().next();
            !before.is_some_and(is_inner) && !after.is_some_and(is_inner)
        };
        let found = self.finder.iter().flat_map(|finder| finder.find_overlapping_iter(text));
        let mut found: Vec<_> = found
            .map(|found| (found.range(), found.pattern().as_usize()))
            .filter(|(range, _)| !range.is_empty() && whole(range))
            .collect();
        if !found.is_empty() {
            let fixed = fixed(text);
            found.retain(|(range, _)| !overlaps(&fixed, range));
        }
        found.sort_by_key(|(range, word)| (range.start, Reverse(range.end), *word));
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for (range, word) in found {
            if range.start >= from {
                out.push_str(&text[from..range.start]);
                out.push_str(&self.by[word]);
                from = range.end;
            }
        }
        out.push_str(&text[from..]);
        out
    }
}

/// Returns true if this character is part of a word.
fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(pairs: &[(&str, &str)]) -> Words {
        Words::new(pairs.iter().map(|(word, by)| ((*word).to_owned(), (*by).to_owned())).collect())
    }

    #[test]
    fn whole_words_are_replaced_once_each() {
        let words =
            words(&[("Ann", "A"), ("Ann Le", "B"), ("@ann", "@a"), ("A", "C"), ("\u{e9}", "E")]);
        for (text, came) in [
            ("ANN and Ann Le, not Anna or Ann-Le.", "A and B, not Anna or Ann-Le."),
            ("Ann Lee", "A Lee"),
            ("@ann, x@ann", "@a, x@A"),
            ("A Ann", "C A"),
            ("caf\u{e9} \u{e9}", "caf\u{e9} E"),
            ("", ""),
        ] {
            assert_eq!(words.replace(text), came);
        }
    }

    /// Guards the complexity, not the time: the number of words must not add passes over the text.
    #[test]
    fn thousands_of_words_are_found_in_one_pass() {
        let pairs = (0..10_000).map(|i| (format!("person {i}"), format!("P{i}"))).collect();
        let text: String = (0..20_000).map(|i| format!("Person {i} spoke.\n")).collect();
        let replaced = Words::new(pairs).replace(&text);
        assert!(replaced.contains("\nP9999 spoke.\nPerson 10000 spoke.\n"));
    }
}

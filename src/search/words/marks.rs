//! Letters with diacritics, for users who type them without: `cafe` finds `café`.

use std::sync::LazyLock;

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The letters of Latin, Greek and Cyrillic. Their readers see a letter with a diacritic as a variant of the bare
/// letter. In other scripts a mark makes a different letter.
const LETTERS: [std::ops::RangeInclusive<char>; 4] =
    ['\u{C0}'..='\u{24F}', '\u{370}'..='\u{4FF}', '\u{1E00}'..='\u{1EFF}', '\u{1F00}'..='\u{1FFF}'];

/// The forms of each bare letter that have diacritics, all in lower case.
static MARKED: LazyLock<HashMap<char, String>> = LazyLock::new(|| {
    let mut marked: HashMap<char, String> = HashMap::new();
    for letter in LETTERS.into_iter().flatten().filter(|letter| letter.is_lowercase()) {
        let mut parts = std::iter::once(letter).nfd();
        if let (Some(bare), Some(_)) = (parts.next(), parts.next()) {
            marked.entry(bare).or_default().push(letter);
        }
    }
    marked
});

/// Returns a pattern for a lower-case word that matches each letter with or without diacritics. None if the word has
/// diacritics itself, or if none of its letters can have any.
pub(super) fn with_any_marks(word: &str) -> Option<String> {
    if word.nfd().any(is_combining_mark) || !word.chars().any(|c| MARKED.contains_key(&c)) {
        return None;
    }
    let mut pattern = String::new();
    for c in word.chars() {
        match MARKED.get(&c) {
            Some(marked) => pattern.push_str(&format!("[{c}{marked}]\\p{{M}}*")),
            None => pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    Some(pattern)
}

/// Returns true if the bytes may contain a letter with a diacritic: they contain a possible first byte of such a
/// letter or of a combining mark. Dashes and quotes, which most texts contain, begin with other bytes.
pub(super) fn may_hold_marks(text: &[u8]) -> bool {
    // Without an early exit the compiler can vectorize the loop.
    let begins = |byte: &u8| (0xC3..=0xD3).contains(byte) || *byte == 0xE1;
    !text.is_ascii()
        && text.chunks(4096).any(|part| part.iter().filter(|byte| begins(byte)).count() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_letters_match_letters_with_diacritics() {
        let pattern = with_any_marks("cafe").unwrap();
        assert!(
            pattern.contains('é') && pattern.contains('ç') && !pattern.contains('É'),
            "{pattern}"
        );
        assert_eq!(with_any_marks("café"), None);
        assert_eq!(with_any_marks("保存"), None);
        assert_eq!(with_any_marks("123"), None);
        assert!(with_any_marks("c++").unwrap().ends_with("\\+\\+"));
    }

    #[test]
    fn texts_without_diacritics_are_recognized() {
        assert!(!may_hold_marks("plain – “quoted” 認".as_bytes()));
        for text in ["é", "e\u{301}", "ё", "ế", "ά"] {
            assert!(may_hold_marks(text.as_bytes()), "{text}");
        }
    }
}

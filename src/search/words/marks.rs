//! Letters with marks, for those who write them without: `cafe` finds `café`.

use std::sync::LazyLock;

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Letters of scripts whose readers take one with a mark for a kind of the bare one: Latin, Greek, Cyrillic. In others a
/// mark makes another letter.
const LETTERS: [std::ops::RangeInclusive<char>; 4] =
    ['\u{C0}'..='\u{24F}', '\u{370}'..='\u{4FF}', '\u{1E00}'..='\u{1EFF}', '\u{1F00}'..='\u{1FFF}'];

/// The marked forms of each bare letter, all in lower case.
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

/// A pattern for a word in lower case, each letter with or without marks; none where the word has some, or where none of its
/// letters ever has.
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

/// Whether a letter with a mark may stand in the bytes: they hold the first byte of one, or of a mark. Dashes and quotes,
/// which most texts hold, begin otherwise.
pub(super) fn may_hold_marks(text: &[u8]) -> bool {
    // Without an early end the loop takes many bytes at once.
    let begins = |byte: &u8| (0xC3..=0xD3).contains(byte) || *byte == 0xE1;
    !text.is_ascii()
        && text.chunks(4096).any(|part| part.iter().filter(|byte| begins(byte)).count() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_have_marked_forms_stand_for_them() {
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
    fn texts_without_such_letters_are_told() {
        assert!(!may_hold_marks("plain – “quoted” 認".as_bytes()));
        for text in ["é", "e\u{301}", "ё", "ế", "ά"] {
            assert!(may_hold_marks(text.as_bytes()), "{text}");
        }
    }
}

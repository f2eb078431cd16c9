//! The words of a search, and how they are found in a text. A word that the user typed without
//! diacritics also finds letters with them: `cafe` finds `café`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::similarity::is_telling;

/// The maximum number of words of a query that are used.
const MOST: usize = 16;
/// The longest part of a word that is looked for, in characters.
const LONGEST: usize = 64;

/// The maximum number of words of a question that are used.
const MOST_ASKED: usize = 32;
/// A stem of at most this many bytes occurs inside many other words, so it is found only at the beginning of a word.
const SHORT_STEM: usize = 5;

/// Words of questions that say nothing about the topic.
const ASKING: [&str; 14] = [
    "where", "which", "whose", "whom", "may", "must", "shall", "there", "ever", "anybody",
    "somebody", "please", "about", "any",
];

/// The weight of an occurrence at the beginning of a longer word.
const BEGINNING: f64 = 0.5;
/// The weight of an occurrence elsewhere in a longer word.
const WITHIN: f64 = 0.25;

/// The words of a search. They are found in any case and any Unicode normalization; a word without diacritics also
/// matches letters that have them.
#[derive(Clone, Debug)]
pub(crate) struct SearchWords(Vec<Finder>);

/// The regular expressions that find one word.
#[derive(Clone, Debug)]
struct Finder {
    plain: Regex,
    /// Matches letters with any diacritics, for texts that may contain them; slower. None if the word has diacritics
    /// itself.
    marked: Option<Regex>,
}

impl Finder {
    /// Returns the regular expression to use for this text.
    fn of(&self, text: &[u8]) -> &Regex {
        match &self.marked {
            Some(marked) if may_hold_marks(text) => marked,
            _ => &self.plain,
        }
    }

    fn is_in(&self, text: &[u8]) -> bool {
        self.plain.is_match(text)
            || self.marked.as_ref().is_some_and(|it| may_hold_marks(text) && it.is_match(text))
    }
}

impl SearchWords {
    /// Extracts the words of a query, separated by spaces, each once. Empty if the query has none.
    pub(crate) fn of(query: &str) -> Self {
        let mut seen: Vec<String> = Vec::new();
        for word in query.split_whitespace() {
            let sign = |c: char| c.is_ascii_punctuation() || "、。「」？！，：«»“”„؟".contains(c);
            let bare = word.trim_matches(sign);
            let word = if bare.is_empty() { word } else { bare };
            let lower: String =
                word.nfc().flat_map(char::to_lowercase).nfc().take(LONGEST).collect();
            if !seen.contains(&lower) && seen.len() < MOST {
                seen.push(lower);
            }
        }
        Self(seen.iter().filter_map(|word| finder(word)).collect())
    }

    /// Extracts the words of a question, each once, shortened to a beginning that related words share: a person may
    /// ask about `sessions are kept` although the decision says `keep the session`. Leaves out words that occur in
    /// every sentence or every question.
    pub(crate) fn of_question(question: &str) -> Self {
        let mut seen: Vec<String> = Vec::new();
        let words = question.split(|c: char| !(c.is_alphanumeric() || c == '+' || c == '#'));
        for word in words.filter(|word| word.contains(char::is_alphanumeric)) {
            let lower: String = word.nfc().flat_map(char::to_lowercase).nfc().collect();
            let small = word.len() <= 2 && word.bytes().all(|b| b.is_ascii_lowercase());
            let asks = ASKING.contains(&lower.as_str()) || word.len() > 2 && !is_telling(&lower);
            let stem: String = lower.chars().take(stem_of(lower.chars().count())).collect();
            let is_new = !small && !asks && !seen.contains(&stem);
            if is_new && seen.len() < MOST_ASKED {
                seen.push(stem);
            }
        }
        Self(seen.iter().filter_map(|stem| finder_of_stem(stem)).collect())
    }

    /// Returns the number of words.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns, for each word in the order of the query, true if the bytes contain it.
    pub(crate) fn stand_in(&self, bytes: &[u8]) -> Vec<bool> {
        self.0.iter().map(|word| word.is_in(bytes)).collect()
    }

    /// Returns the weight of each word in a text: 1 for each whole word, less for each part of a longer word. In
    /// scripts without spaces between words every occurrence counts as a whole word.
    pub(crate) fn counts(&self, text: &str) -> Vec<f64> {
        let count = |word: &Finder| {
            word.of(text.as_bytes())
                .find_iter(text.as_bytes())
                .map(|found| worth(text, found.range()))
                .sum()
        };
        self.0.iter().map(count).collect()
    }

    /// Returns the ranges of all occurrences of all words, in order and without overlaps.
    pub(crate) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut all: Vec<Range<usize>> = self
            .0
            .iter()
            .flat_map(|word| word.of(text.as_bytes()).find_iter(text.as_bytes()))
            .map(|found| found.range())
            .collect();
        all.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        let mut end = 0;
        all.retain(|range| {
            let apart = range.start >= end;
            end = end.max(range.end);
            apart
        });
        all
    }

    /// Returns how many of the words a text contains.
    pub(crate) fn different(&self, text: &str) -> usize {
        self.0.iter().filter(|word| word.is_in(text.as_bytes())).count()
    }
}

/// Returns how many letters of a word are kept: two thirds, but at least four, or the whole word if it is shorter.
fn stem_of(letters: usize) -> usize {
    (letters * 2 / 3).max(4).min(letters).min(LONGEST)
}

fn finder_of_stem(stem: &str) -> Option<Finder> {
    if !stem.is_ascii() || stem.len() > SHORT_STEM {
        return finder(stem);
    }
    let pattern = format!(r"(?-u:\b{})", regex::escape(stem));
    let plain = RegexBuilder::new(&pattern).case_insensitive(true).build().ok()?;
    Some(Finder { plain, marked: None })
}

fn finder(word: &str) -> Option<Finder> {
    let apart: String = word.nfd().collect();
    // Without Unicode case folding an ASCII word is found several times as fast; only `ſ` and the Kelvin sign `K` are
    // no longer matched.
    let pattern = if word.is_ascii() {
        format!("(?-u:{})", regex::escape(word))
    } else if apart == word {
        regex::escape(word)
    } else {
        format!("{}|{}", regex::escape(word), regex::escape(&apart))
    };
    let build = |pattern: &str| RegexBuilder::new(pattern).case_insensitive(true).build().ok();
    let marked = with_any_marks(word).and_then(|pattern| build(&pattern));
    Some(Finder { plain: build(&pattern)?, marked })
}

fn worth(text: &str, found: Range<usize>) -> f64 {
    let joined = |one: Option<char>, other: Option<char>| {
        one.zip(other).is_some_and(|(one, other)| {
            one.is_alphanumeric()
                && other.is_alphanumeric()
                && !(is_unparted(one) || is_unparted(other))
        })
    };
    // The pattern consists of letters and matches letters, so both ends lie between characters.
    let (Some(word), Some(before), Some(after)) =
        (text.get(found.clone()), text.get(..found.start), text.get(found.end..))
    else {
        return WITHIN;
    };
    let begun_before = joined(before.chars().next_back(), word.chars().next());
    let goes_on = joined(word.chars().next_back(), after.chars().next());
    match (begun_before, goes_on) {
        (false, false) => 1.0,
        (false, true) => BEGINNING,
        (true, _) => WITHIN,
    }
}

/// Returns true for letters of scripts that write words without spaces between them.
fn is_unparted(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

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
fn with_any_marks(word: &str) -> Option<String> {
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
fn may_hold_marks(text: &[u8]) -> bool {
    // Without an early exit the compiler can vectorize the loop.
    let begins = |byte: &u8| (0xC3..=0xD3).contains(byte) || *byte == 0xE1;
    !text.is_ascii()
        && text.chunks(4096).any(|part| part.iter().filter(|byte| begins(byte)).count() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_composition_do_not_matter_in_any_script() {
        for (query, text) in [
            ("RETRY", "we retry"),
            ("größe", "GRÖSSE, Größe"),
            ("größe", "Gro\u{308}ße"),
            ("GRO\u{308}ßE", "größe"),
            ("вход", "ВХОД есть"),
            ("保存", "認証をどこに保存しますか"),
            ("جلسات", "أين نحفظ الجلسات"),
            ("c++", "in C++ or C"),
            ("cafe", "the CAFÉ opens late"),
            ("cafe", "the cafe\u{301} opens late"),
            ("все", "Всё решено"),
        ] {
            assert!(SearchWords::of(query).counts(text)[0] > 0.0, "{query} in {text}");
        }
        assert_eq!(SearchWords::of("cache").counts("sessions"), [0.0]);
        assert_eq!(SearchWords::of("café").counts("a cafe"), [0.0], "who writes a mark means it");
        assert_eq!(SearchWords::of("か").counts("が"), [0.0], "another letter, not a mark");
        assert_eq!(SearchWords::of("cafe").counts("two cafés, one café"), [BEGINNING + 1.0]);
        assert_eq!(SearchWords::of("cafe").places("ein Café").first(), Some(&(4..9)));
        assert_eq!(SearchWords::of("cafe").stand_in("Café".as_bytes()), [true]);
    }

    #[test]
    fn question_matches_beginnings_of_its_words() {
        let counts =
            |text: &str| SearchWords::of_question("Where do we keep sessions?").counts(text);
        assert_eq!(counts("the session is kept").len(), 2, "where, do and we are left out");
        assert_eq!(counts("a session")[1], BEGINNING);
        assert_eq!(counts("a beekeeper")[0], 0.0, "short ones where words begin");
        assert_eq!(
            SearchWords::of_question("Go or DB or S3?").len(),
            3,
            "names of two letters stay"
        );
    }

    #[test]
    fn whole_words_count_most() {
        let count = |query: &str, text: &str| SearchWords::of(query).counts(text)[0];
        assert_eq!(count("cache", "a cache."), 1.0);
        assert_eq!(count("cache", "two caches"), BEGINNING);
        assert_eq!(count("schlüssel", "Datenbankschlüssel"), WITHIN);
        assert_eq!(count("保存", "認証をどこに保存しますか"), 1.0);
    }

    #[test]
    fn query_words_are_unique_and_without_punctuation() {
        assert_eq!(SearchWords::of("  Retry, retry \"budget\"? ").len(), 2);
        assert_eq!(SearchWords::of("").len(), 0);
        assert_eq!(SearchWords::of(".* (").len(), 2, "signs are looked for as they are");
        assert!(SearchWords::of(".*").places("a.b").is_empty());
        assert_eq!(SearchWords::of("session sess").places("Session, sess"), [0..7, 9..13]);
    }

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

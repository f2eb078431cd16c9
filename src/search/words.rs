//! The words that are looked for.

mod marks;

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization;

use self::marks::{may_hold_marks, with_any_marks};
use crate::similarity::is_telling;

/// More words than anybody means.
const MOST: usize = 16;
/// The longest part of a word that is looked for, in characters.
const LONGEST: usize = 64;

/// More words of a question than matter.
const MOST_ASKED: usize = 32;
/// Beginnings that are so short stand within many other words, so that they are looked for where words begin.
const SHORT_STEM: usize = 5;

/// Words of questions that say nothing of what is asked.
const ASKING: [&str; 14] = [
    "where", "which", "whose", "whom", "may", "must", "shall", "there", "ever", "anybody",
    "somebody", "please", "about", "any",
];

/// How much an occurrence counts that is a part of a longer word, from its beginning on, and from anywhere else.
const BEGINNING: f64 = 0.5;
const WITHIN: f64 = 0.25;

/// Words, found in any case, composed or not; those without marks also where their letters have some.
#[derive(Clone, Debug)]
pub(crate) struct Words(Vec<Finder>);

/// What finds one word.
#[derive(Clone, Debug)]
struct Finder {
    plain: Regex,
    /// With whatever marks, for texts that may hold some; slower. None where the word has marks of its own.
    marked: Option<Regex>,
}

impl Finder {
    /// What finds it in this text.
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

impl Words {
    /// Those of a query, parted by blanks, each once. Empty where it has none.
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

    /// Those of a question, each once, cut to the beginning that words of one stem share: who asks writes `sessions are
    /// kept` where `keep the session` was decided. Words of every sentence and of every question are left out.
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

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether each stands in the bytes, in the query's order.
    pub(crate) fn stand_in(&self, bytes: &[u8]) -> Vec<bool> {
        self.0.iter().map(|word| word.is_in(bytes)).collect()
    }

    /// How much each word counts in a text: a whole word 1, a part of one less. Scripts that put no blanks between words
    /// have no such parts.
    pub(crate) fn counts(&self, text: &str) -> Vec<f64> {
        let count = |word: &Finder| {
            word.of(text.as_bytes())
                .find_iter(text.as_bytes())
                .map(|found| worth(text, found.range()))
                .sum()
        };
        self.0.iter().map(count).collect()
    }

    /// Where any of them stands, in order, none within another.
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

    /// How many of the words stand in a text.
    pub(crate) fn different(&self, text: &str) -> usize {
        self.0.iter().filter(|word| word.is_in(text.as_bytes())).count()
    }
}

/// How many of a word's letters are kept: two thirds, of short ones four or all.
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
    // Without Unicode's foldings a word of ASCII is found several times as fast, and nothing is lost but `ſ` and `K`.
    let pattern = match word.is_ascii() {
        true => format!("(?-u:{})", regex::escape(word)),
        false if apart == word => regex::escape(word),
        false => format!("{}|{}", regex::escape(word), regex::escape(&apart)),
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
    // A pattern of letters matches letters, so both ends lie between characters.
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

/// Letters of scripts that write words without blanks between them.
fn is_unparted(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_case_of_any_script_composed_or_not() {
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
            assert!(Words::of(query).counts(text)[0] > 0.0, "{query} in {text}");
        }
        assert_eq!(Words::of("cache").counts("sessions"), [0.0]);
        assert_eq!(Words::of("café").counts("a cafe"), [0.0], "who writes a mark means it");
        assert_eq!(Words::of("か").counts("が"), [0.0], "another letter, not a mark");
        assert_eq!(Words::of("cafe").counts("two cafés, one café"), [BEGINNING + 1.0]);
        assert_eq!(Words::of("cafe").places("ein Café").first(), Some(&(4..9)));
        assert_eq!(Words::of("cafe").stand_in("Café".as_bytes()), [true]);
    }

    #[test]
    fn a_question_is_its_words_beginnings() {
        let counts = |text: &str| Words::of_question("Where do we keep sessions?").counts(text);
        assert_eq!(counts("the session is kept").len(), 2, "where, do and we are left out");
        assert_eq!(counts("a session")[1], BEGINNING);
        assert_eq!(counts("a beekeeper")[0], 0.0, "short ones where words begin");
        assert_eq!(Words::of_question("Go or DB or S3?").len(), 3, "names of two letters stay");
    }

    #[test]
    fn whole_words_count_most() {
        let count = |query: &str, text: &str| Words::of(query).counts(text)[0];
        assert_eq!(count("cache", "a cache."), 1.0);
        assert_eq!(count("cache", "two caches"), BEGINNING);
        assert_eq!(count("schlüssel", "Datenbankschlüssel"), WITHIN);
        assert_eq!(count("保存", "認証をどこに保存しますか"), 1.0);
    }

    #[test]
    fn queries_are_words_without_signs_each_once() {
        assert_eq!(Words::of("  Retry, retry \"budget\"? ").len(), 2);
        assert_eq!(Words::of("").len(), 0);
        assert_eq!(Words::of(".* (").len(), 2, "signs are looked for as they are");
        assert!(Words::of(".*").places("a.b").is_empty());
        assert_eq!(Words::of("session sess").places("Session, sess"), [0..7, 9..13]);
    }
}

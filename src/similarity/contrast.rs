//! Detects whether two texts say the same or contradict each other, by equal words, opposite words, negations and
//! numbers.

use std::collections::BTreeSet;

use super::{ALIKE, is_telling, same_stem};

/// Pairs of opposite words. Each is the base form: `raise` also matches `raised`.
const OPPOSITES: [(&str, &str); 48] = [
    ("raise", "lower"),
    ("raise", "reduce"),
    ("raise", "cut"),
    ("increase", "decrease"),
    ("increase", "reduce"),
    ("increase", "lower"),
    ("extend", "shorten"),
    ("lengthen", "shorten"),
    ("expand", "shrink"),
    ("expand", "reduce"),
    ("add", "remove"),
    ("add", "delete"),
    ("add", "drop"),
    ("keep", "drop"),
    ("keep", "remove"),
    ("keep", "delete"),
    ("include", "exclude"),
    ("enable", "disable"),
    ("allow", "forbid"),
    ("allow", "deny"),
    ("accept", "reject"),
    ("split", "merge"),
    ("start", "stop"),
    ("open", "close"),
    ("up", "down"),
    ("broad", "narrow"),
    ("wide", "narrow"),
    ("more", "less"),
    ("more", "fewer"),
    ("many", "few"),
    ("much", "little"),
    ("high", "low"),
    ("higher", "lower"),
    ("long", "short"),
    ("longer", "shorter"),
    ("large", "small"),
    ("big", "small"),
    ("fast", "slow"),
    ("early", "late"),
    ("before", "after"),
    ("strict", "loose"),
    ("strong", "weak"),
    ("simple", "complex"),
    ("manual", "automatic"),
    ("internal", "external"),
    ("public", "private"),
    ("optional", "required"),
    ("always", "never"),
];

/// Words that say that something does not exist or is not true.
const NEGATIONS: [&str; 12] = [
    "no", "not", "never", "none", "nothing", "nobody", "without", "lacks", "lack", "lacking",
    "missing", "absent",
];

/// Words that do not change the meaning of a finding.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// Returns the words of a text in lower case, without punctuation and articles.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace('’', "'");
    let found = text.split(|c: char| !(c.is_alphanumeric() || c == '\''));
    found.filter(|word| !word.is_empty() && !ARTICLES.contains(word)).map(str::to_owned).collect()
}

/// Returns a text in lower case without punctuation and articles; two findings are the same only if these forms are
/// equal.
pub(crate) fn normal(text: &str) -> String {
    match words(text) {
        words if words.is_empty() => text.trim().to_owned(),
        words => words.join(" "),
    }
}

/// A text that is prepared for comparison with others.
pub(crate) struct Claim {
    words: Vec<String>,
    /// A bit for each of [`OPPOSITES`]: the text has a form of the first word.
    has_first: u64,
    /// The same for the second word.
    has_second: u64,
}

impl Claim {
    pub(crate) fn new(text: &str) -> Self {
        let words = words(text);
        let has = |stem: &str| words.iter().any(|word| is_form_of(word, stem));
        let (mut has_first, mut has_second) = (0, 0);
        for (place, (first, second)) in OPPOSITES.iter().enumerate() {
            has_first |= u64::from(has(first)) << place;
            has_second |= u64::from(has(second)) << place;
        }
        Self { words, has_first, has_second }
    }

    /// Returns true if the two are about the same thing and say opposite things about it.
    pub(crate) fn opposes(&self, other: &Self) -> bool {
        let (negated, denied) = (self.is_negated(), other.is_negated());
        let opposed = self.opposed_words(other);
        (negated != denied || !opposed.is_empty()) && self.shares_topic(other, &opposed)
    }

    /// Returns true if the two cannot be about the same action: they contain opposite words, or both contain numbers
    /// and share none.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        let (numbers, others) = (self.numbers(), other.numbers());
        let differ = !numbers.is_empty() && !others.is_empty() && numbers.is_disjoint(&others);
        differ || !self.opposed_words(other).is_empty()
    }

    fn is_negated(&self) -> bool {
        self.words.iter().any(|word| is_negation(word))
    }

    fn numbers(&self) -> BTreeSet<&str> {
        let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
        self.words.iter().map(String::as_str).filter(is_number).collect()
    }

    /// Returns the pairs of opposite words of which each text contains one and not the other.
    fn opposed_words(&self, other: &Self) -> Vec<&'static str> {
        let only_first = |one: &Self| one.has_first & !one.has_second;
        let only_second = |one: &Self| one.has_second & !one.has_first;
        let opposed = only_first(self) & only_second(other) | only_second(self) & only_first(other);
        let pairs = OPPOSITES.iter().enumerate();
        let pairs = pairs.filter(|(place, _)| opposed >> place & 1 == 1).map(|(_, pair)| pair);
        pairs.flat_map(|(a, b)| [*a, *b]).collect()
    }

    /// Returns true if the texts share enough meaningful words, not counting the words that make the contrast.
    fn shares_topic(&self, other: &Self, opposed: &[&str]) -> bool {
        let telling = |one: &'_ Self| -> BTreeSet<String> {
            let is_topic = |word: &&String| {
                is_telling(word)
                    && !is_negation(word)
                    && !word.starts_with(|c: char| c.is_ascii_digit())
                    && !opposed.iter().any(|stem| is_form_of(word, stem))
            };
            one.words.iter().filter(is_topic).cloned().collect()
        };
        let (few, many) = (telling(self), telling(other));
        let (few, many) = if few.len() <= many.len() { (few, many) } else { (many, few) };
        let shared = few.iter().filter(|word| many.iter().any(|other| same_stem(word, other)));
        let shared = shared.count();
        shared > 0 && shared as f64 > ALIKE * few.len() as f64
    }
}

fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.ends_with("n't")
}

/// Returns true if a word is the stem itself or an inflection of it: `raised` and `raising` for `raise`, `stopped`
/// for `stop`.
fn is_form_of(word: &str, stem: &str) -> bool {
    if word == stem {
        return true;
    }
    let bare = stem.strip_suffix('e').unwrap_or(stem);
    let Some(rest) = word.strip_prefix(bare) else { return false };
    let doubled = bare.chars().next_back().and_then(|last| rest.strip_prefix(last));
    let ends = |rest: &str| matches!(rest, "s" | "d" | "ed" | "es" | "ing");
    ends(rest) || doubled.is_some_and(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opposed(a: &str, b: &str) -> bool {
        let (a, b) = (Claim::new(a), Claim::new(b));
        assert_eq!(a.opposes(&b), b.opposes(&a));
        a.opposes(&b)
    }

    #[test]
    fn opposites_share_their_subject() {
        for (a, b) in [
            ("Raise the timeout to 60 seconds", "Lower the timeout to 5 seconds"),
            ("The scope is too broad", "The scope is too narrow"),
            ("No rollback plan is described", "The rollback plan is described in too much detail"),
            ("The backup is tested", "The backup isn't tested"),
        ] {
            assert!(opposed(a, b), "{a} / {b}");
        }
        for (a, b) in [
            ("Tests are missing", "Costs are missing"),
            ("Tests are missing", "The costs are high"),
            ("Raise the timeout", "Lower the price"),
            ("Raise the timeout to 60 seconds", "Raise the timeout to 90 seconds"),
            ("Raise or lower the timeout", "Lower the timeout"),
        ] {
            assert!(!opposed(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn opposite_actions_and_values_exclude_each_other() {
        let excludes = |a: &str, b: &str| Claim::new(a).excludes(&Claim::new(b));
        assert!(excludes("Raise the timeout", "Lowered the timeout"));
        assert!(excludes("set it to 5 s", "set it to 60 s"));
        assert!(!excludes("write 3 tests", "tests written"));
        assert!(!excludes("test that nothing is lost", "tested it"));
    }

    #[test]
    fn only_equal_words_are_equal() {
        assert_eq!(normal("Add the glossary."), normal("add a glossary"));
        assert_ne!(normal("do z"), normal("do x"));
        assert_ne!(normal("Login by password"), normal("Login by passkey"));
        assert_ne!(normal("?!"), normal("!?"));
    }
}

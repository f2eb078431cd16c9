//! Names of labels: one table from the words that models write to the markers that they mean.

use crate::engine::answer::AnswerSpec;
use crate::transcript::Marker;

/// The kind of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordWeight {
    /// It names an earlier vote: `Initial vote`.
    Past,
    /// It is the marker's own word.
    Own,
    /// It replaces earlier votes: `Final vote`, `Revised vote`.
    Final,
    /// It is a synonym for a vote. It means a vote only if its value is exactly an option: `Verdict: READY`.
    Other,
}

/// A known label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundWord {
    /// The marker's word.
    pub(super) word: String,
    /// The kind of the label.
    pub(super) weight: WordWeight,
    /// The number after the word, for example in `Q2` or `CONCERN 1`.
    pub(super) number: Option<u32>,
    /// True for a plural, such as `Concerns` or `Questions`: several texts follow.
    pub(super) plural: bool,
}

/// Synonyms for a vote.
const BALLOTS: [&str; 12] = [
    "agreement",
    "consensus",
    "ballot",
    "choice",
    "conclusion",
    "decision",
    "final answer",
    "judgement",
    "judgment",
    "position",
    "recommendation",
    "verdict",
];

/// Words before a label that do not change its meaning.
const PLAIN: [&str; 24] = [
    "joint",
    "common",
    "shared",
    "combined",
    "my",
    "our",
    "own",
    "overall",
    "main",
    "key",
    "biggest",
    "gravest",
    "open",
    "remaining",
    "further",
    "another",
    "one",
    "first",
    "second",
    "third",
    "proposed",
    "agreed",
    "current",
    "formal",
];
const PAST: [&str; 7] = ["initial", "previous", "earlier", "old", "original", "former", "prior"];
const FINAL: [&str; 6] = ["final", "revised", "updated", "new", "changed", "definitive"];

/// Returns true if a word in a label's brackets neither names a person nor changes the meaning.
pub(super) fn says_nothing(word: &str) -> bool {
    PLAIN.contains(&word) || FINAL.contains(&word) || matches!(word, "one" | "of" | "or" | "vote")
}

/// The labels that are read liberally in one answer.
#[derive(Debug)]
pub(super) struct NameIndex {
    /// Name, true for a plural, and marker. Names are in lower case.
    known: Vec<(String, bool, String)>,
    ballots: bool,
}

impl NameIndex {
    /// Collects the names of the markers that an answer may contain.
    pub(super) fn of(wanted: &AnswerSpec) -> Self {
        let mut known = Vec::new();
        let words = wanted.read_liberally();
        for word in words.iter().filter(|word| wanted.markers.get(word).is_some()) {
            let small = word.to_lowercase();
            let (singular, plural) = Marker::of(word).synonyms();
            known.extend(singular.iter().map(|name| ((*name).to_owned(), false, word.clone())));
            known.extend(plural.iter().map(|name| ((*name).to_owned(), true, word.clone())));
            if word.len() > 1 && Marker::of(word).value() == crate::transcript::MarkerValue::Text {
                known.extend(plurals(&small).map(|name| (name, true, word.clone())));
            }
            known.push((small, false, word.clone()));
        }
        Self { known, ballots: wanted.asks_for("VOTE") }
    }

    /// Returns true if this marker may be read at all.
    pub(super) fn has(&self, word: &str) -> bool {
        self.known.iter().any(|(.., known)| known == word)
    }

    /// Returns the marker that a label means, and the participants that the label addresses.
    pub(super) fn find(&self, shown: &str) -> Option<(FoundWord, String)> {
        let small = shown.to_lowercase();
        let (small, addressed) = addressee(&small);
        let mut words: Vec<&str> = small.split(' ').filter(|word| !word.is_empty()).collect();
        // The word `answer` counts only in `Answer to Q2` and the like. `Answer:` alone is just a heading.
        if let ["answer" | "a" | "reply", "to" | "on", question]
        | ["answer" | "a" | "reply" | "re" | "to" | "on", question] = words.as_slice()
            && let Some(number) = question.strip_prefix('q').and_then(|number| number.parse().ok())
        {
            return self
                .find_weighted("a", WordWeight::Own, Some(number))
                .map(|found| (found, addressed));
        }
        let mut weight = WordWeight::Own;
        while let [first, _, ..] = words.as_slice() {
            match *first {
                word if PAST.contains(&word) => weight = WordWeight::Past,
                word if FINAL.contains(&word) => weight = WordWeight::Final,
                word if PLAIN.contains(&word) => {}
                _ => break,
            }
            if *first == "first" && words.last() == Some(&"vote") {
                weight = WordWeight::Past;
            }
            if self.known.iter().any(|(name, ..)| *name == words.join(" ")) {
                break;
            }
            words.remove(0);
        }
        let mut number = None;
        if let [.., name, last] = words.as_slice()
            && !name.is_empty()
            && let Ok(count) = last.trim_start_matches('#').parse()
        {
            number = Some(count);
            words.pop();
        }
        let mut name = words.join(" ");
        // Splits `Q2` and `A1` into letter and number.
        if let Some(digits) = name.get(1..).filter(|digits| !digits.is_empty())
            && let Ok(count) = digits.parse()
        {
            number = Some(count);
            name.truncate(1);
        }
        // A single letter is a marker only in upper case.
        if name.len() == 1 && !shown.starts_with(|c: char| c.is_ascii_uppercase()) {
            return None;
        }
        if let Some(found) = self.find_weighted(&name, weight, number) {
            return Some((found, addressed));
        }
        let other =
            self.ballots && [small.as_str(), name.as_str()].iter().any(|it| BALLOTS.contains(it));
        let found = FoundWord {
            word: "VOTE".to_owned(),
            weight: WordWeight::Other,
            number: None,
            plural: false,
        };
        other.then_some((found, String::new()))
    }

    fn find_weighted(
        &self,
        name: &str,
        weight: WordWeight,
        number: Option<u32>,
    ) -> Option<FoundWord> {
        let (_, plural, word) = self.known.iter().find(|(known, ..)| known == name)?;
        Some(FoundWord { word: word.clone(), weight, number, plural: *plural })
    }
}

/// Returns possible plurals of a word: `weaknesses`, `strengths`, `summaries`.
fn plurals(word: &str) -> impl Iterator<Item = String> {
    let stem = word.strip_suffix('y').map(|stem| format!("{stem}ies"));
    [format!("{word}s"), format!("{word}es")].into_iter().chain(stem)
}

/// Splits `question for @security and @architect` into the label and the addressed participants.
fn addressee(small: &str) -> (String, String) {
    let Some(at) = small.find(['@']) else { return (small.to_owned(), String::new()) };
    let (before, names) = small.split_at(at);
    let before = before.trim_end();
    let before =
        ["for", "to", "at"].iter().find_map(|word| before.strip_suffix(word)).unwrap_or(before);
    (before.trim().to_owned(), names.trim().to_owned())
}

//! Decides which single letters mean participants.
//!
//! In doubt the rule leaves a letter unchanged, because a wrong name is worse than none. A letter, or a list of letters
//! (`B and C`, `A, B, D`), means participants
//! - after a word for participants or their texts (`draft D`, `ballots A and C`, `Participants A and B`);
//! - alone in brackets that name the source of the words before them (`her voters (A, B, D)`, `the index first
//!   (B)`);
//! - as the subject of a clause before a verb (`C voted no`, `but B and C hold`), after a preposition of source or
//!   company (`from B`, `with C`), or with `'s` in either position.
//!
//! A letter never means a participant if it begins an item (`A.`, `B)`, `A: ...`), follows any other word (`Plan A`,
//! `vitamin C`, `grade B`), or is a vote option. One such use of a letter excludes it in the whole text; a use in the
//! topic excludes it in the whole discussion.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::engine::prose::{fixed, overlaps};

/// Names by letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters {
    names: BTreeMap<char, String>,
    /// Letters with another meaning in this discussion. They mean participants only after a word for participants.
    taken: BTreeSet<char>,
}

/// Words for participants and for their texts. A letter after one of them is a participant.
const PEOPLE: [&str; 7] =
    ["participant", "author", "drafter", "voter", "speaker", "peer", "colleague"];
const WORKS: [&str; 3] = ["draft", "ballot", "revision"];
/// Things that letters distinguish: `three options (A, B, C)`.
const THINGS: [&str; 8] =
    ["option", "plan", "variant", "alternative", "choice", "case", "step", "point"];
/// Prepositions after which a letter may end its sentence.
const SOURCES: [&str; 8] = ["from", "by", "with", "against", "unlike", "between", "of", "both"];
/// Words for things with letter grades: `a score of B`.
const GRADED: [&str; 8] = ["grade", "rating", "mark", "score", "kind", "type", "class", "level"];
/// Words after which a letter may be the subject of a verb.
const JOINTS: [&str; 30] = [
    "and", "or", "as", "that", "because", "if", "while", "when", "where", "but", "only", "since",
    "what", "how", "why", "whereas", "though", "although", "so", "then", "than", "does", "did",
    "is", "was", "has", "had", "whom", "also", "like",
];
/// Actions of a participant, and short words that may follow a participant.
const VERBS: [&str; 68] = [
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "does",
    "do",
    "did",
    "would",
    "will",
    "should",
    "could",
    "can",
    "may",
    "must",
    "says",
    "say",
    "said",
    "argues",
    "argue",
    "argued",
    "writes",
    "write",
    "wrote",
    "holds",
    "hold",
    "held",
    "claims",
    "claimed",
    "names",
    "named",
    "asks",
    "asked",
    "gives",
    "gave",
    "shows",
    "showed",
    "sees",
    "saw",
    "finds",
    "found",
    "wants",
    "wanted",
    "votes",
    "vote",
    "voted",
    "adds",
    "added",
    "alone",
    "misses",
    "missed",
    "overlooks",
    "overlooked",
    "concedes",
    "conceded",
    "proposes",
    "proposed",
    "agrees",
    "agree",
    "agreed",
    "disagrees",
    "disagree",
    "differ",
    "prefers",
    "puts",
    "both",
];

/// A single letter, or a list of letters.
struct LetterGroup {
    letters: Vec<(usize, char)>,
}

impl LetterGroup {
    fn start(&self) -> usize {
        self.letters.first().map_or(0, |(at, _)| *at)
    }

    fn end(&self) -> usize {
        self.letters.last().map_or(0, |(at, _)| at + 1)
    }
}

/// The text before a group.
enum Before<'t> {
    /// The start of a line, sentence or clause.
    Nothing,
    Bracket,
    Word {
        word: &'t str,
        at: usize,
    },
    Other,
}

impl Letters {
    pub(super) fn new(names: Vec<(char, String)>) -> Self {
        // `I` is an English word.
        Self { names: names.into_iter().collect(), taken: BTreeSet::from(['I']) }
    }

    /// Excludes letters that are vote options.
    pub(super) fn without<'o>(mut self, options: impl Iterator<Item = &'o str>) -> Self {
        let mut single = options.filter_map(|option| {
            let mut chars = option.trim().chars();
            chars.next().filter(|_| chars.next().is_none())
        });
        self.taken.extend(single.by_ref().map(|option| option.to_ascii_uppercase()));
        self
    }

    /// Excludes letters that the topic uses as labels.
    pub(super) fn without_labels_of(mut self, topic: &str) -> Self {
        let groups = self.groups(topic, &[]);
        let mut labels: BTreeSet<char> = BTreeSet::new();
        for group in &groups {
            let article = matches!(group.letters.as_slice(), [(_, 'A' | 'I')]);
            if !article || is_label(topic, group) {
                labels.extend(group.letters.iter().map(|(_, letter)| *letter));
            }
        }
        self.taken.extend(labels);
        self
    }

    /// Returns the text with names in place of letters.
    pub(super) fn replace(&self, text: &str) -> String {
        if self.names.is_empty() {
            return text.to_owned();
        }
        let fixed = fixed(text);
        let groups = self.groups(text, &fixed);
        let labels = groups.iter().filter(|group| is_label(text, group));
        let labels: BTreeSet<char> =
            labels.flat_map(|group| group.letters.iter().map(|(_, letter)| *letter)).collect();
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for group in &groups {
            let known = |letter: &char| !self.taken.contains(letter) && !labels.contains(letter);
            let (keep, insert) = match owner(text, group) {
                Some(Owner { word, at, is_work: false }) if is(word, "participant") => (at, ""),
                Some(Owner { is_work: true, .. }) => (group.start(), "of "),
                Some(_) => (group.start(), ""),
                None => {
                    let all = group.letters.iter().all(|(_, letter)| known(letter));
                    if !all || !means_participants(text, group) {
                        continue;
                    }
                    (group.start(), "")
                }
            };
            out.push_str(&text[from..keep]);
            out.push_str(insert);
            from = group.start();
            for (at, letter) in &group.letters {
                out.push_str(&text[from..*at]);
                out.push_str(&self.names[letter]);
                from = at + 1;
            }
        }
        out.push_str(&text[from..]);
        out
    }

    /// Finds single letters that have a name, and groups those that form a list.
    fn groups(&self, text: &str, fixed: &[Range<usize>]) -> Vec<LetterGroup> {
        let mut groups: Vec<LetterGroup> = Vec::new();
        for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_uppercase()) {
            let before = text[..at].chars().next_back();
            let after = text[at + 1..].chars().next();
            let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '\\');
            let letter = char::from(byte);
            if before.is_some_and(inner)
                || after.is_some_and(inner)
                || !self.names.contains_key(&letter)
                || overlaps(fixed, &(at..at + 1))
            {
                continue;
            }
            match groups.last_mut() {
                Some(group) if joins(&text[group.end()..at]) => group.letters.push((at, letter)),
                _ => groups.push(LetterGroup { letters: vec![(at, letter)] }),
            }
        }
        groups
    }
}

/// Returns true if this text separates the letters of a list.
fn joins(between: &str) -> bool {
    matches!(between, ", " | " and " | " or " | ", and " | ", or " | " & ")
}

/// A word for participants or for their texts, before a group.
struct Owner<'t> {
    word: &'t str,
    at: usize,
    is_work: bool,
}

fn owner<'t>(text: &'t str, group: &LetterGroup) -> Option<Owner<'t>> {
    let Before::Word { word, at } = context_before(text, group.start()) else { return None };
    let is_work = WORKS.iter().any(|work| is(word, work));
    (is_work || PEOPLE.iter().any(|people| is(word, people))).then_some(Owner { word, at, is_work })
}

/// Returns true if a word is the given singular or its plural.
fn is(word: &str, singular: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word == singular || word.strip_suffix('s') == Some(singular)
}

fn context_before(text: &str, start: usize) -> Before<'_> {
    let above = text[..start].trim_end_matches(['*', '"', '\u{201c}']);
    let (rest, gap) = match above.strip_suffix(' ') {
        Some(rest) => (rest.trim_end_matches('*'), true),
        None => (above, false),
    };
    let Some(last) = rest.chars().next_back() else { return Before::Nothing };
    match last {
        '\n' | '.' | '!' | '?' | ';' | ':' | ',' | '\u{2013}' | '\u{2014}' => Before::Nothing,
        '(' if !gap => Before::Bracket,
        '-' | '>' | '#' if gap => Before::Nothing,
        letter if gap && letter.is_alphabetic() => {
            let at = rest.rfind(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'');
            let at = at.map_or(0, |at| at + rest[at..].chars().next().map_or(1, char::len_utf8));
            Before::Word { word: &rest[at..], at }
        }
        _ => Before::Other,
    }
}

/// Returns the text after a group, without emphasis characters.
fn text_after<'t>(text: &'t str, group: &LetterGroup) -> &'t str {
    text[group.end()..].trim_start_matches('*')
}

fn possessive(behind: &str) -> bool {
    let end = behind.strip_prefix("'s").or_else(|| behind.strip_prefix("\u{2019}s"));
    end.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Returns true if a group has another meaning: it begins an item, or follows a word that takes letters.
fn is_label(text: &str, group: &LetterGroup) -> bool {
    let behind = text_after(text, group);
    let single = group.letters.len() == 1;
    match context_before(text, group.start()) {
        Before::Nothing => {
            let above = text[..group.start()].trim_end_matches(['-', '>', '#', '*', ' ', '\t']);
            let begins = above.is_empty() || above.ends_with('\n');
            // `A:` answers a question.
            let answer = text[group.start()..].starts_with("A:");
            single && begins && !answer && behind.starts_with([')', '.', ':'])
        }
        Before::Bracket => single && !closes(text, group),
        Before::Word { word, at } => {
            let lower = word.to_ascii_lowercase();
            if lower == "of" {
                let above = text[..at].trim_end();
                return GRADED.iter().any(|graded| above.ends_with(graded));
            }
            let small = SOURCES.contains(&lower.as_str()) || JOINTS.contains(&lower.as_str());
            // A capital `A` after a word may also begin a name: `Take A Queue`.
            !small && owner(text, group).is_none()
        }
        Before::Other => false,
    }
}

/// Returns true if brackets enclose exactly this group and name it as the source of the words before them.
fn closes(text: &str, group: &LetterGroup) -> bool {
    let source = text[..group.start()].trim_end_matches('*').strip_suffix(" (");
    let (Some(source), Some(after)) = (source, text_after(text, group).strip_prefix(')')) else {
        return false;
    };
    let word = source.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if word.is_empty() || THINGS.iter().any(|thing| is(word, thing)) {
        return false;
    }
    // In `(A) build or (B) buy` the letters number the following words.
    group.letters.len() > 1 || !after.trim_start_matches(' ').starts_with(char::is_alphanumeric)
}

fn means_participants(text: &str, group: &LetterGroup) -> bool {
    let behind = text_after(text, group);
    let next: &str = behind.strip_prefix(' ').unwrap_or_default();
    let word_end = next.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(next.len());
    let acts = VERBS.contains(&&next[..word_end]) || possessive(behind);
    let ends = behind.is_empty() || behind.starts_with(['\n', '.', ',', ';', '!', '?', ')', ':']);
    match context_before(text, group.start()) {
        Before::Bracket => acts || closes(text, group),
        Before::Nothing => acts,
        Before::Word { word, .. } => {
            let lower = word.to_ascii_lowercase();
            if SOURCES.contains(&lower.as_str()) {
                acts || ends || ["and", "that", "who", "but", "on"].contains(&&next[..word_end])
            } else {
                JOINTS.contains(&lower.as_str()) && acts
            }
        }
        Before::Other => false,
    }
}

#[cfg(test)]
mod tests;

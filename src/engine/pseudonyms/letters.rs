//! Letters that stand alone: which of them mean participants.
//!
//! The rule errs on the side of leaving a letter as it is, since a wrong name is worse than none. A letter, or a list of
//! them (`B and C`, `A, B, D`), means participants
//! - behind a word for them or what they wrote (`draft D`, `ballots A and C`, `Participants A and B`);
//! - in brackets of its own, at the end of what it is the source of (`the index first (B)`, `her voters (A, B, D)`);
//! - where a sentence has its subject and a verb follows (`C voted no`, `but B and C hold`), behind a preposition of
//!   source or company (`from B`, `with C`), or with `'s` in either place.
//!
//! It never does where it begins an item (`A.`, `B)`, `A: ...`), behind any other word (`Plan A`, `vitamin C`,
//! `grade B`), nor anywhere in a text, or in a discussion whose topic, uses it so; nor where it may be voted for.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::engine::prose::{fixed, overlaps};

/// Names by letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters {
    names: BTreeMap<char, String>,
    /// Letters that mean something else in this discussion, unless a word for participants stands before them.
    taken: BTreeSet<char>,
}

/// People, and what they wrote: a letter behind one of these is theirs.
const PEOPLE: [&str; 7] =
    ["participant", "author", "drafter", "voter", "speaker", "peer", "colleague"];
const WORKS: [&str; 3] = ["draft", "ballot", "revision"];
/// What is told apart by letters: `three options (A, B, C)`.
const THINGS: [&str; 8] =
    ["option", "plan", "variant", "alternative", "choice", "case", "step", "point"];
/// Behind these a letter may end its sentence.
const SOURCES: [&str; 8] = ["from", "by", "with", "against", "unlike", "between", "of", "both"];
/// What has grades by letter: `a score of B`.
const GRADED: [&str; 8] = ["grade", "rating", "mark", "score", "kind", "type", "class", "level"];
/// Behind these a letter may be the subject of a verb.
const JOINTS: [&str; 30] = [
    "and", "or", "as", "that", "because", "if", "while", "when", "where", "but", "only", "since",
    "what", "how", "why", "whereas", "though", "although", "so", "then", "than", "does", "did",
    "is", "was", "has", "had", "whom", "also", "like",
];
/// What a participant does, and the small words that may follow one.
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

/// A letter, or several that are listed.
struct Group {
    letters: Vec<(usize, char)>,
}

impl Group {
    fn start(&self) -> usize {
        self.letters.first().map_or(0, |(at, _)| *at)
    }

    fn end(&self) -> usize {
        self.letters.last().map_or(0, |(at, _)| at + 1)
    }
}

/// What stands before a group.
enum Before<'t> {
    /// A line, sentence or clause begins here.
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
        // `I` is a word of its own.
        Self { names: names.into_iter().collect(), taken: BTreeSet::from(['I']) }
    }

    /// The same, where these words may be voted for.
    pub(super) fn without<'o>(mut self, options: impl Iterator<Item = &'o str>) -> Self {
        let mut single = options.filter_map(|option| {
            let mut chars = option.trim().chars();
            chars.next().filter(|_| chars.next().is_none())
        });
        self.taken.extend(single.by_ref().map(|option| option.to_ascii_uppercase()));
        self
    }

    /// The same, where this is what is talked about.
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

    /// The text with names in the place of letters.
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

    /// Letters that have a name and stand alone, those that are listed together.
    fn groups(&self, text: &str, fixed: &[Range<usize>]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
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
                _ => groups.push(Group { letters: vec![(at, letter)] }),
            }
        }
        groups
    }
}

/// Whether this stands between the letters of one list.
fn joins(between: &str) -> bool {
    matches!(between, ", " | " and " | " or " | ", and " | ", or " | " & ")
}

/// A word for participants, or for what they wrote, before a group.
struct Owner<'t> {
    word: &'t str,
    at: usize,
    is_work: bool,
}

fn owner<'t>(text: &'t str, group: &Group) -> Option<Owner<'t>> {
    let Before::Word { word, at } = before(text, group.start()) else { return None };
    let is_work = WORKS.iter().any(|work| is(word, work));
    (is_work || PEOPLE.iter().any(|people| is(word, people))).then_some(Owner { word, at, is_work })
}

/// Whether a word is this one, or more of it.
fn is(word: &str, singular: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word == singular || word.strip_suffix('s') == Some(singular)
}

fn before(text: &str, start: usize) -> Before<'_> {
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

/// The text behind a group, without emphasis.
fn behind<'t>(text: &'t str, group: &Group) -> &'t str {
    text[group.end()..].trim_start_matches('*')
}

fn possessive(behind: &str) -> bool {
    let end = behind.strip_prefix("'s").or_else(|| behind.strip_prefix("\u{2019}s"));
    end.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Whether a group names something else: it begins an item, or stands behind a word that takes letters.
fn is_label(text: &str, group: &Group) -> bool {
    let behind = behind(text, group);
    let single = group.letters.len() == 1;
    match before(text, group.start()) {
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
            // A capital `A` behind a word may still begin a name: `Take A Queue`.
            !small && owner(text, group).is_none()
        }
        Before::Other => false,
    }
}

/// Whether a bracket around a group ends here, behind what it is the source of.
fn closes(text: &str, group: &Group) -> bool {
    let source = text[..group.start()].trim_end_matches('*').strip_suffix(" (");
    let (Some(source), Some(after)) = (source, behind(text, group).strip_prefix(')')) else {
        return false;
    };
    let word = source.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if word.is_empty() || THINGS.iter().any(|thing| is(word, thing)) {
        return false;
    }
    // `(A) build or (B) buy` numbers what follows.
    group.letters.len() > 1 || !after.trim_start_matches(' ').starts_with(char::is_alphanumeric)
}

fn means_participants(text: &str, group: &Group) -> bool {
    let behind = behind(text, group);
    let next: &str = behind.strip_prefix(' ').unwrap_or_default();
    let word_end = next.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(next.len());
    let acts = VERBS.contains(&&next[..word_end]) || possessive(behind);
    let ends = behind.is_empty() || behind.starts_with(['\n', '.', ',', ';', '!', '?', ')', ':']);
    match before(text, group.start()) {
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

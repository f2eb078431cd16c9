//! The status of a decision record: its words, and the references to records that replace it or are replaced by it.

use std::sync::LazyLock;

use regex::Regex;

use super::read::cut;
use super::{LinkTarget, RecordLink, RecordStatus, StatusKind};
use crate::transcript::unescaped;

/// The longest status in characters; the rest is not shown.
const LONGEST: usize = 200;
/// The maximum number of references in one status, section or list.
const MOST: usize = 100;

/// A relation to another record, by the words at the beginning of a clause. Longer words come first.
const RELATIONS: [(&str, bool); 9] = [
    ("superseded by", false),
    ("superceded by", false),
    ("superseded-by", false),
    ("superseded_by", false),
    ("replaced by", false),
    ("supersedes", true),
    ("supercedes", true),
    ("replaces", true),
    ("replaced-by", false),
];

/// The words of a status.
const WORDS: [(&str, StatusKind); 21] = [
    ("accepted", StatusKind::Accepted),
    ("approved", StatusKind::Accepted),
    ("proposed", StatusKind::Proposed),
    ("proposal", StatusKind::Proposed),
    ("draft", StatusKind::Proposed),
    ("pending", StatusKind::Proposed),
    ("on hold", StatusKind::Proposed),
    ("open", StatusKind::Proposed),
    ("in review", StatusKind::Proposed),
    ("under review", StatusKind::Proposed),
    ("in discussion", StatusKind::Proposed),
    ("wip", StatusKind::Proposed),
    ("rejected", StatusKind::Rejected),
    ("declined", StatusKind::Rejected),
    ("deprecated", StatusKind::Deprecated),
    ("obsolete", StatusKind::Deprecated),
    ("retired", StatusKind::Deprecated),
    ("withdrawn", StatusKind::Deprecated),
    ("superseded", StatusKind::Superseded),
    ("superceded", StatusKind::Superseded),
    ("replaced", StatusKind::Superseded),
];

/// Reads a status of one line.
pub(super) fn status(line: &str) -> RecordStatus {
    let words = plain_text(line);
    let lower = words.to_lowercase();
    let known = WORDS.iter().find(|(word, _)| {
        let rest = lower.strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    });
    let kind = known.map_or(StatusKind::Unknown, |(_, kind)| *kind);
    RecordStatus { kind, words: cut(&words, LONGEST) }
}

/// Returns true if a status is a line of a template that offers several words.
pub(super) fn is_placeholder(line: &str) -> bool {
    line.contains(" | ")
}

/// Returns the references in a line that begin a clause: `Accepted; supersedes ADR-0003` has one, `Accepted; a part of
/// it is superseded by ADR-0003` has none, because the record is still in force.
pub(super) fn references(text: &str, line: usize) -> Vec<RecordLink> {
    let mut links = Vec::new();
    let mut relation = None;
    let text = text.replace("**", "");
    for clause in clauses(&text) {
        let clause = bare(clause);
        let lower = clause.to_ascii_lowercase();
        let found = RELATIONS.iter().find(|(words, _)| lower.starts_with(words));
        let rest = match found {
            Some((words, replaces)) => {
                relation = Some(*replaces);
                &clause[words.len()..]
            }
            // `supersedes ADR-0003, ADR-0004` names two records.
            None => clause,
        };
        let Some(replaces) = relation else { continue };
        let targets = targets(rest, found.is_none());
        if found.is_none() && targets.is_empty() {
            relation = None;
        }
        links.extend(targets.into_iter().map(|target| RecordLink { replaces, target, line }));
    }
    links.truncate(MOST);
    links
}

/// Splits a line at commas, semicolons and parentheses that are no part of a Markdown link.
fn clauses(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut label, mut target, mut last) = (0_usize, false, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '[' => label += 1,
            ']' => label = label.saturating_sub(1),
            '(' if last == ']' => target = true,
            ')' if target => target = false,
            ',' | ';' | '(' | ')' if label == 0 && !target => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
        last = c;
    }
    parts.push(&text[start..]);
    parts
}

/// Removes list marks, emphasis and blanks before a clause.
fn bare(clause: &str) -> &str {
    clause.trim_start_matches(|c: char| c.is_whitespace() || "*_-+>`\"'".contains(c))
}

/// Returns the records that a text names: by Markdown links, or else by file names or numbers. With `only`, the text
/// must consist of them.
fn targets(text: &str, only: bool) -> Vec<LinkTarget> {
    static LINK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]]*)\]\(\s*<?([^()\s<>]*)"));
    static NAMED: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"(?i)(?P<file>[\w./-]+\.md)\b|\badr[-_ ]?(?P<number>[0-9]{1,6})\b")
    });
    static NUMBERS: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?i)^(?:[\s:.#&\[\]]|\band\b|\badr\b|\b[0-9]{1,6}\b)+$"));
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9]{1,6}\b"));
    static OTHERS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^[\s:.&]*(?:and\b)?[\s.]*$"));
    let number = |digits: &str| digits.parse().ok().map(LinkTarget::Number);
    let mut found: Vec<LinkTarget> = Vec::new();
    for link in LINK.captures_iter(text) {
        let of = |group| link.get(group).map_or("", |part| part.as_str());
        match file(of(2)) {
            Some(file) => found.push(LinkTarget::File(file)),
            // A link to a page of a website may still name the record.
            None => found.extend(
                NAMED.captures(of(1)).and_then(|named| number(named.name("number")?.as_str())),
            ),
        }
    }
    let rest = LINK.replace_all(text, "");
    if found.is_empty() && NUMBERS.is_match(&rest) {
        return NUMBER.find_iter(&rest).filter_map(|digits| number(digits.as_str())).collect();
    }
    if found.is_empty() {
        found.extend(NAMED.captures_iter(&rest).filter_map(|named| {
            let by_file = named.name("file").and_then(|name| file(name.as_str()));
            by_file.map(LinkTarget::File).or_else(|| number(named.name("number")?.as_str()))
        }));
    }
    let left = NAMED.replace_all(&rest, "");
    if only && !OTHERS.is_match(&left) {
        return Vec::new();
    }
    found
}

/// Returns the Markdown file that a link leads to; `None` for other targets: pages of a website, and paths from a root
/// that only the website knows.
pub(super) fn file(target: &str) -> Option<String> {
    let target = target.split(['#', '?']).next().unwrap_or_default();
    let target = unescaped(target)?;
    let is_near = !target.starts_with(['/', '\\']) && !target.contains(':');
    (is_near && target.to_ascii_lowercase().ends_with(".md")).then_some(target)
}

/// Returns a text without the marks of Markdown: links become their labels.
pub(super) fn plain_text(text: &str) -> String {
    static LINK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\[\]]*)\]\([^()]*\)"));
    static MARKS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\*\*|__|[`*]"));
    let text = LINK.replace_all(text, "$1");
    let text = MARKS.replace_all(&text, "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_status_are_known() {
        let kind = |text: &str| status(text).kind;
        for (text, wanted) in [
            ("Accepted", StatusKind::Accepted),
            ("**accepted**", StatusKind::Accepted),
            ("accepted; supersedes ADR-0045", StatusKind::Accepted),
            ("Approved", StatusKind::Accepted),
            ("on hold", StatusKind::Proposed),
            ("Superceded by [2. B](0002-b.md)", StatusKind::Superseded),
            ("Partly superseded", StatusKind::Unknown),
            ("accepted-ish", StatusKind::Unknown),
            ("openly", StatusKind::Unknown),
            ("", StatusKind::Unknown),
        ] {
            assert_eq!(kind(text), wanted, "{text}");
        }
        assert_eq!(status("Superceded by [2. B](0002-b.md)").words, "Superceded by 2. B");
    }

    #[test]
    fn references_are_read_in_every_spelling() {
        let read = |text: &str| {
            let links = references(text, 1).into_iter();
            let shown = links.map(|link| match link.target {
                LinkTarget::File(file) => {
                    format!("{}{file}", if link.replaces { ">" } else { "<" })
                }
                LinkTarget::Number(number) => {
                    format!("{}{number}", if link.replaces { ">" } else { "<" })
                }
            });
            shown.collect::<Vec<_>>().join(" ")
        };
        for (text, wanted) in [
            ("Superseded by [ADR-0005](0005-a.md)", "<0005-a.md"),
            ("Superceded by [2. A, then B](0002-a%20b.md#why)", "<0002-a b.md"),
            ("superseded by ADR-0123", "<123"),
            ("Superseded by 0007", "<7"),
            ("Superseded by adr 7 and adr 8", "<7 <8"),
            ("accepted; supersedes ADR-0045", ">45"),
            ("Supercedes [1. A](0001-a.md) and [2. B](./0002-b.md)", ">0001-a.md >./0002-b.md"),
            ("* Supersedes: ADR-3, ADR-4", ">3 >4"),
            ("Accepted (supersedes 0003-x.md)", ">0003-x.md"),
            ("**Superseded** by [a](0002-a.md)", "<0002-a.md"),
            ("Accepted; a part is superseded by [ADR-0178](0178-x.md)", ""),
            ("Superseded by [ADR-7](https://example.org/adr/7)", "<7"),
            ("Superseded by the plan of 2018", ""),
            ("Amended by [3. C](0003-c.md)", ""),
            ("Supersedes ADR-3, since ADR-9 asks for it", ">3"),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }
}

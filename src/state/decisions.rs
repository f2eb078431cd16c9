//! Decisions: how they are stated, supported, replaced and withdrawn, also by a decision of another discussion
//! (`SUPERSEDES: other.md#D2`).

use std::sync::LazyLock;

use foldhash::{HashMap, HashSet};
use regex::Regex;

use super::kind::ItemKind;
use super::lifecycle::Lifecycle;
use super::speaker::Speaker;
use super::track::{Author, number};
use super::typed::{Target, numbers};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{BodyMark, Name, unescaped};

/// A decision from a `DECISION:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedDecision {
    /// The number, counted from 1.
    pub number: u32,
    /// The text of the decision.
    pub text: String,
    /// The author.
    pub author: Name,
    /// Participants that repeated the decision or wrote `+1 D<number>`.
    pub supporters: Vec<Name>,
    /// Line in the file.
    pub line: usize,
    /// The notes of people about it.
    pub lifecycle: Lifecycle,
    /// Each comment that stated or supported it, in file order; the first one stated it.
    pub(crate) statements: Vec<Statement>,
    /// Each comment that withdrew it, in file order.
    pub(crate) withdrawals: Vec<Withdrawal>,
    speaker: Speaker,
    entry: usize,
    /// True if it is the decision of a text for a reader.
    of_text: bool,
    /// True if a later line names it as replaced or withdrawn, so that the same words state a new decision.
    is_past: bool,
}

/// A comment that states or supports a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The author of the comment.
    pub(crate) name: Name,
    /// The author, with what kind of participant it is.
    pub(crate) speaker: Speaker,
    /// True if the author is a person.
    pub(crate) by_person: bool,
    /// True for a `DECISION:` line; false for `+1 D1`.
    pub(crate) is_stated: bool,
    /// Index of the comment in the transcript's entries.
    pub(crate) entry: usize,
    /// Line of the marker in the file.
    pub(crate) line: usize,
    /// The indices of the decisions in `(replaces D1)`.
    pub(crate) replaces: Vec<usize>,
}

/// A `WITHDRAWN:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Withdrawal {
    /// The author of the comment.
    pub(crate) name: Name,
    /// True if the author is a person; otherwise it is the author of the decision.
    pub(crate) by_person: bool,
    /// Index of the comment in the transcript's entries.
    pub(crate) entry: usize,
    /// Line of the marker in the file.
    pub(crate) line: usize,
}

impl StatedDecision {
    /// Returns true if the decision is the one of a text for a reader.
    pub(crate) fn is_of_text(&self) -> bool {
        self.of_text
    }

    /// Returns the index of the comment that stated it first, in the transcript's entries.
    pub(crate) fn entry(&self) -> usize {
        self.entry
    }
}

/// All decisions of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Decisions {
    pub(super) list: Vec<StatedDecision>,
    /// Maps a normalized text to the index of its decision in `list`.
    by_text: HashMap<String, usize>,
    /// Pairs of decision and supporter.
    supported: HashSet<(usize, Name)>,
}

impl Decisions {
    /// Returns the number of the last decision that a comment stated; `entry` is the index of the comment.
    fn last_of(&self, entry: usize) -> Option<u32> {
        self.list.iter().rev().find(|one| one.entry == entry).map(|one| one.number)
    }

    fn target(&self) -> Target {
        Target { kind: ItemKind::Decision, count: self.list.len() }
    }

    /// Records `DECISION: text (replaces D1)`, and returns its index.
    pub(super) fn state(
        &mut self,
        mark: &BodyMark,
        by: &Author<'_>,
        problems: &mut Vec<Problem>,
    ) -> usize {
        let (text, replaced) = replacing(&mark.text);
        let replaced = replaced.map(|named| BodyMark { text: named, ..mark.clone() });
        let replaced = replaced.and_then(|named| self.target().numbered(&named, problems));
        let key = normal(&text);
        let is_current = |at: &usize| !self.list[*at].is_past;
        let index = match self.by_text.get(&key).copied().filter(is_current) {
            Some(index) => {
                self.add_supporter(index, by.name);
                index
            }
            None => {
                let index = self.list.len();
                self.by_text.insert(key, index);
                self.list.push(StatedDecision {
                    number: number(index),
                    text,
                    author: by.name.clone(),
                    supporters: Vec::new(),
                    line: mark.line,
                    lifecycle: Lifecycle::default(),
                    statements: Vec::new(),
                    withdrawals: Vec::new(),
                    speaker: by.speaker.clone(),
                    entry: by.entry,
                    of_text: by.of_text,
                    is_past: false,
                });
                index
            }
        };
        let mut replaces = replaced.unwrap_or_default();
        replaces.retain(|old| *old != index);
        replaces.iter().for_each(|old| self.list[*old].is_past = true);
        self.list[index].statements.push(by.statement(mark.line, true, replaces));
        // A later version of a text is whole, so the decision of the earlier version belongs to the past.
        let earlier = self.list[..index].iter_mut();
        for old in earlier.filter(|old| by.of_text && old.of_text && old.entry < by.entry) {
            old.is_past = true;
        }
        index
    }

    /// Records `+1 D2`, if its author could see that decision.
    pub(super) fn support(
        &mut self,
        wanted: u32,
        line: usize,
        by: &Author<'_>,
        problems: &mut Vec<Problem>,
    ) {
        let index = (wanted as usize).checked_sub(1).filter(|index| *index < self.list.len());
        let (code, message) = match index {
            Some(index)
                if self.list[index].entry < by.shown || self.list[index].speaker == *by.speaker =>
            {
                self.list[index].statements.push(by.statement(line, false, Vec::new()));
                return self.add_supporter(index, by.name);
            }
            Some(_) => (
                ProblemCode::DecisionUnseen,
                format!("support ignored: D{wanted} did not exist when this participant was asked"),
            ),
            None => (ProblemCode::DecisionUnknown, format!("there is no decision D{wanted} above")),
        };
        problems.push(Problem::new(Severity::Warning, code, (line, 1), message));
    }

    fn add_supporter(&mut self, index: usize, name: &Name) {
        let decision = &mut self.list[index];
        if decision.author != *name && self.supported.insert((index, name.clone())) {
            decision.supporters.push(name.clone());
        }
    }

    /// Records `WITHDRAWN: D3`, if it is written by the author of the decision or by a person.
    pub(super) fn withdraw(
        &mut self,
        mark: &BodyMark,
        by: &Author<'_>,
        problems: &mut Vec<Problem>,
    ) {
        let target = self.target();
        let Some(named) = target.numbered(mark, problems) else {
            return target.unclear(mark, problems);
        };
        for index in named {
            let decision = &mut self.list[index];
            let number = decision.number;
            let wrong = if decision.withdrawals.iter().any(|one| one.by_person) {
                Some(format!("D{number} is withdrawn already, so this line changes nothing"))
            } else if mark.marker.writers().include(
                by.by_person,
                false,
                decision.speaker == *by.speaker,
            ) {
                decision.withdrawals.push(Withdrawal {
                    name: by.name.clone(),
                    by_person: by.by_person,
                    entry: by.entry,
                    line: mark.line,
                });
                decision.is_past = true;
                None
            } else {
                let author = &decision.author;
                Some(format!(
                    "only {author} or a person can withdraw D{number}, so this line is ignored"
                ))
            };
            problems.extend(wrong.map(|message| {
                let here = (mark.line, mark.column);
                Problem::new(Severity::Warning, ProblemCode::NotWithdrawn, here, message)
            }));
        }
    }
}

/// Splits a decision's text into the text without `(replaces D1, D2)` and the numbers in those parentheses.
fn replacing(text: &str) -> (String, Option<String>) {
    static REPLACES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\s*[(\[]\s*(?:this\s+)?replaces\s+([^()\[\]]*)[)\]]")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    let found = REPLACES.captures(text).and_then(|found| {
        let (whole, named) = (found.get(0)?, found.get(1)?);
        (!numbers(named.as_str(), 'D').is_empty()).then(|| (whole.range(), named.as_str()))
    });
    match found {
        None => (text.to_owned(), None),
        Some((range, named)) => {
            let without = format!("{}{}", &text[..range.start], &text[range.end..]);
            (without.trim().to_owned(), Some(named.to_owned()))
        }
    }
}

pub(super) fn normal(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .trim_end_matches(['.', '!'])
        .to_lowercase()
}

/// A decision of another discussion that this one replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseded {
    /// The file of the other discussion as written in the link: relative to this folder, with `/` as separator.
    pub file: String,
    /// The number of the decision there; none: all its decisions.
    pub number: Option<u32>,
    /// The number of the decision in this file that replaces it; none: the result of this discussion as a whole.
    pub by: Option<u32>,
    /// The author of the link.
    pub author: Name,
    /// True if the author is a person.
    pub(crate) by_person: bool,
    /// Index of the comment in the transcript's entries.
    pub(crate) entry: usize,
    /// Line in the file.
    pub line: usize,
    /// Column in that line.
    pub column: usize,
}

/// Parses a link; none if it does not name a Markdown file beside this one.
fn link(text: &str) -> Option<(String, Option<u32>)> {
    let text = text.trim();
    let text = match text.split_once("](") {
        Some((title, rest)) if title.starts_with('[') => rest.split_once(')')?.0,
        _ => text.split_whitespace().next()?,
    };
    let text = text.trim_start_matches(['`', '<', '*', '_', '(']);
    let text = text.trim_end_matches(['`', '>', '*', '_', ')', ',', ';', '.']);
    let (file, number) = match text.split_once('#') {
        None => (text, None),
        Some((file, of)) => {
            let digits = of.strip_prefix(['D', 'd'])?;
            (file, Some(digits.parse().ok().filter(|number| *number > 0)?))
        }
    };
    let file = unescaped(file)?;
    let lower = file.to_ascii_lowercase();
    let is_markdown = lower.ends_with(".md") || lower.ends_with(".markdown");
    let is_near = !file.starts_with(['/', '\\']) && !file.contains(':');
    (is_markdown && is_near).then_some((file, number))
}

/// Records a `SUPERSEDES:` marker; adds a problem if it cannot be parsed.
pub(super) fn supersede(
    list: &mut Vec<Superseded>,
    mark: &BodyMark,
    by: &Author<'_>,
    decisions: &Decisions,
    problems: &mut Vec<Problem>,
) {
    let (line, column) = (mark.line, mark.column);
    let Some((file, number)) = link(&mark.text) else {
        let message = "this names no decision and is ignored; write the other discussion's file, relative to this \
                       folder, and the decision's number, like `old.md#D2`";
        let code = ProblemCode::ValueUnreadable;
        problems.push(Problem::new(Severity::Warning, code, (line, column), message));
        return;
    };
    let own = decisions.last_of(by.entry);
    list.push(Superseded {
        file,
        number,
        by: own,
        author: by.name.clone(),
        by_person: by.by_person,
        entry: by.entry,
        line,
        column,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_names_a_markdown_file_and_optionally_a_decision() {
        let read = |text: &str| link(text).map(|(file, number)| format!("{file} {number:?}"));
        for (text, wanted) in [
            ("old.md#D2", "old.md Some(2)"),
            ("../a/old.md", "../a/old.md None"),
            ("[Old](a%20b.md#D1), since it was measured", "a b.md Some(1)"),
            ("`old.md#d3`, since", "old.md Some(3)"),
            ("<old.md>", "old.md None"),
        ] {
            assert_eq!(read(text).as_deref(), Some(wanted), "{text}");
        }
        for wrong in
            ["", "D2", "/etc/x.md", "https://x/y.md", "old.md#2", "old.md#D0", "old.txt", "a%00.md"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}

//! The lines of an answer, their meaning, and the lines that replace them.

use std::collections::{BTreeMap, BTreeSet};

use super::label::{Labelled, Sign, is_sign, label};
use super::section::is_nothing;
use super::value::{exactly, is_ranged, typed};
use super::vote::VoteCandidate;
use super::words::{FoundWord, NameIndex, WordWeight};
use crate::engine::answer::AnswerSpec;
use crate::state::is_readable;
use crate::template::Demand;
use crate::transcript::{
    Block, BlockKind, BodyMark, Comment, Marker, MarkerValue, blocks, inner_lines,
};

/// One answer in progress.
pub(super) struct AnswerDraft<'t> {
    pub(super) wanted: &'t AnswerSpec,
    pub(super) names: NameIndex,
    pub(super) lines: Vec<&'t str>,
    pub(super) blocks: Vec<Block>,
    pub(super) claims: Vec<VoteCandidate>,
    /// Replacements of lines, independent of the votes that count.
    pub(super) put: BTreeMap<usize, String>,
    /// Markers that the file's strict parser finds, by line.
    pub(super) strict: BTreeMap<usize, BodyMark>,
    /// Lines within code, links, pictures and struck-out text.
    pub(super) inner: BTreeSet<usize>,
    /// Values that the answer states next to a vote.
    pub(super) aside: Vec<(&'static str, String)>,
    /// A line to append to the text.
    pub(super) below: Option<String>,
    /// True if the answer spells out `Answer:` too. Its `Question:` then repeats the topic and asks nothing new.
    answers: bool,
}

/// The parts of a line: its heading or list prefix, and its text.
pub(super) struct Parts<'t> {
    pub(super) mark: &'t str,
    pub(super) boxed: bool,
    pub(super) text: &'t str,
}

impl<'t> AnswerDraft<'t> {
    pub(super) fn of(text: &'t str, wanted: &'t AnswerSpec) -> Self {
        let marks = Comment::plain(text).read(&wanted.markers).marks;
        let lines: Vec<&str> = text.split('\n').collect();
        let answers = lines.iter().any(|line| {
            let bare = line.trim_start_matches(['*', '_', '#', ' ']).to_ascii_lowercase();
            bare.starts_with("answer:") || bare.starts_with("answer*") || bare == "answer"
        });
        Self {
            wanted,
            names: NameIndex::of(wanted),
            blocks: blocks(text),
            inner: inner_lines(text).into_iter().collect(),
            lines,
            claims: Vec::new(),
            put: BTreeMap::new(),
            aside: Vec::new(),
            below: None,
            strict: marks.into_iter().map(|mark| (mark.line - 1, mark)).collect(),
            answers,
        }
    }

    /// Returns the text with all replacements, including those of the claims that count.
    pub(super) fn text(&self, counted: &[usize]) -> String {
        let edits: BTreeMap<usize, Option<&str>> = counted
            .iter()
            .flat_map(|&index| &self.claims[index].edits)
            .map(|(line, put)| (*line, put.as_deref()))
            .collect();
        let kept = self.lines.iter().enumerate().filter_map(|(at, line)| match edits.get(&at) {
            Some(put) => *put,
            None => Some(self.put.get(&at).map_or(*line, String::as_str)),
        });
        let mut text = kept.collect::<Vec<_>>().join("\n");
        if let Some(line) = &self.below {
            text.push_str("\n\n");
            text.push_str(line);
        }
        text
    }

    /// Reads all labels.
    pub(super) fn labels(&mut self) {
        for index in 0..self.blocks.len() {
            let Block { kind, lines } = self.blocks[index].clone();
            match kind {
                BlockKind::Paragraph | BlockKind::Item { .. } => {
                    lines.for_each(|line| self.line(index, line));
                }
                BlockKind::Heading => self.line(index, lines.start),
                BlockKind::Table => self.table(index),
                BlockKind::Quote if index + 1 == self.blocks.len() => self.quote(index),
                BlockKind::Quote | BlockKind::Other => {}
            }
        }
    }

    /// Splits a line into its parts, according to the kind of its block.
    pub(super) fn parts(&self, line: usize, kind: BlockKind, first: bool) -> Parts<'t> {
        let whole = self.lines[line];
        let bare = whole.trim_start_matches([' ', '\t']);
        let mut text = bare;
        match kind {
            BlockKind::Heading => text = bare.trim_start_matches('#'),
            BlockKind::Item { .. } if first => {
                let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
                text = bare.get(digits + 1..).unwrap_or_default();
            }
            _ => {}
        }
        text = text.trim_start_matches([' ', '\t']);
        let ticks = ["[ ] ", "[x] ", "[X] "].iter().find_map(|tick| text.strip_prefix(tick));
        let boxed = ticks.is_some() && matches!(kind, BlockKind::Item { .. });
        text = ticks.filter(|_| boxed).unwrap_or(text);
        if kind == BlockKind::Heading {
            text = text.trim_end_matches(['#', ' ']);
        }
        let start = text.as_ptr().addr() - whole.as_ptr().addr();
        Parts { mark: &whole[..start], boxed, text }
    }

    fn line(&mut self, block: usize, line: usize) {
        if self.put.contains_key(&line) || self.inner.contains(&line) {
            return;
        }
        let Block { kind, lines } = self.blocks[block].clone();
        let parts = self.parts(line, kind, line == lines.start);
        if parts.boxed || self.several(block, line, &parts) {
            return;
        }
        let Some(labelled) = label(parts.text, &self.names) else {
            self.strict_vote(block, line);
            self.unsigned(block, line, &parts);
            self.behind_label(block, line, &parts, false);
            return;
        };
        if labelled.code && !self.is_closing_code(line) || parts.text.contains("~~") {
            return;
        }
        if labelled.found.weight == WordWeight::Past {
            return;
        }
        let is_letter = labelled.found.word == "A" && labelled.found.number.is_none();
        if is_letter && self.names_choice(line, labelled.value) {
            self.spare(line);
            return;
        }
        let other = labelled.found.weight == WordWeight::Other && !labelled.value.is_empty();
        if other && exactly(labelled.value, &self.wanted.options).is_none() {
            self.behind_label(block, line, &parts, true);
            return;
        }
        if labelled.value.is_empty() {
            let heads = kind == BlockKind::Heading || labelled.bold || labelled.sign == Sign::Colon;
            let counted = labelled.found.number.is_some() && labelled.found.word.len() == 1;
            if heads && !counted && !matches!(kind, BlockKind::Item { .. }) {
                self.section(block, line, &labelled.found);
            }
            return;
        }
        self.push_label(block, line, &parts, &labelled);
    }

    /// Reads a label with the value after it.
    fn push_label(
        &mut self,
        block: usize,
        line: usize,
        parts: &Parts<'_>,
        labelled: &Labelled<'_>,
    ) {
        let Labelled { found, value, .. } = labelled;
        let voting = self.wanted.asks_for("VOTE");
        match Marker::of(&found.word).value() {
            MarkerValue::Option => self.vote(block, line, parts, labelled),
            MarkerValue::Text
                if found.word == "DECISION"
                    && voting
                    && exactly(value, &self.wanted.options).is_some() =>
            {
                let found =
                    FoundWord { word: "VOTE".into(), weight: WordWeight::Other, ..found.clone() };
                self.vote(block, line, parts, &Labelled { found, ..labelled.clone() });
            }
            MarkerValue::Text => {
                let free = labelled.sign == Sign::Colon
                    || labelled.sign == Sign::Dash && (labelled.capitals || labelled.bold);
                let topic = found.word == "Q" && !labelled.capitals && self.answers;
                let none = is_nothing(value);
                if is_form(value) {
                    self.spare(line);
                    return;
                }
                if self.strict.contains_key(&line) || !free || labelled.code || topic || none {
                    return;
                }
                // `Q2: Twelve.` answers the second question of the discussion.
                let mut found = found.clone();
                if found.word == "Q" && found.number.is_some() && !value.contains(['?', '？']) {
                    found.word = "A".to_owned();
                }
                if let Some(text) = self.marker_text(&found, &labelled.note, value) {
                    self.write(block, line, parts, &found.word, &text);
                }
            }
            _ => {
                if let Some(value) = readable(&found.word, value)
                    && !self.is_read(line)
                {
                    self.write(block, line, parts, &found.word, &value);
                }
            }
        }
    }

    /// Replaces a line by the line of a marker.
    pub(super) fn write(
        &mut self,
        block: usize,
        line: usize,
        parts: &Parts<'_>,
        word: &str,
        text: &str,
    ) {
        let put = match self.blocks[block].kind {
            BlockKind::Heading if self.blocks[block].lines.len() > 1 => return,
            BlockKind::Heading => format!("\n{word}: {text}\n"),
            _ => format!("{}{word}: {text}", parts.mark),
        };
        self.put.insert(line, put);
    }

    /// Returns a marker's text in canonical form, or `None` if the text cannot be the content of this marker.
    pub(super) fn marker_text(&self, found: &FoundWord, note: &str, value: &str) -> Option<String> {
        let text = balanced(value);
        if !text.contains(char::is_alphanumeric) {
            return None;
        }
        let asks = text.contains(['?', '？']);
        match (found.word.as_str(), found.number) {
            // `Q1: 1,204` is a figure of the first quarter, not a question.
            ("Q", Some(_)) if !asks => return None,
            ("A", Some(number)) if number as usize > self.wanted.questions || number == 0 => {
                return None;
            }
            ("A", Some(number)) => return Some(format!("Q{number} {text}")),
            _ => {}
        }
        let small = note.to_lowercase();
        let grade = ["low", "medium", "high", "critical"].iter().find(|grade| {
            small == **grade
                || small.strip_prefix("severity: ").or(small.strip_prefix("priority: "))
                    == Some(*grade)
        });
        Some(match (found.word.as_str(), grade) {
            _ if note.is_empty() => graded(&text).unwrap_or(text),
            (_, Some(grade)) => format!("({grade}) {text}"),
            ("Q", None) if note.starts_with('@') => format!("{text} {note}"),
            (_, None) if note.starts_with('@') => format!("{note} {text}"),
            ("A", None) if small.starts_with('q') => format!("{note} {text}"),
            (_, None) => format!("({note}) {text}"),
        })
    }

    /// Returns true if this line is the last one of the answer and in backticks as a whole.
    fn is_closing_code(&self, line: usize) -> bool {
        let last = self.lines.iter().rposition(|line| !line.trim().is_empty());
        last == Some(line) && self.lines[line].trim_end_matches(['*', '_', ' ']).ends_with('`')
    }

    /// Returns true if the strict parser can read this line's value.
    pub(super) fn is_read(&self, line: usize) -> bool {
        self.strict.get(&line).is_some_and(is_readable)
    }

    /// Returns true if the strict parser already finds a marker in this line.
    pub(super) fn is_marked(&self, line: usize) -> bool {
        self.strict.contains_key(&line)
    }

    /// Returns true if any line contains a readable value for this word.
    pub(super) fn has(&self, word: &str) -> bool {
        let begins = format!("{word}: ");
        self.strict.values().any(|mark| mark.marker.word() == word && is_readable(mark))
            || self.put.values().any(|put| put.contains(&begins))
    }
}

impl AnswerSpec {
    /// Returns true if the task requests this marker.
    pub(in crate::engine) fn asks_for(&self, word: &str) -> bool {
        self.asks.iter().any(|(asked, _)| asked == word)
    }

    /// Returns true if an answer without this marker leads to a repair request.
    pub(in crate::engine) fn requires(&self, word: &str) -> bool {
        self.asks.iter().any(|(asked, demand)| asked == word && *demand == Demand::Required)
    }

    /// Returns the markers that are read in any formatting.
    pub(super) fn read_liberally(&self) -> Vec<String> {
        let asked = self.asks.iter().map(|(word, _)| word);
        let invited = self.invited.iter().filter(|word| !self.asks_for(word));
        asked.chain(invited).cloned().collect()
    }
}

/// Returns the value of a typed marker. A text that the file's parser can read stays as it is; otherwise the value
/// comes first and the original words follow in brackets.
pub(super) fn readable(word: &str, text: &str) -> Option<String> {
    let text = balanced(text);
    let mark = |text: &str| BodyMark {
        marker: Marker::of(word),
        text: text.to_owned(),
        ticked: false,
        line: 1,
        column: 1,
        value: 0..0,
    };
    let bare = text.trim_matches(|c: char| c == '`' || c.is_whitespace() || is_sign(c)).to_owned();
    if is_ranged(word, &text) {
        return None;
    }
    if is_readable(&mark(&bare)) && !bare.contains('|') {
        return Some(bare);
    }
    let value = typed(word, &text)?;
    let words = if bare.is_empty() { &text } else { &bare };
    let noted = format!("{value} ({})", words.replace(['(', ')'], ""));
    is_readable(&mark(&noted)).then_some(noted)
}

/// Moves the grade at the start of a text into brackets: `**High:** it is old` becomes `(high) it is old`.
fn graded(text: &str) -> Option<String> {
    let bare = text.trim_start_matches(['*', '_']);
    let length = bare.find(|c: char| !c.is_ascii_alphabetic())?;
    let grade = bare[..length].to_lowercase();
    let rest = bare[length..].trim_start_matches(['*', '_', ' ']);
    let rest = rest.strip_prefix([':', '–', '—'])?.trim_start_matches(['*', '_', ' ']);
    ["low", "medium", "high", "critical"]
        .contains(&grade.as_str())
        .then(|| format!("({grade}) {rest}"))
}

/// Returns true if a text is only a placeholder to fill in: `<what is weak>`, `(high|low) <what to do>`.
fn is_form(text: &str) -> bool {
    let text = text.trim().trim_matches(['*', '_', '`']);
    let text = match text.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((choices, rest)) if choices.contains('|') => rest.trim(),
        _ => text,
    };
    // The text is sanitized, so its first angle bracket may be a character reference.
    let inner = text.strip_prefix("&lt;").or(text.strip_prefix('<'));
    inner.and_then(|rest| rest.strip_suffix('>')).is_some_and(|inner| {
        !inner.contains(['<', '>', ':', '/', '@']) && inner.contains(char::is_alphabetic)
    })
}

/// Removes emphasis characters without a partner from both ends of a text.
pub(super) fn balanced(text: &str) -> String {
    let mut text = text.trim().to_owned();
    for mark in ["***", "**", "__", "*", "_"] {
        if let Some(rest) = text.strip_prefix(mark)
            && rest.matches(mark).count() % 2 == 0
        {
            text = rest.trim_start().to_owned();
        }
        if text.matches(mark).count() % 2 == 1
            && let Some(rest) = text.strip_suffix(mark)
        {
            text = rest.trim_end().to_owned();
        }
    }
    text
}

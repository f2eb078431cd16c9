//! Recognizes the labels of a line and their markers, in any formatting. A line has one label,
//! several labels, or a letter that names a choice: `A:` is not an answer if `B:` follows on its
//! line or below.

use super::page::{AnswerDraft, Parts, readable};
use super::words::{FoundWord, NameIndex, WordWeight};
use crate::transcript::{BlockKind, Marker, MarkerValue};

/// Returns true for characters that only emphasize text.
fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_')
}

/// Returns true for symbols next to words that carry no meaning: check marks, hands, coloured dots, arrows.
pub(super) fn is_sign(c: char) -> bool {
    matches!(c, '\u{2022}' | '\u{FE0F}' | '\u{200D}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{2BFF}')
        || ('\u{1F000}'..='\u{1FAFF}').contains(&c) && !c.is_alphanumeric()
}

/// The separator between a label and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// `:`, in ASCII or full width.
    Colon,
    /// `=`, `~` or an arrow. Only a typed value may follow.
    Equals,
    /// A dash between spaces. A typed value may follow, or a text if the label is in capitals.
    Dash,
    /// No separator: the line contains only the label.
    None,
}

/// A line that begins with a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Labelled<'t> {
    /// The marker that the label means.
    pub(super) found: FoundWord,
    /// The text in brackets after the label, or the addressee.
    pub(super) note: String,
    /// The separator that ends the label.
    pub(super) sign: Sign,
    /// True if the label is in capitals.
    pub(super) capitals: bool,
    /// True if the label or the whole line is bold.
    pub(super) bold: bool,
    /// True if the line begins with a backtick.
    pub(super) code: bool,
    /// The text after the separator, including closing emphasis.
    pub(super) value: &'t str,
}

/// Maximum number of bytes of a label with its brackets.
const LONGEST: usize = 120;

/// Reads the label of a line without its list or heading prefix.
pub(super) fn label<'t>(line: &'t str, names: &NameIndex) -> Option<Labelled<'t>> {
    let bare = line.trim_start_matches(|c: char| {
        c.is_whitespace() || is_emphasis(c) || is_sign(c) || matches!(c, '`' | '–' | '—')
    });
    let dress = &line[..line.len() - bare.len()];
    if dress.contains('\u{200D}') {
        return None;
    }
    if bare.starts_with(|c: char| !c.is_alphabetic()) || dress.matches('`').count() > 1 {
        return None;
    }
    let (end, sign, length) = ending(bare);
    let (word, note) = without_brackets(&bare[..end]);
    let shown = plain(&word);
    let (found, addressed) = names.find(&shown)?;
    // Emphasis characters directly after the separator close the label's emphasis.
    let value = bare[end + length..].trim_start_matches(is_emphasis);
    let alone = value.trim_matches(|c: char| c.is_whitespace() || is_emphasis(c)).is_empty();
    let value = if alone { "" } else { value };
    let note = [note.trim(), addressed.as_str()].join(" ").trim().to_owned();
    Some(Labelled {
        capitals: !shown.contains(char::is_lowercase),
        bold: dress.contains("**") || dress.contains("__"),
        code: dress.contains('`'),
        found,
        note,
        sign,
        value,
    })
}

/// Returns the position, kind and length of the separator. Separators in brackets are ignored.
fn ending(bare: &str) -> (usize, Sign, usize) {
    let mut depth = 0_usize;
    for (at, c) in bare.char_indices().take_while(|(at, _)| *at < LONGEST) {
        let rest = &bare[at..];
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            ':' | '：' | '﹕' | '︓' => return (at, Sign::Colon, c.len_utf8()),
            '=' | '→' | '⇒' => {
                let length = rest.len() - rest.trim_start_matches(['=', '>', '→', '⇒']).len();
                return (at, Sign::Equals, length);
            }
            '≈' | '~' if bare[..at].ends_with(' ') && is_separated(&rest[c.len_utf8()..]) => {
                return (at, Sign::Equals, c.len_utf8());
            }
            '-' if rest.starts_with("->") => return (at, Sign::Equals, 2),
            '-' | '–' | '—'
                if bare[..at].ends_with([' ', '*', '_']) && is_separated(&rest[c.len_utf8()..]) =>
            {
                return (at, Sign::Dash, c.len_utf8());
            }
            _ => {}
        }
    }
    (bare.len().min(bare.floor_char_boundary(LONGEST)), Sign::None, 0)
}

fn is_separated(rest: &str) -> bool {
    rest.starts_with(|c: char| c == ' ' || is_emphasis(c))
}

/// Returns a label without its brackets, and the text in them.
fn without_brackets(label: &str) -> (String, String) {
    let (mut out, mut inside, mut depth) = (String::new(), String::new(), 0_usize);
    for c in label.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => inside.push(c),
            _ => out.push(c),
        }
    }
    (out, inside)
}

/// Returns the words of a label without emphasis and symbols, joined by single spaces. Characters within a word are
/// kept.
fn plain(label: &str) -> String {
    let dress = |c: char| matches!(c, '*' | '`' | '_') || is_sign(c);
    let words = label.split_whitespace().map(|word| word.trim_matches(dress));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl AnswerDraft<'_> {
    /// Returns true if the `A:` of a line with this value names the first of several choices.
    pub(super) fn names_choice(&self, line: usize, value: &str) -> bool {
        if holds_next(value) {
            return true;
        }
        let text = self.blocks.iter().filter(|block| block.kind != BlockKind::Other);
        let below = text.flat_map(|block| block.lines.clone());
        let below = below.filter(|at| *at > line && !self.inner.contains(at));
        below.filter_map(|at| letter(self.lines[at])).next() == Some('B')
    }

    /// Escapes the colon of a line's label, so that the file's parser ignores it. Rendered Markdown looks unchanged.
    pub(super) fn spare(&mut self, line: usize) {
        if !self.strict.contains_key(&line) {
            return;
        }
        let text = self.lines[line];
        if let Some((label, rest)) = text.split_once(':') {
            self.put.insert(line, format!("{label}\\:{rest}"));
        }
    }
}

/// Returns the single letter that labels a line, for example `- **B:** PostgreSQL` or `B) PostgreSQL`.
fn letter(line: &str) -> Option<char> {
    let text = line.trim_start_matches(|c: char| c.is_whitespace() || "-+*_#>(".contains(c));
    let mut chars = text.chars();
    let letter = chars.next().filter(|c| matches!(c, 'A' | 'B'))?;
    let rest = chars.as_str().trim_start_matches(['*', '_']);
    rest.starts_with([':', '：', ')']).then_some(letter)
}

/// Returns true if the value contains the second choice too: `Redis / B: PostgreSQL`, `Redis or B) PostgreSQL`.
fn holds_next(value: &str) -> bool {
    value.match_indices('B').any(|(at, _)| {
        let before = value[..at].trim_end_matches([' ', '*', '_', '(']);
        let parted = before.ends_with([',', ';', '/', '|', '·'])
            || [" or", " and", " vs", " vs."].iter().any(|word| before.ends_with(word));
        let after = value[at + 1..].trim_start_matches(['*', '_']);
        parted && after.starts_with([':', '：', ')'])
    })
}

impl AnswerDraft<'_> {
    /// Reads the marker in `**Gravest worry.** CONCERN: shared device`. Reads `**Final answer:** VOTE: READY` only if
    /// `other` is true: the first label is a synonym for a vote. Other bold words before a vote may name its author.
    pub(super) fn behind_label(
        &mut self,
        block: usize,
        line: usize,
        parts: &Parts<'_>,
        other: bool,
    ) {
        if self.blocks[block].kind == BlockKind::Heading {
            return;
        }
        let Some(end) = lead(parts.text, other) else { return };
        let (before, rest) = parts.text.split_at(end);
        let rest = rest.trim_start_matches([' ', '-', '–', '—', ':', '*']);
        let Some(labelled) = label(rest, &self.names) else { return };
        let plain = labelled.capitals && labelled.sign == Sign::Colon && !labelled.code;
        if !plain || labelled.value.is_empty() || labelled.found.weight == WordWeight::Past {
            return;
        }
        let (before, word) = (before.trim_end(), &labelled.found.word);
        // `**Options.** A: a table, B: a file` labels choices. After other words, an answer must name its question.
        if word == "A" && labelled.found.number.is_none() && !labelled.value.starts_with(" Q") {
            return;
        }
        match Marker::of(word).value() {
            MarkerValue::Option if other => self.vote(block, line, parts, &labelled),
            MarkerValue::Text => {
                let Some(text) = self.marker_text(&labelled.found, &labelled.note, labelled.value)
                else {
                    return;
                };
                let put = match self.blocks[block].kind {
                    BlockKind::Item { .. } => format!("{}{word}: {before} {text}", parts.mark),
                    _ => format!("{}{before}\n{word}: {text}", parts.mark),
                };
                self.put.insert(line, put);
            }
            _ => {}
        }
    }

    /// Reads lines such as `**Rating: 3/5** **Risk: medium**` or `CONFIDENCE: 0.7 | VOTE: READY`.
    pub(super) fn several(&mut self, block: usize, line: usize, parts: &Parts<'_>) -> bool {
        let starts = self.starts(parts.text);
        if starts.len() < 2 || starts.first() != Some(&0) {
            return false;
        }
        let ends = starts.iter().skip(1).copied().chain([parts.text.len()]);
        let pieces: Vec<&str> =
            starts.iter().zip(ends).map(|(start, end)| &parts.text[*start..end]).collect();
        let mut others: Vec<String> = Vec::new();
        let mut votes: Vec<Labelled<'_>> = Vec::new();
        for piece in pieces {
            let piece = piece.trim_end_matches(|c: char| " |,;·(*_/–—-".contains(c));
            let piece = if piece.contains('(') { piece } else { piece.trim_end_matches(')') };
            let Some(labelled) = label(piece, &self.names) else { return false };
            let word = &labelled.found.word;
            if word == "VOTE" {
                votes.push(labelled);
                continue;
            }
            let Some(value) = readable(word, labelled.value) else { return false };
            others.push(format!("{}{word}: {value}", parts.mark));
        }
        let others = others.join("\n");
        for labelled in &votes {
            let before = self.claims.len();
            self.vote(block, line, parts, labelled);
            for claim in &mut self.claims[before..] {
                claim.edits = vec![(line, Some(others.clone()))];
            }
        }
        if votes.is_empty() {
            self.put.insert(line, others);
        }
        true
    }

    /// Returns the positions of labels with typed values on a line.
    pub(super) fn starts(&self, text: &str) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            // A space alone is not a separator, because the next word may still belong to the value.
            let before = text[..at].trim_end_matches(' ');
            let begins = at == 0 || before.ends_with(|c: char| "|(*_·/,;–—-".contains(c));
            let typed = begins.then(|| label(rest, &self.names)).flatten().filter(|labelled| {
                labelled.sign != Sign::None
                    && labelled.sign != Sign::Dash
                    && !labelled.code
                    && labelled.found.weight != WordWeight::Other
                    && Marker::of(&labelled.found.word).value() != MarkerValue::Text
            });
            let step = match typed {
                Some(labelled) => {
                    starts.push(at);
                    rest.len() - labelled.value.len()
                }
                None => 0,
            };
            at += step.max(rest.chars().next().map_or(1, char::len_utf8));
        }
        starts
    }
}

/// Returns the end of the words before a label: bold words or, if `other` is true, the first label with its colon.
fn lead(text: &str, other: bool) -> Option<usize> {
    if let Some(inner) = text.strip_prefix("**") {
        return inner.find("**").map(|end| end + 4);
    }
    text.find(':').map(|colon| colon + 1).filter(|_| other)
}

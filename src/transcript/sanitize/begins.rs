//! Finds lines that begin like a head or a vote, in any CommonMark block. Other renderers end lists, tables, quotes
//! and headings at other lines, so a continuation line in CommonMark may be a paragraph elsewhere.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser};
use regex::Regex;

use super::super::line::{Lines, is_blank, trim_start};
use super::super::lookalike::looks_like;
use super::holds;
use super::quoted::{QuotedLine, is_ballot, may_look};

/// Returns the byte offsets of such lines; `code` contains the ranges that no renderer takes for a paragraph.
pub(super) fn lines(stored: &str, code: &[Range<usize>]) -> Vec<(usize, QuotedLine)> {
    let mut found = Vec::new();
    let (mut below_rule, mut below_blank, mut item) = (false, true, None);
    for line in Lines::from(stored, 0, 1) {
        let indent = line.text.bytes().take_while(|&b| b == b' ').count();
        item = match content(line.text) {
            Some(column) if below_blank && indent < 4 || item.is_some() => Some(column),
            _ => item.filter(|&column| column <= indent && !is_blank(line.text)),
        };
        below_blank = is_blank(line.text);
        if holds(code, line.start) {
            below_rule = false;
        } else if is_rule(line.text) {
            below_rule = true;
        } else if !is_blank(line.text) {
            let start = trim_start(line.text);
            let at = line.start + line.text.len() - start.len();
            if item.is_none() && may_look(start) && !is_marked(start) {
                let shown = rendered_line(start);
                if below_rule && looks_like(&shown, "Name") {
                    found.push((at, QuotedLine::Head));
                } else if looks_like(&shown, "VOTE") && is_ballot(&shown) {
                    found.push((at, QuotedLine::Vote));
                }
            }
            below_rule &= !line.text.contains(char::is_alphanumeric);
        }
    }
    found
}

/// Returns the column of a list item's text. In every renderer, lines directly below that begin at this column belong
/// to the item.
fn content(line: &str) -> Option<usize> {
    let start = line.trim_start_matches(' ');
    let digits = start.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match start.as_bytes().get(digits..) {
        Some([b'-' | b'*' | b'+', b' ', ..]) if digits == 0 => 1,
        Some([b'.', b' ', ..]) if digits > 0 => digits + 1,
        _ => return None,
    };
    let text = start[mark..].trim_start_matches(' ');
    (!is_rule(line)).then_some(line.len() - text.len())
}

/// Returns true for a line that some renderer takes for a rule, even if it underlines a heading in others.
fn is_rule(line: &str) -> bool {
    let bare = line.trim();
    let mut marks = bare.chars().filter(|c| !matches!(c, ' ' | '\t'));
    let first = marks.next().filter(|c| matches!(c, '-' | '*' | '_'));
    first.is_some_and(|first| {
        let mut count = 1;
        marks.all(|c| {
            count += 1;
            c == first
        }) && count > 2
    })
}

/// Returns true if the start of a line visibly marks a list, a quote, a heading, a table or code.
fn is_marked(start: &str) -> bool {
    let bytes = start.as_bytes();
    let list = matches!(bytes, [b'-' | b'*' | b'+', b' ' | b'\t', ..]);
    let word = start.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation());
    list || bytes.first().is_some_and(|first| b">#|".contains(first) || first.is_ascii_digit())
        || start[..start.len() - word.len()].contains('`')
}

/// Returns the line as it is rendered: without link addresses, and with character references decoded, even without
/// `;`.
fn rendered_line(line: &str) -> Cow<'_, str> {
    static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    let line = &line[..line.floor_char_boundary(400)];
    if !line.contains(['&', '[']) {
        return line.into();
    }
    let line = REFERENCE.replace_all(line, "&$1;");
    let mut shown = String::with_capacity(line.len());
    for event in Parser::new_ext(&line, Options::empty()) {
        match event {
            Event::Text(text) => shown.push_str(&text),
            Event::Code(_) => shown.push_str("code"),
            _ => {}
        }
    }
    shown.into()
}

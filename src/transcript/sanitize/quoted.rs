//! Marks lines that begin like the head of a comment or like a vote, in any CommonMark block. Every
//! reader sees the mark. A guard (`VOTE\:`) is not enough: only the program sees it, because
//! rendering removes it.
//!
//! Other renderers end lists, tables, quotes and headings at other lines, so a continuation line in
//! CommonMark may be a paragraph elsewhere.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

use super::super::guard::{self, guard_lines};
use super::super::line::{Lines, column, is_blank, options, trim_start};
use super::super::lookalike::{COLONS, looks_like, typeset};
use super::super::record_line::{mark_record_lines, marked_record_lines};
use super::{TextEdit, apply, escaped, holds};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};

/// The mark before a line that looks like a head, a vote, or the end of the discussion's text in a prompt.
pub(in super::super) const QUOTED: &str = "⟨quoted⟩ ";

/// The kind of line that a rendered line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuotedLine {
    /// The head of a comment.
    Head,
    /// A vote.
    Vote,
}

/// Marks the lines of a text that look like a vote, like a head below a rule, or like the end of the discussion's
/// text in a prompt.
pub(super) fn quote(text: String) -> String {
    let text = match mark_record_lines(&text) {
        Cow::Owned(marked) => marked,
        Cow::Borrowed(_) => text,
    };
    if !Lines::from(&text, 0, 1).any(|line| may_look(line.text)) {
        return text;
    }
    let (stored, guards) = guard_lines(&text);
    let edits: Vec<TextEdit> = marker_like_lines(&stored)
        .into_iter()
        .map(|(at, _)| {
            let at = at - guards.partition_point(|&guard| guard < at);
            TextEdit { at, gone: 0, put: QUOTED.into() }
        })
        .collect();
    if edits.is_empty() { text } else { apply(&text, edits) }
}

/// Returns true if a line needs a closer check: it begins with four or five letters and a colon, or its bytes alone
/// cannot tell.
fn may_look(line: &str) -> bool {
    let start = trim_start(line);
    let start = &start[..start.floor_char_boundary(160)];
    let (mut letters, mut others) = (0, false);
    for (at, c) in start.char_indices() {
        match c {
            '&' if PLAIN.iter().any(|name| start[at + 1..].starts_with(name)) => {}
            '&' | '[' => return true,
            // A command in a formula.
            '\\' if start[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic()) => return true,
            _ if COLONS.contains(&c) => return others || matches!(letters, 4 | 5),
            _ if c.is_ascii_alphanumeric() => letters += 1,
            _ => others |= !c.is_ascii(),
        }
        if letters > 5 && !others {
            return false;
        }
    }
    false
}

/// Character references that stand for no letter and no colon, and are very frequent.
const PLAIN: [&str; 4] = ["lt;", "gt;", "amp;", "quot;"];

/// Returns the byte offsets of lines in a stored text that look like a head or a vote.
fn marker_like_lines(stored: &str) -> Vec<(usize, QuotedLine)> {
    let mut found = Vec::new();
    let (mut depth, mut below_rule) = (0_usize, false);
    let mut block: Option<Vec<(usize, String)>> = None;
    let mut code = Vec::new();
    let mut afresh = true;
    for (event, range) in Parser::new_ext(stored, options()).into_offset_iter() {
        if let Some(lines) = &mut block {
            if afresh && !matches!(event, Event::End(_)) {
                // For the parser, an escaped character begins after its backslash.
                let escape = usize::from(escaped(stored, range.start));
                lines.push((range.start - escape, String::new()));
                afresh = false;
            }
            let Some((_, line)) = lines.last_mut() else { continue };
            match &event {
                Event::Text(text) => line.push_str(text),
                // Code is visibly code, so its text cannot imitate a head or a vote.
                Event::Code(_) => line.push_str("code"),
                Event::SoftBreak | Event::HardBreak => afresh = true,
                _ => {}
            }
        } else if let Event::Text(text) | Event::Code(text) = &event
            && says(text)
        {
            below_rule = false;
        }
        match event {
            Event::Start(tag) => {
                if matches!(tag, Tag::CodeBlock(_)) {
                    code.push(range.clone());
                }
                let marked = stored[range.start..].starts_with('#');
                let flows = matches!(tag, Tag::Paragraph | Tag::Heading { .. }) && !marked;
                if depth == 0 && flows {
                    (block, afresh) = (Some(Vec::new()), true);
                } else if depth == 0 && matches!(tag, Tag::Heading { .. } | Tag::Table(_)) {
                    // A heading or table without words shows only its border, which looks like a rule.
                    below_rule = true;
                }
                depth += 1;
            }
            Event::End(tag) => {
                depth -= 1;
                if depth > 0 || !matches!(tag, TagEnd::Paragraph | TagEnd::Heading(_)) {
                    continue;
                }
                let lines = block.take().unwrap_or_default();
                below_rule |= lines.iter().any(|(_, line)| is_drawn_rule(line));
                for (at, line) in lines {
                    let head = below_rule && looks_like(&line, "Name");
                    let vote = looks_like(&line, "VOTE") && is_ballot(&line);
                    if head || vote {
                        found.push((at, if head { QuotedLine::Head } else { QuotedLine::Vote }));
                    }
                    if says(&line) {
                        below_rule = false;
                    }
                }
            }
            Event::Rule if depth == 0 => below_rule = true,
            _ => {}
        }
    }
    found.extend(marker_like_beginnings(stored, &code));
    found.sort_unstable_by_key(|(at, _)| *at);
    // The loop above and `begins::lines` may report different bytes as the beginning of one line.
    found.dedup_by(|b, a| !stored[a.0..b.0].contains('\n'));
    found
}

/// Returns true if a line looks like a vote and not like a sentence with this word: the word is in capitals, or at
/// most four words follow it.
pub(super) fn is_ballot(line: &str) -> bool {
    let line = typeset(line);
    let Some((word, said)) = line.split_once(COLONS) else { return false };
    !word.contains(char::is_lowercase) || said.split_whitespace().count() <= 4
}

/// Returns the problems with lines of a stored body that look like a head or a vote but are none: lines with the
/// mark, and lines with a guard or a character reference that prevents them from counting.
pub(in super::super) fn problems(stored: &str, first: usize) -> Vec<Problem> {
    static MARK: LazyLock<Finder> = LazyLock::new(|| Finder::new(QUOTED));
    let marked = !stored.is_ascii() && MARK.find(stored.as_bytes()).is_some();
    let look = is_disguised(stored) && Lines::from(stored, 0, 1).any(|line| may_look(line.text));
    if !marked && !look {
        return Vec::new();
    }
    let looks = if look { marker_like_lines(stored) } else { Vec::new() };
    let mut bare: Vec<_> = looks.into_iter().rev().map(|(at, it)| (at, it, false)).collect();
    let mut problems = Vec::new();
    for line in Lines::from(stored, 0, first) {
        let start = trim_start(line.text);
        let at = line.start + line.text.len() - start.len();
        // Lines that look like the end of a prompt's record also have the mark.
        let record_lines = marked_record_lines(line.text).into_iter();
        let record_lines: Vec<usize> = record_lines.map(|at| line.start + at).collect();
        for at in &record_lines {
            let message = "this looks like the line that ends the record in a prompt, but is not; it is marked as \
                           quoted";
            let here = (line.number, column(stored, line.start, *at));
            problems.push(Problem::new(Severity::Warning, ProblemCode::RecordLine, here, message));
        }
        let seen = match start.strip_prefix(QUOTED) {
            Some(said) if looks_like(said, "Name") => Some(QuotedLine::Head),
            Some(_) if record_lines.contains(&at) => None,
            Some(_) => Some(QuotedLine::Vote),
            None => None,
        };
        let mut found = seen.map(|seen| (at, seen, true));
        while let Some(next) = bare.pop_if(|(at, ..)| *at < line.next) {
            // The frame and the marker parser recognize a head or a vote without a guard, and check it themselves.
            let read = guard::key(line.text).is_some_and(|key| key.backslashes == 0);
            found = found.or((!read).then_some(next));
        }
        if let Some((at, seen, marked)) = found {
            let (code, what) = match seen {
                QuotedLine::Head => (ProblemCode::HeadInBody, "the head of a comment"),
                QuotedLine::Vote => (ProblemCode::VoteInBody, "a vote"),
            };
            let message = if marked {
                format!("this looks like {what}, but is not; it is marked as quoted")
            } else {
                format!(
                    "when rendered, this looks like {what}, but is not; quote it with `> `, or put it in backticks"
                )
            };
            let here = (line.number, column(stored, line.start, at));
            problems.push(Problem::new(Severity::Warning, code, here, message));
        }
    }
    problems
}

/// Returns true if a text may look different when rendered: it contains a guard, or a character reference that could
/// be any letter.
fn is_disguised(stored: &str) -> bool {
    let spells = |at: usize| {
        let rest = &stored[at + 1..];
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        (rest.starts_with('#') || name.starts_with(';'))
            && !PLAIN.iter().any(|name| rest.starts_with(name))
    };
    memchr::memchr2_iter(b'\\', b'&', stored.as_bytes())
        .any(|at| stored[at..].starts_with("\\:") || stored[at..].starts_with('&') && spells(at))
}

/// Returns true for a line of dashes or similar characters, which looks like a rule to a reader. A line of blanks
/// counts too, because the blanks may be struck through.
fn is_drawn_rule(line: &str) -> bool {
    (line.chars().count() >= 3 || line.contains(['\u{2E3A}', '\u{2E3B}'])) && !says(line)
}

/// Returns true if a text contains words. Some letters are mere strokes and do not count.
fn says(text: &str) -> bool {
    text.contains(|c: char| c.is_alphanumeric() && !"ーㅡ一ـ".contains(c))
}

/// Returns the byte offsets of such lines; `code` contains the ranges that no renderer takes for a paragraph.
fn marker_like_beginnings(stored: &str, code: &[Range<usize>]) -> Vec<(usize, QuotedLine)> {
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

//! Lines, blanks and rules, from which the frame is built, and fences that are still open at the end of a text.

use std::ops::Range;

use memchr::memchr;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

/// One line of a text. A line ends at LF; one CR before the LF does not belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceLine<'t> {
    /// The line without its line end.
    pub(super) text: &'t str,
    /// Byte offset of its first byte.
    pub(super) start: usize,
    /// Byte offset of the next line.
    pub(super) next: usize,
    /// True if an LF ends the line.
    pub(super) terminated: bool,
    /// The line number, counted from 1.
    pub(super) number: usize,
}

impl SourceLine<'_> {
    /// Returns the byte offset after the last byte of the line's text.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// An iterator over the lines of a text from a byte offset on.
#[derive(Clone, Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    at: usize,
    number: usize,
}

impl<'t> Lines<'t> {
    /// Returns all lines from byte `at`, which is the start of line `number`.
    pub(super) fn from(text: &'t str, at: usize, number: usize) -> Self {
        Self { text, at, number }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = SourceLine<'t>;

    fn next(&mut self) -> Option<SourceLine<'t>> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        // A third of the lines of a discussion are empty; for them a search costs more than checking one byte.
        let end = if rest.starts_with('\n') { Some(0) } else { memchr(b'\n', rest.as_bytes()) };
        let (text, length, terminated) = match end {
            Some(end) => (&rest[..end], end + 1, true),
            None => (rest, rest.len(), false),
        };
        let text = text.strip_suffix('\r').unwrap_or(text);
        let line =
            SourceLine { text, start, next: start + length, terminated, number: self.number };
        self.at = line.next;
        self.number += 1;
        Some(line)
    }
}

/// Removes spaces and tabs at the beginning.
pub(super) fn trim_start(text: &str) -> &str {
    let blanks = text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[blanks..]
}

/// Removes spaces and tabs at the end.
pub(super) fn trim_end(text: &str) -> &str {
    let blanks = text.bytes().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[..text.len() - blanks]
}

/// Removes spaces and tabs at both ends.
pub(super) fn trim(text: &str) -> &str {
    trim_end(trim_start(text))
}

/// Returns true if a text consists of spaces and tabs only.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte == b' ' || byte == b'\t')
}

/// Returns the lines from byte `start` up to the next line that is blank or may be a fence; if the first line is one
/// of these, returns it alone.
pub(super) fn paragraph(text: &str, start: usize) -> &str {
    let is_fence = |line: &SourceLine<'_>| {
        let line = trim_start(line.text);
        line.starts_with("```") || line.starts_with("~~~")
    };
    let mut lines = Lines::from(text, start, 1);
    let Some(first) = lines.next() else { return "" };
    let within = |line: &SourceLine<'_>| !is_blank(line.text) && !is_fence(line);
    let last = if within(&first) { lines.take_while(within).last() } else { None };
    &text[start..last.unwrap_or(first).next]
}

/// Returns true for `---` at column 0 that only blanks follow.
pub(crate) fn is_rule(text: &str) -> bool {
    text.strip_prefix("---").is_some_and(is_blank)
}

/// Returns the byte range without blank lines at both ends; blanks inside the first and the last line stay.
pub(super) fn trim_blank_lines(text: &str) -> std::ops::Range<usize> {
    let Some(start) = Lines::from(text, 0, 1).find(|line| !is_blank(line.text)) else {
        return 0..0;
    };
    let mut end = text.len();
    loop {
        let from = memchr::memrchr(b'\n', &text.as_bytes()[..end]).map_or(0, |lf| lf + 1);
        let line = &text[from..end];
        let line = line.strip_suffix('\r').unwrap_or(line);
        if !is_blank(line) {
            return start.start..from + line.len();
        }
        // The loop ends at the first line that is not blank at the latest.
        end = from.saturating_sub(1);
    }
}

/// Returns the column of byte `at` in the line that starts at byte `line_start`, in characters counted from 1.
pub(crate) fn column(text: &str, line_start: usize, at: usize) -> usize {
    text.get(line_start..at).map_or(1, |before| before.chars().count() + 1)
}

/// Returns the Markdown options for parsing a body: CommonMark with tables, strike-through and task lists.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Returns the line, without LF, that closes an open top-level fence at the end of the text; none if no fence is
/// open.
pub(super) fn closer(text: &str) -> Option<String> {
    let mut depth = 0usize;
    let mut last: Option<Range<usize>> = None;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 {
                    let fenced = matches!(tag, Tag::CodeBlock(CodeBlockKind::Fenced(_)));
                    last = fenced.then_some(range);
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ if depth == 0 => last = None,
            _ => {}
        }
    }
    let block = &text[last?];
    let (fence, length) = fence_of(block.lines().next()?)?;
    let closed = Lines::from(block, 0, 1).skip(1).last().is_some_and(|line| {
        let rest = line.text.trim_start_matches(' ');
        line.text.len() - rest.len() <= 3
            && fence_of(rest).is_some_and(|(c, n)| c == fence && n >= length)
            && is_blank(rest.trim_start_matches(fence))
    });
    (!closed).then(|| fence.to_string().repeat(length))
}

/// Returns the character and the length of a line's fence.
pub(super) fn fence_of(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start_matches(' ');
    let fence = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(fence).len();
    (length >= 3).then_some((fence, length))
}

/// Puts a text into a fence that is longer than any run of backticks in it; `info` is the language.
pub(crate) fn fenced(info: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let info: String = info.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    format!("{fence}{info}\n{}\n{fence}", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fenced_text_cannot_close_its_fence() {
        for text in ["", "plain", "```\nx\n```", "a ````` b\n`````", "~~~"] {
            let fenced = fenced("json", text);
            assert_eq!(closer(&fenced), None, "{fenced}");
            assert_eq!(
                Parser::new_ext(&fenced, options())
                    .filter(|e| matches!(e, Event::Start(_)))
                    .count(),
                1
            );
        }
    }

    #[test]
    fn fence_followed_by_text_closes_nothing() {
        for open in ["```\nx\n```\u{A0}", "~~~\nx\n~~~\u{2003}", "```\nx\n```\u{3000}", "```\nx"] {
            assert!(closer(open).is_some(), "{open:?}");
        }
        assert_eq!(closer("```\nx\n``` \t"), None);
    }
}

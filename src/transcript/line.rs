//! Lines, blanks and rules, from which the frame is built.

use memchr::memchr;

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
pub(super) fn column(text: &str, line_start: usize, at: usize) -> usize {
    text.get(line_start..at).map_or(1, |before| before.chars().count() + 1)
}

//! The frame: which lines open and close comments, which are control lines, which are stray.
//!
//! Line-based and never Markdown-aware (format page, "Frame"). [`Scanner::finish`] also tells in what state the text
//! ends, which is all that a writer has to know.

mod between;
mod inside;
mod open;

use std::ops::Range;

use self::open::Open;
use super::control::is_torn;
use super::entry::{Ending, Entry};
use super::line::{Line, column, is_blank, is_rule};
use super::name::Name;
use super::text::Text;
use crate::codes::{Fix, ProblemCode};
use crate::problem::{Problem, Severity};

/// Where the scanner stands.
#[derive(Debug)]
enum Mode<'t> {
    Preamble,
    Comment(Open<'t>),
    /// Between comments. `after_torn`: only fence closers stood since a `TORN` line.
    Between {
        after_torn: bool,
    },
}

/// In what state a text ends, for the writer that comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// A comment is open.
    Open {
        /// Its head is at this byte.
        head: usize,
        /// A line of the program's own stands below its head.
        written: bool,
    },
    /// Between comments or in the preamble.
    Closed {
        /// A comment was or may have been cut above, and its fence may still be open; its head is at this byte.
        torn: Option<usize>,
    },
}

/// What follows the last line that is not blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// A rule, and so many blank lines.
    Rule(usize),
    /// A control line, and no blank line.
    Control,
    /// Anything else.
    Other,
}

/// Reads lines into entries.
#[derive(Debug)]
pub(super) struct Scanner<'t> {
    text: &'t Text,
    mode: Mode<'t>,
    /// The last rule and the blank lines since, while they can still open a comment.
    rule: Option<(usize, usize)>,
    stray: Option<(Range<usize>, usize)>,
    /// Start of the last comment's head, for a writer that must know what it left open.
    comment_start: Option<usize>,
    conflict: Option<usize>,
    /// An odd number of fences stands above, outside comments.
    in_fence: bool,
    /// Names as written and as read.
    names: Vec<(&'t str, Name)>,
    entries: Vec<Entry>,
    problems: Vec<Problem>,
    preamble_end: Option<usize>,
    /// Where an unterminated last line begins that would close the head.
    cut_head: Option<usize>,
    /// An unterminated last line that must not come to mean something when a newline follows.
    cut: bool,
    last: Last,
}

/// All that a scan found.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<Problem>,
    /// Where the preamble ends, before trimming.
    pub(super) preamble_end: usize,
    pub(super) tail: Tail,
    pub(super) cut: bool,
    pub(super) last: Last,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t Text, cut_head: Option<usize>) -> Self {
        Self {
            text,
            mode: Mode::Preamble,
            rule: None,
            stray: None,
            comment_start: None,
            conflict: None,
            in_fence: false,
            names: Vec::new(),
            entries: Vec::new(),
            problems: Vec::new(),
            preamble_end: None,
            cut_head,
            cut: false,
            last: Last::Other,
        }
    }

    /// Reads the next line.
    pub(super) fn line(&mut self, line: Line<'t>) {
        // Most lines are a comment's own text and mean nothing to the frame.
        if let Mode::Comment(open) = &mut self.mode
            && !open.at_top
            && line.terminated
            && is_plain(line.text)
        {
            open.body.end = line.end();
            open.tight_at = line.next;
            self.last = Last::Other;
            return;
        }
        self.telling_line(line);
    }

    fn telling_line(&mut self, line: Line<'t>) {
        if is_rule(line.text) {
            return self.rule_line(line);
        }
        if is_blank(line.text) {
            return self.blank_line(line);
        }
        self.last = Last::Other;
        if let Some((rule, blanks)) = self.rule.take()
            && blanks <= 2
        {
            if self.opens_comment(line, rule) {
                return;
            }
            self.almost_a_head(line);
        }
        match &mut self.mode {
            Mode::Comment(_) => self.comment_line(line),
            Mode::Preamble | Mode::Between { .. } => self.outer_line(line),
        }
    }

    fn rule_line(&mut self, line: Line<'t>) {
        if let Mode::Comment(open) = &self.mode {
            if !line.terminated && !open.below.is_empty() {
                // It may be what a torn write left of a longer line, such as a diff's `--- a/x`.
                (self.last, self.rule) = (Last::Other, None);
                return self.comment_line(line);
            }
            self.close(Ending::Rule, line.start);
        }
        if let Mode::Between { after_torn } = &mut self.mode {
            *after_torn = false;
        }
        self.end_stray();
        self.rule = Some((line.start, 0));
        self.last = Last::Rule(0);
    }

    fn blank_line(&mut self, line: Line<'t>) {
        if let Some((_, blanks)) = &mut self.rule {
            *blanks += 1;
        }
        self.last = match self.last {
            Last::Rule(blanks) if line.terminated => Last::Rule(blanks + 1),
            _ => Last::Other,
        };
        if let Mode::Comment(open) = &mut self.mode {
            open.at_top = false;
        }
    }

    fn cut_line(&mut self, line: Line<'t>) {
        self.cut = !is_torn(line.text);
        self.problem(
            Severity::Warning,
            ProblemCode::LastLineCut,
            (line.number, column(self.text, line.start, line.start)),
            "the last line does not end in a newline, so it is ignored; add a newline",
        );
        if matches!(self.mode, Mode::Preamble) {
            self.preamble_end.get_or_insert(line.start);
        }
    }

    fn problem(
        &mut self,
        severity: Severity,
        code: ProblemCode,
        at: (usize, usize),
        message: impl Into<String>,
    ) {
        self.problems.push(Problem::new(severity, code, at, message));
    }

    /// The same of what the program can mend.
    fn mendable(
        &mut self,
        severity: Severity,
        code: ProblemCode,
        at: (usize, usize),
        message: impl Into<String>,
    ) {
        self.problem(severity, code, at, message);
        self.mends(Some(Fix::Mend));
    }

    /// Says what mends the last problem.
    fn mends(&mut self, fix: Option<Fix>) {
        if let (Some(problem), Some(fix)) = (self.problems.last_mut(), fix) {
            problem.fix = Some(fix);
        }
    }

    /// Whether the last line is a rule without its end, so perhaps the beginning of a longer line.
    fn ends_in_cut_rule(&self) -> bool {
        self.last == Last::Rule(0) && !self.text.ends_with('\n')
    }

    pub(super) fn finish(mut self) -> Scan {
        let tail = match &self.mode {
            Mode::Comment(open) => {
                Tail::Open { head: open.head.start, written: !open.below.is_empty() }
            }
            Mode::Between { after_torn } if *after_torn || self.ends_in_cut_rule() => {
                Tail::Closed { torn: self.comment_start }
            }
            Mode::Between { .. } | Mode::Preamble => Tail::Closed { torn: None },
        };
        if matches!(tail, Tail::Open { .. }) {
            self.close(Ending::EndOfFile, self.text.len());
        }
        self.end_stray();
        Scan {
            preamble_end: self.preamble_end.unwrap_or(self.text.len()),
            entries: self.entries,
            problems: self.problems,
            tail,
            cut: self.cut,
            last: self.last,
        }
    }
}

/// Whether a line within a comment is surely nothing but text: no blank line, no rule, no head, no conflict's mark, and
/// it does not end in a `TORN` mark.
fn is_plain(text: &str) -> bool {
    match text.as_bytes() {
        [b' ' | b'\t' | b'-' | b'N' | b'<' | b'>', ..] | [] => false,
        [.., last] => *last != b'>',
    }
}

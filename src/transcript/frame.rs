//! The lines that open and close comments, the control lines, and stray text; and the head of a comment.
//!
//! The scanner works line by line and never parses Markdown (format page, "Frame"). [`Scanner::finish`] also returns
//! the state at the end of the text, which is all that a writer needs.

mod for_readers;
mod lines;

use std::ops::Range;

use self::for_readers::AwaitedLine;
pub(super) use self::for_readers::HEADING;
use super::autofix::is_like_a_head;
use super::control::{Below, ReplyLine, Restored, Summary, is_torn};
use super::entry::{BlockEnding, Entry, Text, Time};
use super::line::{SourceLine, column, is_blank, is_rule};
use super::name::{Name, NameError};
use crate::codes::{Fix, ProblemCode};
use crate::problem::{Problem, Severity};

/// The state of the scanner.
#[derive(Debug)]
enum Mode<'t> {
    Preamble,
    Comment(OpenFrame<'t>),
    /// Between comments. `after_torn` is true if only closing fences followed the last `TORN` line.
    Between {
        after_torn: bool,
    },
}

/// The state at the end of a text, for the next writer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FrameTail {
    /// A comment is open.
    Open {
        /// Byte offset of its head.
        head: usize,
        /// True if a line written by the program is below its head.
        written: bool,
    },
    /// Between comments or in the preamble.
    Closed {
        /// The byte offset of the head of a comment above that may be truncated, so that its fence may still be open;
        /// none if there is no such comment.
        torn: Option<usize>,
    },
}

/// The kind of the last line that is not blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// A rule, and this number of blank lines.
    Rule(usize),
    /// A control line, and no blank line.
    Control,
    /// A line for readers below a control line, and no blank line.
    ForReaders,
    /// Anything else.
    Other,
}

/// A line-by-line parser of entries.
#[derive(Debug)]
pub(super) struct Scanner<'t> {
    text: &'t Text,
    mode: Mode<'t>,
    /// The last rule and the number of blank lines after it, while they can still open a comment.
    rule: Option<(usize, usize)>,
    /// The line for readers that may follow, if a control line is above.
    awaited: Option<AwaitedLine>,
    stray: Option<(Range<usize>, usize)>,
    /// Start of the last comment's head, for a writer that needs to know what the comment left open.
    comment_start: Option<usize>,
    conflict: Option<usize>,
    /// True if an odd number of fences is above, outside of comments.
    in_fence: bool,
    /// Names as written, with the parsed name.
    names: Vec<(&'t str, Name)>,
    entries: Vec<Entry>,
    problems: Vec<Problem>,
    preamble_end: Option<usize>,
    /// Start of a last line without LF that would close the head.
    cut_head: Option<usize>,
    /// True if the last line has no LF and must not gain a meaning when an LF is added.
    cut: bool,
    last: Last,
}

/// The result of a scan.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<Problem>,
    /// End of the preamble, before trimming.
    pub(super) preamble_end: usize,
    pub(super) tail: FrameTail,
    pub(super) cut: bool,
    pub(super) last: Last,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t Text, cut_head: Option<usize>) -> Self {
        Self {
            text,
            mode: Mode::Preamble,
            rule: None,
            awaited: None,
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
    pub(super) fn line(&mut self, line: SourceLine<'t>) {
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

    fn telling_line(&mut self, line: SourceLine<'t>) {
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
            // A rule in the first line begins front matter, which may have a `name:`.
            if rule > 0 {
                self.almost_a_head(line);
            }
        }
        match &mut self.mode {
            Mode::Comment(_) => self.comment_line(line),
            Mode::Preamble | Mode::Between { .. } => self.outer_line(line),
        }
    }

    fn rule_line(&mut self, line: SourceLine<'t>) {
        if let Mode::Comment(open) = &self.mode {
            if !line.terminated && !open.below.is_empty() {
                // The line may be the rest of a longer line that was cut, such as `--- a/x` of a diff.
                (self.last, self.rule) = (Last::Other, None);
                return self.comment_line(line);
            }
            self.close(BlockEnding::Rule, line.start);
        }
        if let Mode::Between { after_torn } = &mut self.mode {
            *after_torn = false;
        }
        self.end_stray();
        self.awaited = None;
        self.rule = Some((line.start, 0));
        self.last = Last::Rule(0);
    }

    fn blank_line(&mut self, line: SourceLine<'t>) {
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

    fn cut_line(&mut self, line: SourceLine<'t>) {
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
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) {
        self.problems.push(Problem::new(severity, code, (line, column), message));
    }

    /// Adds a problem that the program can fix.
    fn mendable(
        &mut self,
        severity: Severity,
        code: ProblemCode,
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) {
        self.problem(severity, code, (line, column), message);
        self.mends(Some(Fix::Mend));
    }

    /// Sets the fix of the last problem.
    fn mends(&mut self, fix: Option<Fix>) {
        if let (Some(problem), Some(fix)) = (self.problems.last_mut(), fix) {
            problem.fix = Some(fix);
        }
    }

    /// Returns true if the last line is a rule without LF, so that it may be the beginning of a longer line.
    fn ends_in_cut_rule(&self) -> bool {
        self.last == Last::Rule(0) && !self.text.ends_with('\n')
    }

    pub(super) fn finish(mut self) -> Scan {
        let tail = match &self.mode {
            Mode::Comment(open) => {
                FrameTail::Open { head: open.head.start, written: !open.below.is_empty() }
            }
            Mode::Between { after_torn } if *after_torn || self.ends_in_cut_rule() => {
                FrameTail::Closed { torn: self.comment_start }
            }
            Mode::Between { .. } | Mode::Preamble => FrameTail::Closed { torn: None },
        };
        if matches!(tail, FrameTail::Open { .. }) {
            self.close(BlockEnding::EndOfFile, self.text.len());
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

/// Returns true if a line within a comment is certainly plain text: it is no blank line, rule, head or conflict mark,
/// and does not end in a `TORN` mark.
fn is_plain(text: &str) -> bool {
    match text.as_bytes() {
        [b' ' | b'\t' | b'-' | b'N' | b'<' | b'>', ..] | [] => false,
        [.., last] => *last != b'>',
    }
}

/// The number of names in the cache; searching more entries would take longer than parsing a name.
const NAMES: usize = 16;

/// A comment that is being read.
#[derive(Debug)]
struct OpenFrame<'t> {
    head: SourceLine<'t>,
    name: Name,
    below: Beneath,
    /// True if the next line is directly below `Name:`, or below a line that is.
    at_top: bool,
    /// The start of the body, and the end of the part read so far.
    body: Range<usize>,
    body_line: usize,
    /// The byte offset directly after the last line that was not blank.
    tight_at: usize,
    mixed: bool,
}

/// The lines directly below a head; if a kind occurs twice, the last one counts.
#[derive(Debug, Default)]
struct Beneath {
    reply: Option<Box<ReplyLine>>,
    restored: Option<Restored>,
    summary: Option<Summary>,
    said_at: Option<Time>,
}

impl Beneath {
    fn add(&mut self, below: Below) {
        match below {
            Below::Reply(reply) => self.reply = Some(Box::new(reply)),
            Below::Restored(restored) => self.restored = Some(restored),
            Below::Summary(summary) => self.summary = Some(summary),
            Below::Said(at) => self.said_at = Some(at),
        }
    }

    /// Returns true if no line requires a closing rule. `SAID` requires none, because it changes nothing that counts:
    /// a person's comment has the same meaning with and without it.
    fn is_empty(&self) -> bool {
        self.reply.is_none() && self.restored.is_none() && self.summary.is_none()
    }
}

impl<'t> Scanner<'t> {
    /// Opens a comment if the line is a head; returns true if the line needs no further handling.
    fn opens_comment(&mut self, line: SourceLine<'t>, rule: usize) -> bool {
        let Some(name) = line.text.strip_prefix("Name:").filter(|_| !is_torn(line.text)) else {
            return false;
        };
        let parsed = match name.strip_prefix(' ') {
            Some(name) => self.name(name).map_err(|error| error.to_string()),
            None => Err("`Name:` must be followed by one space".to_owned()),
        };
        match parsed {
            Ok(_) if !line.terminated => {
                self.cut_line(line);
                true
            }
            Ok(name) => {
                self.end_stray();
                self.preamble_end.get_or_insert(rule);
                self.comment_start = Some(line.start);
                self.mode = Mode::Comment(OpenFrame {
                    head: line,
                    name,
                    below: Beneath::default(),
                    at_top: true,
                    body: line.next..line.next,
                    body_line: line.number + 1,
                    tight_at: 0,
                    mixed: false,
                });
                true
            }
            Err(reason) => {
                let at = (line.number, 1);
                self.problem(
                    Severity::Error,
                    ProblemCode::NameInvalid,
                    at,
                    format!("this does not start a comment, so nothing below it counts: {reason}"),
                );
                self.mends(is_like_a_head(line.text).then_some(Fix::Mend));
                false
            }
        }
    }

    /// Warns about a line in the preamble that would be the first head if it were written correctly. Without the
    /// warning, the comment would silently become a part of the context. Between comments such a line is stray text,
    /// which is reported anyway.
    fn almost_a_head(&mut self, line: SourceLine<'t>) {
        let told = self.problems.last().is_some_and(|last| last.line == line.number);
        if matches!(self.mode, Mode::Preamble) && !told && is_like_a_head(line.text) {
            self.mendable(
                Severity::Warning,
                ProblemCode::NameInvalid,
                (line.number, 1),
                "this does not start a comment, so nothing below it counts: a comment starts with `Name: You`",
            );
        }
    }

    /// Parses a name, with a cache: a discussion has few names and repeats them often.
    fn name(&mut self, text: &'t str) -> Result<Name, NameError> {
        if let Some((_, name)) = self.names.iter().find(|(known, _)| *known == text) {
            return Ok(name.clone());
        }
        let name = Name::parse(text)?;
        if self.names.len() < NAMES {
            self.names.push((text, name.clone()));
        }
        Ok(name)
    }
}

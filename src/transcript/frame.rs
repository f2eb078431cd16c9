//! The frame: which lines open and close comments, which are control lines, which are stray.
//!
//! Line-based and never Markdown-aware (format page, "Frame"). [`Scanner::finish`] also tells in what state the text
//! ends, which is all that a writer has to know.

use std::ops::Range;

use super::control::{
    Below, Control, Reading, Reply, Restored, Summary, is_torn, read_below, read_control,
};
use super::entry::{Comment, Ending, Entry, EntryKind};
use super::guard;
use super::line::{Line, column, is_blank, is_rule, trim_blank_lines};
use super::name::{Name, NameError};
use crate::problem::{Problem, Severity};

/// What `check` says of conflict lines outside comments.
const CONFLICT: &str = "a merge conflict stands here; resolve it";

/// How many names are remembered; looking through more would take longer than reading one.
const NAMES: usize = 16;

/// Where the scanner stands.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one, and nobody stores it")]
enum Mode<'t> {
    Preamble,
    Comment(Open<'t>),
    /// Between comments. `after_torn`: only fence closers stood since a `TORN` line.
    Between {
        after_torn: bool,
    },
}

/// A comment that is being read.
#[derive(Debug)]
struct Open<'t> {
    head: Line<'t>,
    name: Name,
    below: Beneath,
    /// The next line is directly below `Name:` or below a line that is.
    at_top: bool,
    /// Start of the body, and the end of what belongs to it so far.
    body: Range<usize>,
    body_line: usize,
    /// The last line that was not blank ends directly before this byte.
    tight_at: usize,
    mixed: bool,
}

/// What the lines directly below a head say; of two of a kind the last counts.
#[derive(Debug, Default)]
struct Beneath {
    reply: Option<Reply>,
    restored: Option<Restored>,
    summary: Option<Summary>,
}

impl Beneath {
    fn add(&mut self, below: Below) {
        match below {
            Below::Reply(reply) => self.reply = Some(reply),
            Below::Restored(restored) => self.restored = Some(restored),
            Below::Summary(summary) => self.summary = Some(summary),
        }
    }

    fn is_empty(&self) -> bool {
        self.reply.is_none() && self.restored.is_none() && self.summary.is_none()
    }
}

/// In what state a text ends, for the writer that comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// A comment is open; its head is at this byte.
    Open(usize),
    /// Between comments or in the preamble.
    Closed {
        /// A comment was cut above, and its fence may still be open; its head is at this byte.
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
    text: &'t str,
    mode: Mode<'t>,
    /// The last rule and the blank lines since, while they can still open a comment.
    rule: Option<(usize, usize)>,
    stray: Option<(Range<usize>, usize)>,
    /// Start of the last comment's head, for a writer that must know what it left open.
    comment_start: Option<usize>,
    conflict: Option<usize>,
    /// Names as written and as read.
    names: Vec<(&'t str, Name)>,
    entries: Vec<Entry<'t>>,
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
pub(super) struct Scan<'t> {
    pub(super) entries: Vec<Entry<'t>>,
    pub(super) problems: Vec<Problem>,
    /// Where the preamble ends, before trimming.
    pub(super) preamble_end: usize,
    pub(super) tail: Tail,
    pub(super) cut: bool,
    pub(super) last: Last,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str, cut_head: Option<usize>) -> Self {
        Self {
            text,
            mode: Mode::Preamble,
            rule: None,
            stray: None,
            comment_start: None,
            conflict: None,
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
            && self.opens_comment(line, rule)
        {
            return;
        }
        match &mut self.mode {
            Mode::Comment(_) => self.comment_line(line),
            Mode::Preamble | Mode::Between { .. } => self.outer_line(line),
        }
    }

    fn rule_line(&mut self, line: Line<'t>) {
        if matches!(self.mode, Mode::Comment(_)) {
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

    /// Opens a comment when the line is a head; says whether the line is dealt with.
    fn opens_comment(&mut self, line: Line<'t>, rule: usize) -> bool {
        let Some(name) = line.text.strip_prefix("Name:").filter(|_| !is_torn(line.text)) else {
            return false;
        };
        let parsed = match name.strip_prefix(' ') {
            Some(name) => self.name(name).map_err(|error| error.to_string()),
            None => Err("one space has to follow `Name:`".to_owned()),
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
                self.mode = Mode::Comment(Open {
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
                    "name-invalid",
                    at,
                    format!("this head opens no comment: {reason}"),
                );
                false
            }
        }
    }

    /// Reads a name. A discussion has few and says them often.
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

    fn comment_line(&mut self, line: Line<'t>) {
        let Mode::Comment(open) = &mut self.mode else { return };
        if is_torn(line.text) {
            let at = line.start;
            let cut = line.text.len() > super::control::TORN.len();
            let reply = !open.below.is_empty();
            if cut || reply {
                let head = open.head.number;
                self.problem(
                    Severity::Warning,
                    "torn",
                    (line.number, 1),
                    format!(
                        "the comment of line {head} was cut here; {}",
                        if reply {
                            "it was never acknowledged and counts for nothing"
                        } else {
                            "the cut line counts for nothing"
                        }
                    ),
                );
            }
            self.close(Ending::Torn, at);
            self.mode = Mode::Between { after_torn: true };
            return;
        }
        if std::mem::take(&mut open.at_top)
            && line.terminated
            && let Some(below) = read_below(line.text)
        {
            open.below.add(below);
            open.at_top = true;
            open.body = line.next..line.next;
            open.body_line = line.number + 1;
            return;
        }
        if !line.terminated {
            // A cut last line counts for nothing, whoever wrote it.
            let code = if open.below.is_empty() { "last-line-cut" } else { "torn" };
            return self.problem(
                Severity::Warning,
                code,
                (line.number, 1),
                "the last line is not ended, so it does not count; end it with a newline",
            );
        }
        open.body.end = line.end();
        open.tight_at = line.next;
        self.mixing(line);
    }

    /// Finds heads without a rule and merge conflicts, which make it unclear whose words these are.
    fn mixing(&mut self, line: Line<'t>) {
        let found = match line.text.as_bytes()[0] {
            b'N' => {
                line.text.starts_with("Name: ")
                    && guard::key(line.text).is_some_and(|key| key.is_name && key.backslashes == 0)
            }
            b'<' if line.text.starts_with("<<<<<<<") => {
                self.conflict = Some(line.number);
                true
            }
            b'>' if line.text.starts_with(">>>>>>>") => true,
            _ => return,
        };
        if !found {
            return;
        }
        let Mode::Comment(open) = &mut self.mode else { return };
        open.mixed = true;
        let (code, message) = if line.text.starts_with('N') {
            (
                "name-without-rule",
                "this looks like a comment's head but no rule (`---`) stands above it; no vote of this comment counts",
            )
        } else {
            (
                "conflict",
                "a merge conflict stands here; no vote of this comment counts until it is resolved",
            )
        };
        self.problem(Severity::Error, code, (line.number, 1), message);
        if line.text.starts_with('>') {
            self.end_conflict();
        }
    }

    /// A closed conflict mixes every comment that began inside it.
    fn end_conflict(&mut self) {
        let Some(from) = self.conflict.take() else { return };
        for entry in self.entries.iter_mut().rev().take_while(|entry| entry.line >= from) {
            if let EntryKind::Comment(comment) = &mut entry.kind {
                comment.mixed = true;
            }
        }
    }

    fn outer_line(&mut self, line: Line<'t>) {
        if is_torn(line.text) {
            self.end_stray();
            if line.text.len() > super::control::TORN.len() {
                self.problem(
                    Severity::Warning,
                    "torn",
                    (line.number, 1),
                    "this line was cut here and means nothing",
                );
            }
            return;
        }
        if let Mode::Between { after_torn } = &mut self.mode {
            if *after_torn && is_fence_closer(line.text) {
                return;
            }
            *after_torn = false;
        }
        let marked = line.text.starts_with("<!--");
        match marked.then(|| read_control(line.text)).flatten() {
            _ if !line.terminated && (marked || self.cut_head == Some(line.start)) => {
                self.cut_line(line)
            }
            Some(Reading::Control(control)) => self.control(line, control),
            Some(Reading::Malformed(word)) => {
                self.problem(
                    Severity::Error,
                    "control-malformed",
                    (line.number, 1),
                    format!("this `{word}` line cannot be read and does not count"),
                );
                self.stray_line(line);
            }
            None => self.stray_line(line),
        }
    }

    fn control(&mut self, line: Line<'t>, control: Control) {
        self.end_stray();
        self.preamble_end.get_or_insert(line.start);
        self.last = Last::Control;
        self.mode = Mode::Between { after_torn: false };
        self.entries.push(Entry {
            span: line.start..line.end(),
            line: line.number,
            kind: EntryKind::Control(control),
        });
    }

    fn stray_line(&mut self, line: Line<'t>) {
        match line.text.as_bytes()[0] {
            b'<' if line.text.starts_with("<<<<<<<") => {
                self.conflict = Some(line.number);
                if matches!(self.mode, Mode::Preamble) {
                    self.problem(Severity::Error, "conflict", (line.number, 1), CONFLICT);
                }
            }
            b'>' if line.text.starts_with(">>>>>>>") => self.end_conflict(),
            _ => {}
        }
        if matches!(self.mode, Mode::Between { .. }) {
            let (range, _) = self.stray.get_or_insert((line.start..line.end(), line.number));
            range.end = line.end();
        }
    }

    fn end_stray(&mut self) {
        let Some((span, line)) = self.stray.take() else { return };
        let text = &self.text[span.clone()];
        let (severity, code, message) = if text.starts_with("<<<<<<<")
            || text.starts_with(">>>>>>>")
            || text.starts_with("=======")
        {
            (Severity::Error, "conflict", CONFLICT)
        } else {
            (
                Severity::Warning,
                "stray",
                "this text stands between comments and counts for nothing; give it a head (`---`, a blank line, `Name: You`)",
            )
        };
        self.problem(severity, code, (line, 1), message);
        self.entries.push(Entry { span, line, kind: EntryKind::Stray(text) });
    }

    fn close(&mut self, ending: Ending, at: usize) {
        let mode = std::mem::replace(&mut self.mode, Mode::Between { after_torn: false });
        let Mode::Comment(open) = mode else { return };
        let raw = &self.text[open.body.clone()];
        let trimmed = trim_blank_lines(raw);
        let stored_start = open.body.start + trimmed.start;
        let lines_above = memchr::memchr_iter(b'\n', &raw.as_bytes()[..trimmed.start]).count();
        let Beneath { reply, restored, summary } = open.below;
        let comment = Comment {
            name: open.name,
            reply,
            restored,
            summary,
            stored: &raw[trimmed.clone()],
            stored_start,
            stored_line: open.body_line + lines_above,
            ending,
            tight_rule: ending == Ending::Rule && open.tight_at == at,
            mixed: open.mixed,
        };
        if !comment.acknowledged() && ending != Ending::Torn {
            let (code, message) = match ending {
                Ending::Rule => {
                    ("comment-empty", "this comment says nothing, so it counts for nothing")
                }
                _ => (
                    "torn",
                    "this answer was never finished: it is shown, counts for nothing and is asked for again",
                ),
            };
            self.problem(Severity::Warning, code, (open.head.number, 1), message);
        }
        self.entries.push(Entry {
            span: open.head.start..(open.body.start + trimmed.end),
            line: open.head.number,
            kind: EntryKind::Comment(comment),
        });
    }

    fn cut_line(&mut self, line: Line<'t>) {
        self.cut = !is_torn(line.text);
        self.problem(
            Severity::Warning,
            "last-line-cut",
            (line.number, column(self.text, line.start, line.start)),
            "the last line is not ended, so it means nothing; end it with a newline",
        );
        if matches!(self.mode, Mode::Preamble) {
            self.preamble_end.get_or_insert(line.start);
        }
    }

    fn problem(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: (usize, usize),
        message: impl Into<String>,
    ) {
        self.problems.push(Problem::new(severity, code, at, message));
    }

    pub(super) fn finish(mut self) -> Scan<'t> {
        let tail = match &self.mode {
            Mode::Comment(open) => Tail::Open(open.head.start),
            Mode::Between { after_torn: true } => Tail::Closed { torn: self.comment_start },
            Mode::Between { .. } | Mode::Preamble => Tail::Closed { torn: None },
        };
        if matches!(tail, Tail::Open(_)) {
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

/// What `glue` may write below a `TORN` line: nothing but a fence's characters.
fn is_fence_closer(text: &str) -> bool {
    let text = text.trim_end_matches([' ', '\t']);
    !text.is_empty() && (text.bytes().all(|b| b == b'`') || text.bytes().all(|b| b == b'~'))
}

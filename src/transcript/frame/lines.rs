//! The lines of an open comment and its end, and the lines between comments: control lines and stray text.

use super::super::autofix::is_like_a_head;
use super::super::control::{
    Below, Control, TORN, is_torn, is_unknown_control, read_below, read_control,
};
use super::super::entry::{BlockEnding, Comment, Entry, EntryKind};
use super::super::guard;
use super::super::line::{SourceLine, trim_blank_lines, trim_end};
use super::super::name::Name;
use super::{AwaitedLine, Beneath, Last, Mode, Scanner};
use crate::codes::{Fix, ProblemCode};
use crate::problem::Severity;

/// The prefix of the names of bundled personas. For an unfinished answer of a persona, the message says that the
/// answer is requested again; for a person's comment that would be wrong.
const PERSONA: &str = "AI-";

impl<'t> Scanner<'t> {
    pub(super) fn comment_line(&mut self, line: SourceLine<'t>) {
        let Mode::Comment(open) = &mut self.mode else { return };
        if is_torn(line.text) {
            let at = line.start;
            let cut = line.text.len() > TORN.len();
            let reply = !open.below.is_empty();
            if cut || reply {
                let head = open.head.number;
                self.problem(
                    Severity::Warning,
                    ProblemCode::Torn,
                    (line.number, 1),
                    format!(
                        "the comment in line {head} was truncated here; {}",
                        if reply {
                            "it was never finished and is ignored"
                        } else {
                            "the truncated line is ignored"
                        }
                    ),
                );
            }
            self.close(BlockEnding::Torn, at);
            self.mode = Mode::Between { after_torn: true };
            return;
        }
        if std::mem::take(&mut open.at_top)
            && line.terminated
            && let Some(below) = read_below(line.text)
        {
            let is_price_unreadable =
                matches!(&below, Below::Reply(reply) if reply.spent.usd_unreadable);
            open.below.add(below);
            open.at_top = true;
            open.body = line.next..line.next;
            open.body_line = line.number + 1;
            if is_price_unreadable {
                self.unreadable_price(line);
            }
            return;
        }
        if !line.terminated {
            // A truncated last line does not count, no matter who wrote it.
            let code =
                if open.below.is_empty() { ProblemCode::LastLineCut } else { ProblemCode::Torn };
            return self.problem(
                Severity::Warning,
                code,
                (line.number, 1),
                "the last line does not end in a newline, so it does not count; add a newline",
            );
        }
        open.body.end = line.end();
        open.tight_at = line.next;
        self.mixing(line);
    }

    /// Finds heads without a rule, and merge conflicts. Both make the author of the comment unclear.
    fn mixing(&mut self, line: SourceLine<'t>) {
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
                ProblemCode::NameWithoutRule,
                "this looks like the start of another comment, but there is no line `---` above it; no vote in this \
                 comment counts",
            )
        } else {
            (
                ProblemCode::Conflict,
                "this is a merge conflict; no vote in this comment counts until you resolve it",
            )
        };
        self.problem(Severity::Error, code, (line.number, 1), message);
        self.mends((code == ProblemCode::NameWithoutRule).then_some(Fix::Mend));
        if line.text.starts_with('>') {
            self.end_conflict();
        }
    }

    /// Warns about a receipt with an amount of money that cannot be parsed.
    fn unreadable_price(&mut self, line: SourceLine<'t>) {
        self.problem(
            Severity::Warning,
            ProblemCode::ValueUnreadable,
            (line.number, 1),
            "the `usd` of this line is not an amount of money, so the price of its calls is unknown; a run with a \
             money limit calls no model",
        );
    }

    /// Marks every comment that began inside a closed conflict as mixed.
    fn end_conflict(&mut self) {
        let Some(from) = self.conflict.take() else { return };
        for entry in self.entries.iter_mut().rev().take_while(|entry| entry.line >= from) {
            if let EntryKind::Comment(comment) = &mut entry.kind {
                comment.mixed = true;
            }
        }
    }

    pub(super) fn close(&mut self, ending: BlockEnding, at: usize) {
        let mode = std::mem::replace(&mut self.mode, Mode::Between { after_torn: false });
        let Mode::Comment(open) = mode else { return };
        let raw = &self.text[open.body.clone()];
        let trimmed = trim_blank_lines(raw);
        let stored_start = open.body.start + trimmed.start;
        let lines_above = memchr::memchr_iter(b'\n', &raw.as_bytes()[..trimmed.start]).count();
        let Beneath { reply, restored, summary, said_at } = open.below;
        let comment = Comment {
            name: open.name,
            reply,
            restored,
            summary,
            said_at,
            stored: self.text.piece(&raw[trimmed.clone()]),
            stored_start,
            stored_line: open.body_line + lines_above,
            ending,
            tight_rule: ending == BlockEnding::Rule && open.tight_at == at,
            mixed: open.mixed,
        };
        if !comment.acknowledged() && ending != BlockEnding::Torn {
            let (code, message) = match ending {
                BlockEnding::Rule => {
                    (ProblemCode::CommentEmpty, "this comment is empty, so it is ignored")
                }
                _ if comment.name.as_str().starts_with(PERSONA) => (
                    ProblemCode::Torn,
                    "this answer was never finished: it is shown but ignored, and the participant is asked again",
                ),
                _ => (ProblemCode::Torn, "this answer was never finished: it is shown but ignored"),
            };
            self.problem(Severity::Warning, code, (open.head.number, 1), message);
        }
        self.entries.push(Entry {
            span: open.head.start..(open.body.start + trimmed.end),
            line: open.head.number,
            kind: EntryKind::Comment(comment),
        });
    }
}

/// The message of `check` for conflict lines outside of comments.
const CONFLICT: &str = "this is a merge conflict; resolve it";

impl<'t> Scanner<'t> {
    pub(super) fn outer_line(&mut self, line: SourceLine<'t>) {
        if let Some(awaited) = self.awaited.take()
            && self.reads_line_for_readers(awaited, line)
        {
            return;
        }
        if is_torn(line.text) {
            self.end_stray();
            if line.text.len() > TORN.len() {
                self.problem(
                    Severity::Warning,
                    ProblemCode::Torn,
                    (line.number, 1),
                    "this line was truncated here and is ignored",
                );
            }
            if let Mode::Between { after_torn } = &mut self.mode {
                *after_torn = true;
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
            Some(Ok(control)) => self.control(line, control),
            Some(Err(word)) => {
                self.problem(
                    Severity::Error,
                    ProblemCode::ControlMalformed,
                    (line.number, 1),
                    format!("this `{word}` line cannot be read and does not count"),
                );
                self.stray_line(line);
            }
            None if marked && self.is_between() && is_unknown_control(line.text) => {
                self.unknown_control(line)
            }
            None => self.stray_line(line),
        }
    }

    fn is_between(&self) -> bool {
        matches!(self.mode, Mode::Between { .. }) && !self.in_fence
    }

    /// Keeps a control line of a newer version as an entry of its own; it has no meaning here.
    fn unknown_control(&mut self, line: SourceLine<'t>) {
        self.end_stray();
        self.problem(
            Severity::Note,
            ProblemCode::ControlUnknown,
            (line.number, 1),
            "this program does not know this line and ignores it; did a newer version write it?",
        );
        let text = self.text.piece(line.text);
        self.entries.push(Entry {
            span: line.start..line.end(),
            line: line.number,
            kind: EntryKind::Stray(text),
        });
    }

    fn control(&mut self, line: SourceLine<'t>, control: Control) {
        self.end_stray();
        let spent = match &control {
            Control::Pass(pass) => Some(&pass.spent),
            Control::Failed(failed) => Some(&failed.spent),
            _ => None,
        };
        if spent.is_some_and(|spent| spent.usd_unreadable) {
            self.unreadable_price(line);
        }
        self.preamble_end.get_or_insert(line.start);
        self.last = Last::Control;
        self.mode = Mode::Between { after_torn: false };
        self.awaited = AwaitedLine::below(&control);
        self.entries.push(Entry {
            span: line.start..line.end(),
            line: line.number,
            kind: EntryKind::Control(control),
        });
    }

    fn stray_line(&mut self, line: SourceLine<'t>) {
        match line.text.as_bytes()[0] {
            b'<' if line.text.starts_with("<<<<<<<") => {
                self.conflict = Some(line.number);
                if matches!(self.mode, Mode::Preamble) {
                    self.problem(Severity::Error, ProblemCode::Conflict, (line.number, 1), CONFLICT);
                }
            }
            b'>' if line.text.starts_with(">>>>>>>") => {
                self.end_conflict();
                // Seven quotation marks in an old mail have no blank after them; the conflict mark of git has one.
                if matches!(self.mode, Mode::Preamble) && line.text.starts_with(">>>>>>> ") {
                    self.problem(Severity::Error, ProblemCode::Conflict, (line.number, 1), CONFLICT);
                }
            }
            // The frame does not parse Markdown. Inside a fence, text that looks like a head is probably an example,
            // so it is not reported.
            b'`' | b'~' if opens_or_closes_fence(line.text) => self.in_fence = !self.in_fence,
            b'N' if !self.in_fence && is_head(line.text) => self.mendable(
                Severity::Error,
                ProblemCode::NameWithoutRule,
                (line.number, 1),
                "this looks like the start of a comment, but there is no line `---` right above it, so nothing below \
                 it counts",
            ),
            _ => {}
        }
        if matches!(self.mode, Mode::Between { .. }) {
            let (range, _) = self.stray.get_or_insert((line.start..line.end(), line.number));
            range.end = line.end();
        }
    }

    pub(super) fn end_stray(&mut self) {
        let Some((span, line)) = self.stray.take() else { return };
        let text = &self.text[span.clone()];
        let is_mark = |line: &str| line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>");
        let (severity, code, message) = if text.starts_with("=======") || text.lines().any(is_mark)
        {
            (Severity::Error, ProblemCode::Conflict, CONFLICT)
        } else {
            (
                Severity::Warning,
                ProblemCode::Stray,
                "this text is not part of a comment and is ignored; put `---`, a blank line and `Name: You` above it",
            )
        };
        let fix = is_like_a_head(text.lines().next().unwrap_or_default()).then_some(Fix::Mend);
        // If the first line of a text was already reported, no second problem is added.
        let named = |code| matches!(code, ProblemCode::NameInvalid | ProblemCode::NameWithoutRule);
        let told = self.problems.iter().rev().take_while(|problem| problem.line >= line);
        if !told.into_iter().any(|problem| problem.line == line && named(problem.code)) {
            self.problem(severity, code, (line, 1), message);
            self.mends(fix);
        }
        self.entries.push(Entry { span, line, kind: EntryKind::Stray(self.text.piece(text)) });
    }
}

fn opens_or_closes_fence(text: &str) -> bool {
    text.starts_with("```") || text.starts_with("~~~")
}

/// Returns true if a line would be a head with a rule above it.
fn is_head(text: &str) -> bool {
    text.strip_prefix("Name: ").is_some_and(|name| Name::parse(name).is_ok())
}

/// Returns true for the lines that `glue` may write below a `TORN` line: they contain only fence characters.
fn is_fence_closer(text: &str) -> bool {
    let text = trim_end(text);
    !text.is_empty() && (text.bytes().all(|b| b == b'`') || text.bytes().all(|b| b == b'~'))
}

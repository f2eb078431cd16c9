//! Parses the lines between comments: control lines and stray text.

use super::super::autofix::is_like_a_head;
use super::super::control::{Control, TORN, is_torn, is_unknown_control, read_control};
use super::super::entry::{Entry, EntryKind};
use super::super::line::{SourceLine, trim_end};
use super::super::name::Name;
use super::{Last, Mode, Scanner};
use crate::codes::{Fix, ProblemCode};
use crate::problem::Severity;

/// The message of `check` for conflict lines outside of comments.
const CONFLICT: &str = "this is a merge conflict; resolve it";

impl<'t> Scanner<'t> {
    pub(super) fn outer_line(&mut self, line: SourceLine<'t>) {
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

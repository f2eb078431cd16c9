//! Parses the lines of an open comment, and its end.

use super::super::control::{Below, TORN, is_torn, read_below};
use super::super::entry::{BlockEnding, Comment, Entry, EntryKind};
use super::super::guard;
use super::super::line::{SourceLine, trim_blank_lines};
use super::open::Beneath;
use super::{Mode, Scanner};
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
    pub(super) fn unreadable_price(&mut self, line: SourceLine<'t>) {
        self.problem(
            Severity::Warning,
            ProblemCode::ValueUnreadable,
            (line.number, 1),
            "the `usd` of this line is not an amount of money, so the price of its calls is unknown; a run with a \
             money limit calls no model",
        );
    }

    /// Marks every comment that began inside a closed conflict as mixed.
    pub(super) fn end_conflict(&mut self) {
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

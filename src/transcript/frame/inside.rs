//! The lines of an open comment, and its end.

use super::super::control::{Below, TORN, is_torn, read_below};
use super::super::entry::{Comment, Ending, Entry, EntryKind};
use super::super::guard;
use super::super::line::{Line, trim_blank_lines};
use super::open::Beneath;
use super::{Mode, Scanner};
use crate::codes::{Fix, ProblemCode};
use crate::problem::Severity;

/// What the names of bundled personas begin with. Of a person nobody asks an answer again.
const PERSONA: &str = "AI-";

impl<'t> Scanner<'t> {
    pub(super) fn comment_line(&mut self, line: Line<'t>) {
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
                        "the comment of line {head} was cut here; {}",
                        if reply {
                            "it was never finished and counts for nothing"
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
            // A cut last line counts for nothing, whoever wrote it.
            let code =
                if open.below.is_empty() { ProblemCode::LastLineCut } else { ProblemCode::Torn };
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
                ProblemCode::NameWithoutRule,
                "this looks like the beginning of another comment, but no line `---` stands above it; no vote of this comment counts",
            )
        } else {
            (
                ProblemCode::Conflict,
                "a merge conflict stands here; no vote of this comment counts until it is resolved",
            )
        };
        self.problem(Severity::Error, code, (line.number, 1), message);
        self.mends((code == ProblemCode::NameWithoutRule).then_some(Fix::Mend));
        if line.text.starts_with('>') {
            self.end_conflict();
        }
    }

    /// Warns that a receipt states money that is no amount.
    pub(super) fn unreadable_price(&mut self, line: Line<'t>) {
        self.problem(
            Severity::Warning,
            ProblemCode::ValueUnreadable,
            (line.number, 1),
            "the `usd` of this line is no amount of money, so the price of its calls is unknown; under a limit of money nobody is asked",
        );
    }

    /// A closed conflict mixes every comment that began inside it.
    pub(super) fn end_conflict(&mut self) {
        let Some(from) = self.conflict.take() else { return };
        for entry in self.entries.iter_mut().rev().take_while(|entry| entry.line >= from) {
            if let EntryKind::Comment(comment) = &mut entry.kind {
                comment.mixed = true;
            }
        }
    }

    pub(super) fn close(&mut self, ending: Ending, at: usize) {
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
            tight_rule: ending == Ending::Rule && open.tight_at == at,
            mixed: open.mixed,
        };
        if !comment.acknowledged() && ending != Ending::Torn {
            let (code, message) = match ending {
                Ending::Rule => (
                    ProblemCode::CommentEmpty,
                    "this comment says nothing, so it counts for nothing",
                ),
                _ if comment.name.as_str().starts_with(PERSONA) => (
                    ProblemCode::Torn,
                    "this answer was never finished: it is shown, counts for nothing and is asked for again",
                ),
                _ => (
                    ProblemCode::Torn,
                    "this answer was never finished: it is shown and counts for nothing",
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
}

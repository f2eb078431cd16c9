//! Opens a comment: parses its head, and the lines directly below it.

use std::ops::Range;

use super::super::autofix::is_like_a_head;
use super::super::control::{Below, ReplyLine, Restored, Summary, is_torn};
use super::super::entry::Time;
use super::super::line::SourceLine;
use super::super::name::{Name, NameError};
use super::{Mode, Scanner};
use crate::codes::{Fix, ProblemCode};
use crate::problem::Severity;

/// The number of names in the cache; searching more entries would take longer than parsing a name.
const NAMES: usize = 16;

/// A comment that is being read.
#[derive(Debug)]
pub(super) struct OpenFrame<'t> {
    pub(super) head: SourceLine<'t>,
    pub(super) name: Name,
    pub(super) below: Beneath,
    /// True if the next line is directly below `Name:`, or below a line that is.
    pub(super) at_top: bool,
    /// The start of the body, and the end of the part read so far.
    pub(super) body: Range<usize>,
    pub(super) body_line: usize,
    /// The byte offset directly after the last line that was not blank.
    pub(super) tight_at: usize,
    pub(super) mixed: bool,
}

/// The lines directly below a head; if a kind occurs twice, the last one counts.
#[derive(Debug, Default)]
pub(super) struct Beneath {
    pub(super) reply: Option<Box<ReplyLine>>,
    pub(super) restored: Option<Restored>,
    pub(super) summary: Option<Summary>,
    pub(super) said_at: Option<Time>,
}

impl Beneath {
    pub(super) fn add(&mut self, below: Below) {
        match below {
            Below::Reply(reply) => self.reply = Some(Box::new(reply)),
            Below::Restored(restored) => self.restored = Some(restored),
            Below::Summary(summary) => self.summary = Some(summary),
            Below::Said(at) => self.said_at = Some(at),
        }
    }

    /// Returns true if no line requires a closing rule. `SAID` requires none, because it changes nothing that counts:
    /// a person's comment has the same meaning with and without it.
    pub(super) fn is_empty(&self) -> bool {
        self.reply.is_none() && self.restored.is_none() && self.summary.is_none()
    }
}

impl<'t> Scanner<'t> {
    /// Opens a comment if the line is a head; returns true if the line needs no further handling.
    pub(super) fn opens_comment(&mut self, line: SourceLine<'t>, rule: usize) -> bool {
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
    pub(super) fn almost_a_head(&mut self, line: SourceLine<'t>) {
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

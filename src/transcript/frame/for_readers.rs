//! The lines for readers below a control line: the heading of a phase, and the end of a discussion. They belong to the
//! block of the control line, have no meaning for a program, and no prompt contains them.

use super::super::control::{Control, is_torn};
use super::super::entry::EntryKind;
use super::super::line::SourceLine;
use super::{Last, Scanner};

/// The mark of a heading for readers.
pub(in crate::transcript) const HEADING: &str = "## ";
/// The mark of the line that says what was decided.
const DECISION: &str = "**";

/// A line for readers that may follow, after any number of blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AwaitedLine {
    /// The heading of a phase or of an end.
    Heading,
    /// What was decided; it follows the heading of an end.
    Decision,
}

impl AwaitedLine {
    /// Returns the line that may follow a control line.
    pub(super) fn below(control: &Control) -> Option<Self> {
        let has_heading =
            matches!(control, Control::Turn(_) | Control::Phase(_) | Control::Ended(_));
        has_heading.then_some(Self::Heading)
    }
}

impl<'t> Scanner<'t> {
    /// Adds a line to the block of the control line above, if it is the awaited line; returns true if it was added.
    ///
    /// A last line without LF is added too: it has no meaning that it could gain.
    pub(super) fn reads_line_for_readers(
        &mut self,
        awaited: AwaitedLine,
        line: SourceLine<'t>,
    ) -> bool {
        if is_torn(line.text) {
            return false;
        }
        let Some(entry) = self.entries.last_mut() else { return false };
        let EntryKind::Control(control) = &mut entry.kind else { return false };
        match awaited {
            AwaitedLine::Heading => {
                let Some(text) = line.text.strip_prefix(HEADING) else { return false };
                let text = Some(text.trim().to_owned());
                match control {
                    Control::Turn(turn) => turn.heading = text,
                    Control::Phase(phase) => phase.heading = text,
                    Control::Ended(end) => {
                        end.heading = text;
                        self.awaited = Some(AwaitedLine::Decision);
                    }
                    _ => return false,
                }
            }
            AwaitedLine::Decision => match control {
                Control::Ended(end) if line.text.starts_with(DECISION) => {
                    end.decision = Some(line.text.trim().to_owned());
                }
                _ => return false,
            },
        }
        entry.span.end = line.end();
        self.last = Last::ForReaders;
        true
    }
}

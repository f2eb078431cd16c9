//! Records who closed and reopened the discussion.

use super::Fold;
use crate::transcript::{Name, StatusLine, StatusWord};

/// A line that closed or reopened the discussion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatusChange {
    /// True if it closed the discussion.
    pub(crate) closes: bool,
    /// The name in the line.
    pub(crate) by: Option<Name>,
    /// True if the name is a person's, or if the line names nobody.
    pub(crate) by_person: bool,
    /// Index of the line in the transcript's entries.
    pub(crate) entry: usize,
    /// Line in the file.
    pub(crate) line: usize,
}

impl Fold<'_> {
    /// Records that the discussion was closed or reopened. Only a person reopens it, because this takes back what the
    /// closing decided.
    pub(super) fn status(&mut self, entry: usize, line: usize, status: &StatusLine) {
        let by = status.by.as_deref().map(Name::parse);
        let by_person = match &by {
            Some(Ok(name)) => {
                let speaker = self.speakers.classify(name, self.config);
                self.config.is_person(&speaker)
            }
            Some(Err(_)) => false,
            None => true,
        };
        let closes = status.status == StatusWord::Closed;
        if closes || by_person {
            self.state.closed = closes;
        }
        let by = by.and_then(Result::ok);
        self.state.status_changes.push(StatusChange { closes, by, by_person, entry, line });
    }
}

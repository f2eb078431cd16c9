//! What waits for a participant: calls, with what is asked.

use super::snapshot::Snapshot;
use crate::state::Speaker;
use crate::transcript::{Alias, EntryKind, decode, one_line};

/// Most characters of a quotation.
const LONGEST: usize = 400;

/// One call that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called<'s> {
    /// Who calls.
    pub by: &'s Speaker,
    /// Whether that is a person.
    pub by_person: bool,
    /// Line in the file, from 1.
    pub line: usize,
    /// The question, or the sentence that calls, in one line; at most 400 characters.
    pub question: String,
}

impl Snapshot {
    /// The calls that wait for a participant and stand above a line, in the file's order.
    pub fn calls_to(&self, alias: &Alias, before: usize) -> Vec<Called<'_>> {
        let mut pending = self.state.pending.iter();
        let Some(mine) = pending.find(|mention| mention.whom.alias() == Some(alias)) else {
            return Vec::new();
        };
        let calls = mine.calls(before).into_iter();
        calls
            .map(|call| Called {
                by: &call.by,
                by_person: call.by_person,
                line: call.line,
                question: self.quoted(call.entry, call.quote()),
            })
            .collect()
    }

    fn quoted(&self, entry: usize, range: std::ops::Range<usize>) -> String {
        let stored = match self.transcript.entries.get(entry).map(|entry| &entry.kind) {
            Some(EntryKind::Comment(comment)) => comment.stored.as_str(),
            _ => "",
        };
        let text = one_line(&decode(stored.get(range).unwrap_or_default()));
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", text[..end].trim_end()),
            None => text,
        }
    }
}

//! What waits for a participant: calls, with what is asked.

use std::ops::Range;

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
    /// What is quoted, in one line; at most 400 characters.
    pub question: String,
}

impl Snapshot {
    /// The calls that wait for a participant and stand above a line, in the file's order. Quoted is the question or the
    /// sentence that calls; with `whole` the line around it, where that has at most so many bytes.
    pub fn calls_to(&self, alias: &Alias, before: usize, whole: Option<usize>) -> Vec<Called<'_>> {
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
                question: self.quoted(call.entry, call.quote(), whole),
            })
            .collect()
    }

    fn quoted(&self, entry: usize, asked: Range<usize>, whole: Option<usize>) -> String {
        let stored = match self.transcript.entries.get(entry).map(|entry| &entry.kind) {
            Some(EntryKind::Comment(comment)) => comment.stored.as_str(),
            _ => "",
        };
        let range = match (whole, around(stored, &asked)) {
            (Some(most), Some(line)) if line.len() <= most => line,
            _ => asked,
        };
        let text = one_line(&decode(stored.get(range).unwrap_or_default()));
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", text[..end].trim_end()),
            None => text,
        }
    }
}

/// The lines around a range, without what makes the first a list item or a quote.
fn around(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let start = text.get(..range.start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let rest = text.get(range.end..)?;
    let end = range.end + rest.find('\n').unwrap_or(rest.len());
    let line = text.get(start..end)?;
    let bare = line.trim_start_matches(['-', '*', '>', ' ']);
    Some(end - bare.len()..end)
}

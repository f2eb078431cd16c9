//! Open mentions of a participant, with the question of each.

use std::ops::Range;

use super::snapshot::Snapshot;
use crate::state::Speaker;
use crate::transcript::{Alias, EntryKind, decode, one_line};

/// Maximum number of characters of a quotation.
const LONGEST: usize = 400;

/// One mention that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalledParticipants<'s> {
    /// The author of the mention.
    pub by: &'s Speaker,
    /// True if the author is a person.
    pub by_person: bool,
    /// Line number in the file, from 1.
    pub line: usize,
    /// The quoted question in one line, at most 400 characters.
    pub question: String,
}

impl Snapshot {
    /// Returns the open mentions of a participant above the line `before`, in the order of the file. Each quotes the
    /// question or sentence that contains it; with `whole`, it quotes the entire line instead, if that has at most
    /// `whole` bytes.
    pub fn calls_to(
        &self,
        alias: &Alias,
        before: usize,
        whole: Option<usize>,
    ) -> Vec<CalledParticipants<'_>> {
        let mut pending = self.state.pending.iter();
        let Some(mine) = pending.find(|mention| mention.whom.alias() == Some(alias)) else {
            return Vec::new();
        };
        let calls = mine.calls(before).into_iter();
        calls
            .map(|call| CalledParticipants {
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
        let range = match (whole, surrounding_lines(stored, &asked)) {
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

/// Returns the range of the lines around `range`, without the list or quote prefix at its start.
fn surrounding_lines(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let start = text.get(..range.start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let rest = text.get(range.end..)?;
    let end = range.end + rest.find('\n').unwrap_or(rest.len());
    let line = text.get(start..end)?;
    let bare = line.trim_start_matches(['-', '*', '>', ' ']);
    Some(end - bare.len()..end)
}

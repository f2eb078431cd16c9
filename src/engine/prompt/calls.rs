//! What somebody was asked and has not answered yet, in the words in which it was asked.

use super::clip::shortened;
use crate::engine::snapshot::Snapshot;
use crate::engine::view::Sight;
use crate::state::{QuestionStatus, Speaker};
use crate::transcript::{Alias, EntryKind, Name};

/// Most bytes of one that is quoted.
const LONGEST: usize = 300;

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// Who calls, as others see them.
    pub(super) by: String,
    /// The number of the question; none where it is no `Q:`.
    pub(super) number: Option<u32>,
    /// What they ask.
    pub(super) text: String,
}

impl Call {
    /// Who asks, with the question's number.
    pub(super) fn by_number(&self) -> String {
        match self.number {
            Some(number) => format!("Q{number}, {}", self.by),
            None => self.by.clone(),
        }
    }
}

/// The calls that wait for this participant, each caller's questions before what they asked in passing.
pub(super) fn calls(sight: &Sight<'_>, seen: &Snapshot, me: &Alias) -> Vec<Call> {
    let mut calls: Vec<Call> = seen
        .state
        .questions
        .iter()
        .filter(|it| it.status == QuestionStatus::Open && names(seen, &it.text, me))
        .map(|it| Call {
            by: sight.shown(&it.author),
            number: Some(it.number),
            text: shortened(&sight.hide(&it.text), LONGEST),
        })
        .collect();
    let pending = seen.state.pending.iter().find(|mention| mention.whom.alias() == Some(me));
    for caller in pending.map(|mention| mention.callers(usize::MAX)).unwrap_or_default() {
        let by = sight.name(caller);
        if calls.iter().all(|call| call.by != by)
            && let Some(text) = quoted(seen, caller, me)
        {
            let text = shortened(&sight.hide(&text), LONGEST);
            calls.push(Call { by, number: None, text });
        }
    }
    calls
}

/// The sentence in which somebody last mentioned them.
fn quoted(seen: &Snapshot, caller: &Speaker, me: &Alias) -> Option<String> {
    let mut said = seen.state.said.iter().rev().filter(|said| said.speaker == *caller);
    said.find_map(|said| {
        let entry = seen.transcript.entries.get(said.entry)?;
        let EntryKind::Comment(comment) = &entry.kind else { return None };
        let body = comment.body();
        let line = body.lines().find(|line| names(seen, line, me))?;
        let mut sentences = line.split_inclusive(['.', '?', '!']);
        let sentence = sentences.find(|sentence| names(seen, sentence, me)).unwrap_or(line);
        // An end within a word is none: `v1.2`.
        let text = if line.len() <= LONGEST { line } else { sentence };
        Some(text.trim().trim_start_matches(['-', '*', '>', ' ']).to_owned())
    })
}

/// Whether a text mentions this participant, or everybody.
pub(super) fn names(seen: &Snapshot, text: &str, me: &Alias) -> bool {
    mentioned(text).any(|word| {
        word.eq_ignore_ascii_case("all")
            || Alias::parse(word).is_ok_and(|alias| alias == *me)
            || Name::parse(word)
                .ok()
                .and_then(|name| seen.config.by_name(&name))
                .is_some_and(|persona| persona.alias == *me)
    })
}

/// The words behind each `@`.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('@').map(|(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
        rest[..end.unwrap_or(rest.len())].trim_end_matches(['-', '_'])
    })
}

//! The open mentions of a participant, quoted in their original words.

use super::clip::shortened;
use crate::engine::snapshot::Snapshot;
use crate::engine::view::Visibility;
use crate::state::QuestionStatus;
use crate::transcript::{Alias, Name};

/// Maximum number of bytes of a quotation.
const LONGEST: usize = 300;

/// One open mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MentionedCall {
    /// The author's name, as other participants see it.
    pub(super) by: String,
    /// The number of the question, or `None` if it is not a `Q:` marker.
    pub(super) number: Option<u32>,
    /// The text of the question.
    pub(super) text: String,
}

impl MentionedCall {
    /// Returns the author, with the number of the question.
    pub(super) fn by_number(&self) -> String {
        match self.number {
            Some(number) => format!("Q{number}, {}", self.by),
            None => self.by.clone(),
        }
    }
}

/// Returns the open mentions of this participant: first questions with a number, then other mentions.
pub(super) fn calls(sight: &Visibility<'_>, seen: &Snapshot, me: &Alias) -> Vec<MentionedCall> {
    let mut calls: Vec<MentionedCall> = seen
        .state
        .questions
        .iter()
        .filter(|it| it.status == QuestionStatus::Open && names(seen, &it.text, me))
        .map(|it| MentionedCall {
            by: sight.shown_name(&it.author),
            number: Some(it.number),
            text: shortened(&sight.hide(&it.text), LONGEST),
        })
        .collect();
    // Of several mentions by one author, the last one states what that author still wants to know.
    let mut others: Vec<MentionedCall> = Vec::new();
    for call in seen.calls_to(me, usize::MAX, Some(LONGEST)).into_iter().rev() {
        let by = sight.name(call.by);
        if calls.iter().chain(&others).all(|known| known.by != by) {
            let text = shortened(&sight.hide(&call.question), LONGEST);
            others.push(MentionedCall { by, number: None, text });
        }
    }
    calls.extend(others.into_iter().rev());
    calls
}

/// Returns true if a text mentions this participant or `@all`.
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

/// Returns the word after each `@`.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('@').map(|(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
        rest[..end.unwrap_or(rest.len())].trim_end_matches(['-', '_'])
    })
}

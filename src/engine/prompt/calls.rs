//! What somebody was asked and has not answered yet, in the words in which it was asked.

use super::clip::shortened;
use crate::engine::snapshot::Snapshot;
use crate::engine::view::Sight;
use crate::state::QuestionStatus;
use crate::transcript::{Alias, Name};

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
    // Of several, what somebody asked last says what they still want to know.
    let mut others: Vec<Call> = Vec::new();
    for call in seen.calls_to(me, usize::MAX, Some(LONGEST)).into_iter().rev() {
        let by = sight.name(call.by);
        if calls.iter().chain(&others).all(|known| known.by != by) {
            let text = shortened(&sight.hide(&call.question), LONGEST);
            others.push(Call { by, number: None, text });
        }
    }
    calls.extend(others.into_iter().rev());
    calls
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

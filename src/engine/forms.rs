//! The forms in which answers come: Markdown, JSON, JSON in prose or in a fence, and the bracketed consensus form.

mod brackets;
mod json;

use super::answer::Wanted;

/// An answer in one form for all.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Form {
    /// Markdown; markers may stand in it.
    pub(super) text: String,
    /// Votes that were given beside the text.
    pub(super) votes: Vec<String>,
    /// What stands around the form. It is not the answer, but it may contradict it.
    pub(super) around: String,
    /// What was passed over.
    pub(super) notes: Vec<String>,
}

/// Most characters around a sentinel that leave it one: `I have nothing to add.`
const LONGEST_ASIDE: usize = 300;

/// Brings an answer into one form; none: it says that it has nothing to say.
pub(super) fn take(raw: &str, wanted: &Wanted) -> Option<Form> {
    match json::take(raw, wanted) {
        Some(json::Taken::Nothing { around }) if says_little(&around, wanted) => return None,
        Some(json::Taken::Form(form)) => return Some(form),
        _ => {}
    }
    if raw.trim().trim_matches(['`', '"', '.']) == "NO_RESPONSE" {
        return None;
    }
    Some(brackets::take(raw).unwrap_or_else(|| Form { text: raw.to_owned(), ..Form::default() }))
}

/// Whether the words around a sentinel are no answer of their own: short, and without a marker.
fn says_little(around: &str, wanted: &Wanted) -> bool {
    let marked = |line: &str| {
        let line = line.trim_start_matches([' ', '\t', '*', '_', '-']);
        let word = line.split_once(':').map(|(word, _)| word.trim_end_matches(['*', '_']));
        word.is_some_and(|word| wanted.markers.get(word).is_some())
    };
    around.chars().count() <= LONGEST_ASIDE && !around.lines().any(marked)
}

//! The forms in which answers come: Markdown, JSON, JSON in prose or in a fence, the bracketed consensus form; in a
//! fence, behind thoughts, or with a line of courtesy around.

mod brackets;
mod envelope;
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
    /// How many objects of JSON it was put together from.
    objects: usize,
}

/// Most characters around a sentinel that leave it one: `I have nothing to add.`
const LONGEST_ASIDE: usize = 300;

/// Brings an answer into one form; none: it says that it has nothing to say.
pub(super) fn take(raw: &str, wanted: &Wanted) -> Option<Form> {
    let (raw, thoughts) = envelope::open(raw, wanted);
    let mut form = opened(raw, wanted)?;
    if thoughts {
        form.notes.push("the model's thoughts before the answer were left out".to_owned());
    }
    Some(form)
}

fn opened(raw: &str, wanted: &Wanted) -> Option<Form> {
    match json::take(raw, wanted) {
        Some(json::Taken::Nothing { around }) if says_little(&around, wanted) => return None,
        Some(json::Taken::Form(form)) => return Some(form),
        _ => {}
    }
    if let Some(around) = around_sentinel(raw)
        && says_little(&around, wanted)
    {
        return None;
    }
    Some(brackets::take(raw).unwrap_or_else(|| Form { text: raw.to_owned(), ..Form::default() }))
}

/// What stands around a line that says `NO_RESPONSE` and nothing else, in whatever dress.
fn around_sentinel(raw: &str) -> Option<String> {
    let is_sentinel = |line: &str| {
        let bare = line.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.strip_prefix("sentinel").unwrap_or(bare);
        bare.trim_start_matches(|c: char| !c.is_alphanumeric()) == "NO_RESPONSE"
    };
    let at = raw.lines().position(is_sentinel)?;
    let quoted = raw.lines().nth(at).is_some_and(|line| line.trim_start().starts_with('>'));
    let others =
        raw.lines().enumerate().filter(|(nth, line)| *nth != at && !line.starts_with("```"));
    (!quoted).then(|| others.map(|(_, line)| line).collect::<Vec<_>>().join("\n"))
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

#[cfg(test)]
mod tests;

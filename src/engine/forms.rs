//! Reads the formats of answers: Markdown, JSON, JSON in prose or in a fence, and the bracketed consensus form. A
//! fence, a reasoning block or a polite line may surround each of them.

mod brackets;
mod envelope;
mod json;

use super::answer::AnswerSpec;

/// An answer, converted from any of the formats.
#[derive(Debug, Default, PartialEq)]
pub(super) struct AnswerForm {
    /// Markdown, possibly with markers.
    pub(super) text: String,
    /// Votes outside of the text, for example from a JSON key.
    pub(super) votes: Vec<String>,
    /// Text around the answer proper. It is not part of the answer, but it may contradict it.
    pub(super) around: String,
    /// Descriptions of the parts that do not count.
    pub(super) notes: Vec<String>,
    /// Number of JSON objects in the answer.
    objects: usize,
}

/// Maximum number of characters around `NO_RESPONSE`, such as `I have nothing to add.` A longer text counts as an
/// answer.
const LONGEST_ASIDE: usize = 300;

/// Converts an answer. Returns `None` if the answer says that there is nothing to say.
pub(super) fn take(raw: &str, wanted: &AnswerSpec) -> Option<AnswerForm> {
    let (raw, thoughts) = envelope::open(raw, wanted);
    let mut form = parse_form(raw, wanted)?;
    if thoughts {
        form.notes.push("the model's thoughts before the answer were left out".to_owned());
    }
    Some(form)
}

/// Returns a text for a reader without the model's thoughts before it, and notes. Returns `None` if the answer says that
/// there is nothing to say. A text may contain JSON or brackets, so no other format is read.
pub(super) fn take_text<'t>(raw: &'t str, wanted: &AnswerSpec) -> Option<(&'t str, Vec<String>)> {
    let (text, thoughts) = envelope::open(raw, wanted);
    if around_sentinel(text).is_some_and(|around| says_little(&around, wanted)) {
        return None;
    }
    let note = "the model's thoughts before the answer were left out".to_owned();
    Some((text, thoughts.then_some(note).into_iter().collect()))
}

fn parse_form(raw: &str, wanted: &AnswerSpec) -> Option<AnswerForm> {
    match json::take(raw, wanted) {
        Some(json::TakenValue::Nothing { around }) if says_little(&around, wanted) => return None,
        Some(json::TakenValue::Form(form)) => return Some(form),
        _ => {}
    }
    if let Some(around) = around_sentinel(raw)
        && says_little(&around, wanted)
    {
        return None;
    }
    Some(
        brackets::take(raw)
            .unwrap_or_else(|| AnswerForm { text: raw.to_owned(), ..AnswerForm::default() }),
    )
}

/// Returns the text around a line that contains only `NO_RESPONSE`, in any formatting.
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

/// Returns true if the text around `NO_RESPONSE` is not an answer of its own: it is short and has no marker.
fn says_little(around: &str, wanted: &AnswerSpec) -> bool {
    let marked = |line: &str| {
        let line = line.trim_start_matches([' ', '\t', '*', '_', '-']);
        let word = line.split_once(':').map(|(word, _)| word.trim_end_matches(['*', '_']));
        word.is_some_and(|word| wanted.markers.get(word).is_some())
    };
    around.chars().count() <= LONGEST_ASIDE && !around.lines().any(marked)
}

#[cfg(test)]
mod tests;

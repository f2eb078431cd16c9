//! Removes reasoning before an answer and the fence around it.

use crate::engine::answer::{AnswerSpec, unwrap_fence};

/// Tags around a model's reasoning.
const THOUGHTS: [&str; 5] = ["think", "thinking", "thought", "reasoning", "scratchpad"];

/// Maximum number of characters of a polite line before or after a fence.
const LONGEST: usize = 200;

/// Returns the answer proper, and true if reasoning preceded it. The reasoning is not part of the answer, and votes in
/// it do not count.
pub(super) fn open<'t>(raw: &'t str, wanted: &AnswerSpec) -> (&'t str, bool) {
    let bare = raw.trim_ascii();
    let thoughts = THOUGHTS.iter().find_map(|tag| {
        let inner = bare.strip_prefix(&format!("<{tag}>"))?;
        inner.split_once(&format!("</{tag}>")).map(|(_, answer)| answer.trim_ascii())
    });
    let answer = thoughts.filter(|answer| !answer.is_empty());
    (fenced(answer.unwrap_or(raw), wanted), answer.is_some())
}

/// Returns the content of the Markdown fence that contains the answer, with at most one line before and after the
/// fence.
fn fenced<'t>(raw: &'t str, wanted: &AnswerSpec) -> &'t str {
    let text = raw.trim_ascii();
    let whole = unwrap_fence(text, &["", "text", "txt"]);
    if whole.len() < text.len() && marked(whole, wanted) {
        return whole;
    }
    let Some((before, rest)) = text.split_once("```") else { return raw };
    let Some(end) = rest.rfind("\n```") else { return raw };
    let behind = rest[end + 4..].trim();
    let language = rest.lines().next().unwrap_or_default().trim().to_ascii_lowercase();
    let inner = rest.split_once('\n').map_or("", |(_, inner)| inner);
    let inner = inner.rfind("\n```").map_or("", |end| &inner[..end]);
    let little = |words: &str| {
        words.chars().count() <= LONGEST && !words.trim().contains('\n') && !marked(words, wanted)
    };
    let meant = matches!(language.as_str(), "markdown" | "md") && !inner.contains("\n```");
    let introduced = before.trim().is_empty() || before.trim_end().ends_with(':');
    if meant && introduced && little(before) && little(behind) && marked(inner, wanted) {
        inner.trim()
    } else {
        raw
    }
}

/// Returns true if a text contains the line of a requested marker.
fn marked(text: &str, wanted: &AnswerSpec) -> bool {
    text.lines().any(|line| {
        let bare = line.trim_start_matches(['*', '_', '-', '#', ' ']);
        let word = bare
            .split_once([':', '：'])
            .map(|(word, _)| word.trim_matches(['*', '_', ' ']).to_uppercase());
        word.is_some_and(|word| wanted.asks_for(&word) || wanted.invited.contains(&word))
    })
}

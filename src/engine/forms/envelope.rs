//! What an answer comes in: thoughts before it, a fence around it.

use crate::engine::answer::{Wanted, unwrap_fence};

/// The tags between which models think aloud.
const THOUGHTS: [&str; 5] = ["think", "thinking", "thought", "reasoning", "scratchpad"];

/// Most characters of a line of courtesy around a fence.
const LONGEST: usize = 200;

/// The answer itself, and whether thoughts stood before it: they are no part of it, and their votes are none.
pub(super) fn open<'t>(raw: &'t str, wanted: &Wanted) -> (&'t str, bool) {
    let bare = raw.trim_ascii();
    let thoughts = THOUGHTS.iter().find_map(|tag| {
        let inner = bare.strip_prefix(&format!("<{tag}>"))?;
        inner.split_once(&format!("</{tag}>")).map(|(_, answer)| answer.trim_ascii())
    });
    let answer = thoughts.filter(|answer| !answer.is_empty());
    (fenced(answer.unwrap_or(raw), wanted), answer.is_some())
}

/// The one fence of Markdown that holds the answer, with at most a line before and behind it.
fn fenced<'t>(raw: &'t str, wanted: &Wanted) -> &'t str {
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
    match meant && introduced && little(before) && little(behind) && marked(inner, wanted) {
        true => inner.trim(),
        false => raw,
    }
}

/// Whether a text holds a line of a marker that is asked for.
fn marked(text: &str, wanted: &Wanted) -> bool {
    text.lines().any(|line| {
        let bare = line.trim_start_matches(['*', '_', '-', '#', ' ']);
        let word = bare
            .split_once([':', '：'])
            .map(|(word, _)| word.trim_matches(['*', '_', ' ']).to_uppercase());
        word.is_some_and(|word| wanted.asks_for(&word) || wanted.invited.contains(&word))
    })
}

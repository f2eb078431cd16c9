//! Reads the formats of answers: Markdown, JSON, JSON in prose or in a fence, and the bracketed
//! form `[CONSENSUS_CHECK] HAS_CONSENSUS: YES .. [PROPOSED_SOLUTION] ..`.
//!
//! A fence, a reasoning block or a polite line may surround each of them. Removes reasoning before
//! an answer and the fence around it.

mod json;

use std::sync::LazyLock;

use regex::Regex;

use super::answer::AnswerSpec;
use crate::engine::answer::unwrap_fence;

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
    let (raw, thoughts) = open_envelope(raw, wanted);
    let mut form = parse_form(raw, wanted)?;
    if thoughts {
        form.notes.push("the model's thoughts before the answer were left out".to_owned());
    }
    Some(form)
}

/// Returns a text for a reader without the model's thoughts before it, and notes. Returns `None` if the answer says that
/// there is nothing to say. A text may contain JSON or brackets, so no other format is read.
pub(super) fn take_text<'t>(raw: &'t str, wanted: &AnswerSpec) -> Option<(&'t str, Vec<String>)> {
    let (text, thoughts) = open_envelope(raw, wanted);
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
        take_brackets(raw)
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

/// Reads the bracketed form. Returns `None` for any other format. Without a plain YES or NO the text counts as prose;
/// the parser does not guess.
fn take_brackets(raw: &str) -> Option<AnswerForm> {
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?m)^[ \t*]*\[(CONSENSUS_CHECK|CONFIDENCE|REASONING|PROPOSED_SOLUTION)\][ \t*:]*",
        )
        .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    static CHECK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?im)^[ \t*]*HAS_CONSENSUS:[ \t*]*\[?(YES|NO)\]?[ \t*.!]*$")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    let raw = unfenced(raw);
    let parts: Vec<_> = PART.captures_iter(raw).collect();
    let first = parts.first().filter(|part| &part[1] == "CONSENSUS_CHECK")?.get(0)?.start();
    let mut form = AnswerForm::default();
    let mut texts = vec![raw[..first].trim().to_owned()];
    let (mut confidence, mut solution) = (None, None);
    for (index, part) in parts.iter().enumerate() {
        let next = parts.get(index + 1).and_then(|next| next.get(0));
        let text = raw[part.get(0)?.end()..next.map_or(raw.len(), |next| next.start())].trim();
        match &part[1] {
            "CONSENSUS_CHECK" => {
                form.votes.extend(CHECK.captures_iter(text).map(|found| found[1].to_uppercase()));
                texts.push(CHECK.replace_all(text, "").trim().to_owned());
            }
            "CONFIDENCE" => {
                let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
                confidence = Some(line.trim().to_owned());
                texts.push(rest.trim().to_owned());
            }
            "REASONING" => texts.push(text.to_owned()),
            _ => solution = Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    if form.votes.is_empty() {
        return None;
    }
    let agreed = form.votes.iter().any(|vote| vote == "YES");
    texts.extend(confidence.map(|confidence| format!("CONFIDENCE: {confidence}")));
    texts.extend(
        solution.map(|solution| if agreed { format!("SOLUTION: {solution}") } else { solution }),
    );
    texts.retain(|text| !text.is_empty());
    form.text = texts.join("\n\n");
    Some(form)
}

/// Removes the fence around the bracketed form.
fn unfenced(raw: &str) -> &str {
    let inner = raw.trim().strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inner = inner.and_then(|inner| inner.split_once('\n')).map(|(_, inner)| inner);
    inner.filter(|inner| !inner.contains("```")).unwrap_or(raw)
}

/// Tags around a model's reasoning.
const THOUGHTS: [&str; 5] = ["think", "thinking", "thought", "reasoning", "scratchpad"];

/// Maximum number of characters of a polite line before or after a fence.
const LONGEST: usize = 200;

/// Returns the answer proper, and true if reasoning preceded it. The reasoning is not part of the answer, and votes in
/// it do not count.
fn open_envelope<'t>(raw: &'t str, wanted: &AnswerSpec) -> (&'t str, bool) {
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

#[cfg(test)]
mod tests;

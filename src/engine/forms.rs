//! The forms in which answers come: Markdown, JSON, JSON in prose or in a fence, and the bracketed consensus form.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::answer::Wanted;

/// An answer in one form for all.
#[derive(Debug, PartialEq)]
pub(super) struct Form {
    /// Markdown; markers may stand in it.
    pub(super) text: String,
    /// A vote that was given beside the text.
    pub(super) vote: Option<String>,
    /// What was passed over.
    pub(super) notes: Vec<String>,
}

/// Keys whose text is the comment, best first.
const TEXT_KEYS: [&str; 6] = ["comment", "text", "content", "body", "reasoning", "reason"];

/// Brings an answer into one form; none: it says that it has nothing to say.
pub(super) fn take(raw: &str, wanted: &Wanted) -> Option<Form> {
    if let Some(object) = json(raw) {
        if object.get("sentinel").and_then(Value::as_str) == Some("NO_RESPONSE") {
            return None;
        }
        if let Some(form) = from_object(&object, wanted) {
            return Some(form);
        }
    }
    if raw.trim().trim_matches(['`', '"', '.']) == "NO_RESPONSE" {
        return None;
    }
    Some(from_brackets(raw).unwrap_or_else(|| Form {
        text: raw.to_owned(),
        vote: None,
        notes: Vec::new(),
    }))
}

/// The answer's JSON object: all of it, what a fence holds, or what begins at the first `{` that begins a known one.
fn json(raw: &str) -> Option<Map<String, Value>> {
    let whole = raw.trim();
    if whole.starts_with('{')
        && let Some(object) = object_at(whole)
    {
        return Some(object);
    }
    // Ordinary Markdown may hold JSON as an example; only an object of the known form is the answer.
    raw.match_indices('{').take(64).find_map(|(at, _)| {
        let object = object_at(&raw[at..])?;
        let known =
            object.contains_key("sentinel") || object.get("comment").is_some_and(Value::is_string);
        known.then_some(object)
    })
}

fn object_at(text: &str) -> Option<Map<String, Value>> {
    // serde_json stops at depth 128, so that hostile nesting ends in an error.
    match serde_json::Deserializer::from_str(text).into_iter::<Value>().next()? {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

/// `{"comment": .., "vote": ..}`, and demanded markers by their names, single or in lists.
fn from_object(object: &Map<String, Value>, wanted: &Wanted) -> Option<Form> {
    let key = TEXT_KEYS.iter().find(|key| object.get(**key).is_some_and(Value::is_string));
    let mut text = key.and_then(|key| object[*key].as_str()).unwrap_or_default().to_owned();
    let vote = object
        .get("vote")
        .and_then(Value::as_str)
        .filter(|vote| !vote.eq_ignore_ascii_case("null"))
        .map(str::to_owned);
    let mut marked = false;
    for (name, value) in object {
        let Some(word) = marker_of(name, wanted).filter(|word| word != "VOTE") else { continue };
        let values = match value {
            Value::Array(items) => items.iter().collect(),
            Value::Null => Vec::new(),
            value => vec![value],
        };
        for value in values {
            marked = true;
            text.push_str(&format!("\n\n{word}: {}", line(value)));
        }
    }
    (key.is_some() || vote.is_some() || marked).then_some(Form { text, vote, notes: Vec::new() })
}

/// `missing_requirements` is `MISSING`, `strengths` is `STRENGTH`, `risk_level` is `RISK`.
fn marker_of(key: &str, wanted: &Wanted) -> Option<String> {
    let upper = key.to_ascii_uppercase();
    let singular = upper.trim_end_matches('S');
    let first = upper.split('_').next().unwrap_or_default();
    let asked = |word: &str| {
        wanted
            .markers
            .get(word)
            .map(|marker| marker.word().to_owned())
            .filter(|known| known.len() > 1)
    };
    [upper.as_str(), singular, first].into_iter().find_map(asked)
}

/// A value on one line; an object's severity goes in brackets before its text.
fn line(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(object) => {
            let level = ["severity", "level", "priority"]
                .iter()
                .find_map(|key| object.get(*key).and_then(Value::as_str));
            let mut text = object
                .iter()
                .filter(|(key, _)| !matches!(key.as_str(), "severity" | "level" | "priority"));
            let text = text.find_map(|(_, value)| value.as_str()).unwrap_or_default();
            level.map_or_else(
                || text.to_owned(),
                |level| format!("({}) {text}", level.to_lowercase()),
            )
        }
        other => other.to_string(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `[CONSENSUS_CHECK] HAS_CONSENSUS: YES [CONFIDENCE] 80 [REASONING] .. [PROPOSED_SOLUTION] ..`.
fn from_brackets(raw: &str) -> Option<Form> {
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?m)^[ \t*]*\[(CONSENSUS_CHECK|CONFIDENCE|REASONING|PROPOSED_SOLUTION)\][ \t*:]*",
        )
        .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    static CHECK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)HAS_CONSENSUS:\s*\[?(YES|NO)\b")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    let parts: Vec<_> = PART.captures_iter(raw).collect();
    let first = parts.first().filter(|part| &part[1] == "CONSENSUS_CHECK")?;
    let mut form = Form { text: String::new(), vote: None, notes: Vec::new() };
    let (mut confidence, mut solution) = (None, None);
    for (index, part) in parts.iter().enumerate() {
        let from = part.get(0)?.end();
        let to = parts
            .get(index + 1)
            .and_then(|next| next.get(0))
            .map_or(raw.len(), |next| next.start());
        let text = raw[from..to].trim();
        match &part[1] {
            "CONSENSUS_CHECK" => {
                form.vote = CHECK.captures(text).map(|found| found[1].to_uppercase())
            }
            "CONFIDENCE" => {
                confidence = Some(text.lines().next().unwrap_or_default().trim().to_owned())
            }
            "REASONING" => form.text = text.to_owned(),
            _ => solution = Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    // Without the one line that says yes or no, this is prose, and nothing is guessed from it.
    first.get(0).filter(|_| form.vote.is_some())?;
    if let Some(confidence) = confidence {
        form.text.push_str(&format!("\n\nCONFIDENCE: {confidence}"));
    }
    if let Some(solution) = solution.filter(|_| form.vote.as_deref() == Some("YES")) {
        form.text.push_str(&format!("\n\nSOLUTION: {solution}"));
    }
    Some(form)
}

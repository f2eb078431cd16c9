//! Reads JSON such as `{"comment": .., "vote": ..}`: the whole answer, in a fence, or within prose.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::AnswerForm;
use crate::engine::answer::{AnswerSpec, unwrap_fence};
use crate::engine::answer_parser::marker_named;

/// The content of JSON in an answer.
pub(super) enum TakenValue {
    /// A statement that there is nothing to say.
    Nothing {
        /// The text around the object.
        around: String,
    },
    /// An answer.
    Form(AnswerForm),
}

/// Keys that may hold the comment, in order of preference.
const TEXT_KEYS: [&str; 6] = ["comment", "text", "content", "body", "reasoning", "reason"];

/// An object with all its pairs. If a key occurs twice, the later value must not replace the earlier one silently.
#[derive(Debug)]
struct Object(Vec<(String, Value)>);

/// Returns the answer in JSON, if there is one.
pub(super) fn take(raw: &str, wanted: &AnswerSpec) -> Option<TakenValue> {
    let whole = raw.trim_start_matches('\u{FEFF}').trim_ascii();
    let whole = unwrap_fence(whole, &["json", ""]).trim_ascii();
    if whole.starts_with('{')
        && let Some((object, length)) = object_at(whole)
        && whole[length..].trim_ascii().is_empty()
    {
        if object.is_sentinel() {
            return Some(TakenValue::Nothing { around: String::new() });
        }
        if let Some(form) = object.form(wanted) {
            return Some(TakenValue::Form(form));
        }
    }
    in_prose(raw, wanted)
}

/// Collects every object of the known form within a text. Skips other JSON and quoted examples of this form, which
/// ordinary Markdown may contain.
fn in_prose(raw: &str, wanted: &AnswerSpec) -> Option<TakenValue> {
    let mut form: Option<AnswerForm> = None;
    let (mut nothing, mut bare) = (false, false);
    let mut around = String::new();
    let mut from = 0;
    for (at, _) in raw.match_indices('{').take(64) {
        if at < from || is_quoted(raw, at) {
            continue;
        }
        let Some((object, length)) = object_at(&raw[at..]) else { continue };
        if object.is_sentinel() {
            nothing = true;
        } else if (object.text_of("comment").is_some() || object.answers(wanted))
            && let Some(next) = object.form(wanted)
        {
            bare |= object.text_of("comment").is_none();
            match &mut form {
                Some(form) => form.add(next),
                None => form = Some(next),
            }
        } else {
            continue;
        }
        around.push_str(&raw[from..at]);
        from = at + length;
    }
    around.push_str(&raw[from..]);
    let around = without_empty_fences(&around);
    match form {
        // The object has values but no comment, so the prose is the comment. Several objects
        // without a comment are examples, not an answer.
        Some(form) if bare => {
            let text = format!("{}\n\n{}", around.trim(), form.text.trim());
            (form.objects == 1).then_some(TakenValue::Form(AnswerForm { text, ..form }))
        }
        Some(mut form) => {
            if around.contains(char::is_alphanumeric) {
                form.notes.push("the text around the JSON object was left out".to_owned());
            }
            form.around = around;
            Some(TakenValue::Form(form))
        }
        None => nothing.then_some(TakenValue::Nothing { around }),
    }
}

/// Returns true if a position is in a quote or after a backtick on its line. It is then an example, not the answer.
fn is_quoted(raw: &str, at: usize) -> bool {
    let line = raw[..at].rsplit('\n').next().unwrap_or_default();
    line.contains('`') || line.trim_start().starts_with('>')
}

/// Removes fence lines, which only framed an object.
fn without_empty_fences(text: &str) -> String {
    let framing = |line: &str| {
        let line = line.trim();
        line.starts_with("```") && matches!(line.trim_matches('`'), "" | "json" | "JSON")
    };
    text.lines().filter(|line| !framing(line)).collect::<Vec<_>>().join("\n")
}

fn object_at(text: &str) -> Option<(Object, usize)> {
    // serde_json stops at depth 128, so deeply nested hostile input ends in an error.
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Object>();
    let object = stream.next()?.ok()?;
    Some((object, stream.byte_offset()))
}

impl AnswerForm {
    /// Adds another object of this answer.
    fn add(&mut self, other: Self) {
        self.text.push_str("\n\n");
        self.text.push_str(&other.text);
        self.objects += other.objects;
        self.votes.extend(other.votes);
        self.notes.extend(other.notes);
    }
}

impl Object {
    fn all<'o>(&'o self, key: &'o str) -> impl Iterator<Item = &'o Value> {
        let same =
            move |known: &str| known == key || (key == "vote" && known.eq_ignore_ascii_case(key));
        self.0.iter().filter(move |(known, _)| same(known)).map(|(_, value)| value)
    }

    /// Returns the text of a key; the texts of a list are joined as paragraphs.
    fn text_of(&self, key: &str) -> Option<String> {
        let texts: Vec<&str> = self.all(key).flat_map(strings).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }

    /// Returns true for `{"sentinel": "NO_RESPONSE"}` without a comment or a vote.
    fn is_sentinel(&self) -> bool {
        let says_so = self.all("sentinel").any(|value| value.as_str() == Some("NO_RESPONSE"));
        let speaks = |key: &str| self.text_of(key).is_some_and(|text| !text.trim().is_empty());
        says_so && !speaks("comment") && !speaks("vote")
    }

    /// Returns true if the object contains a required marker.
    fn answers(&self, wanted: &AnswerSpec) -> bool {
        let required = |word: String| wanted.requires(&word);
        self.0.iter().any(|(name, value)| {
            !value.is_null() && !value.is_array() && marker_of(name, wanted).is_some_and(required)
        })
    }

    /// Builds the answer from the comment, the votes and the requested markers, given singly or in lists.
    fn form(&self, wanted: &AnswerSpec) -> Option<AnswerForm> {
        let mut form = AnswerForm { objects: 1, ..AnswerForm::default() };
        let key = TEXT_KEYS.iter().find(|key| self.text_of(key).is_some());
        form.text = key.and_then(|key| self.text_of(key)).unwrap_or_default();
        for value in self.all("vote").filter(|value| !value.is_null()) {
            let votes = strings(value);
            if votes.is_empty() {
                form.notes.push("a vote that is not text was ignored".to_owned());
            }
            let said = votes.into_iter().filter(|vote| !vote.eq_ignore_ascii_case("null"));
            form.votes.extend(said.map(str::to_owned));
        }
        let mut marked = false;
        for (name, value) in &self.0 {
            let values = match value {
                Value::Array(items) => items.iter().collect(),
                Value::Null => Vec::new(),
                value => vec![value],
            };
            match marker_of(name, wanted) {
                Some(word) if word != "VOTE" => {
                    for value in values {
                        marked = true;
                        form.text.push_str(&format!("\n\n{word}: {}", line(value)));
                    }
                }
                None if !values.is_empty() && !is_known(name, key) => {
                    form.notes.push(format!("the JSON key `{}` was ignored", short(name)));
                }
                _ => {}
            }
        }
        (key.is_some() || !form.votes.is_empty() || marked).then_some(form)
    }
}

fn is_known(name: &str, text_key: Option<&&str>) -> bool {
    name == "sentinel" || Some(&name) == text_key
}

fn short(name: &str) -> String {
    name.chars().take(40).collect()
}

/// Returns a text, or the texts of a list.
fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns the marker of a key: `missing_requirements` and `missingRequirements` are `MISSING`, `weaknesses` is
/// `WEAKNESS`, `risk_level` is `RISK`.
fn marker_of(key: &str, wanted: &AnswerSpec) -> Option<String> {
    let upper = key.to_ascii_uppercase();
    let [singular, es] = ["S", "ES"].map(|end| upper.strip_suffix(end).unwrap_or(&upper));
    let first = upper.split('_').next().unwrap_or_default();
    let asked = |word: &str| {
        wanted
            .markers
            .get(word)
            .map(|marker| marker.word().to_owned())
            .filter(|known| known.len() > 1)
    };
    let known = [upper.as_str(), singular, es].into_iter().find_map(asked);
    known.or_else(|| marker_named(key, wanted)).or_else(|| asked(first))
}

/// Returns a value on one line. The severity of an object comes first, in brackets.
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

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Object(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

//! Google's Gemini API.

use serde_json::{Value, json};

use super::{WireRequest, count, text};
use crate::provider::Usage;
use crate::provider::http::Effort;
use crate::provider::http::response::{Finish, ResponseAccumulator};

/// Returns the path of a request, which contains the model. A model's name has no character that could end the path.
pub(super) fn path(model: &str) -> String {
    let model = model.strip_prefix("models/").unwrap_or(model);
    format!("models/{model}:streamGenerateContent?alt=sse")
}

pub(super) fn body(ask: &WireRequest<'_>) -> Value {
    let mut config = json!({"maxOutputTokens": ask.definition.max_tokens});
    if let Some(temperature) = ask.temperature {
        config["temperature"] = temperature.into();
    }
    if let Some(effort) = ask.effort() {
        let level = match effort {
            Effort::Low => "LOW",
            Effort::Medium => "MEDIUM",
            Effort::High | Effort::Max => "HIGH",
        };
        config["thinkingConfig"] = json!({"thinkingLevel": level});
    }
    let parts = [ask.prefix, ask.tail];
    let parts: Vec<Value> =
        parts.iter().filter(|part| !part.is_empty()).map(|part| json!({"text": part})).collect();
    json!({"contents": [{"role": "user", "parts": parts}], "generationConfig": config})
}

pub(super) fn hear(piece: &Value, heard: &mut ResponseAccumulator) {
    // An error may come as a list with one element.
    let piece = piece.get(0).unwrap_or(piece);
    if let Some(error) = piece.get("error") {
        heard.note_error(error);
        return;
    }
    heard.model(text(piece, "/modelVersion"));
    let parts = piece.pointer("/candidates/0/content/parts").and_then(Value::as_array);
    for part in parts.into_iter().flatten() {
        let thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
        if !thought {
            heard.say(text(part, "/text").unwrap_or_default());
        }
    }
    if let Some(usage) = piece.get("usageMetadata") {
        heard.usage(usage_of(usage));
    }
    if text(piece, "/promptFeedback/blockReason").is_some() {
        heard.finish(Finish::Filter);
    }
    if let Some(reason) = text(piece, "/candidates/0/finishReason") {
        heard.finish(match reason {
            "STOP" => Finish::Stop,
            "MAX_TOKENS" => Finish::Length,
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" => {
                Finish::Filter
            }
            other => Finish::Other(other.to_ascii_lowercase()),
        });
    }
}

fn usage_of(told: &Value) -> Option<Usage> {
    let said = count(told, "/candidatesTokenCount").unwrap_or(0);
    let thought = count(told, "/thoughtsTokenCount").unwrap_or(0);
    Some(Usage {
        input_tokens: count(told, "/promptTokenCount")?,
        cached_input_tokens: count(told, "/cachedContentTokenCount").unwrap_or(0),
        output_tokens: said + thought,
        ..Usage::default()
    })
}

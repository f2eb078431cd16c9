//! OpenAI's Responses API.

use serde_json::{Value, json};

use super::{WireRequest, count, text};
use crate::provider::Usage;
use crate::provider::http::response::{Finish, ResponseAccumulator};

pub(super) fn body(ask: &WireRequest<'_>) -> Value {
    let mut body = json!({
        "model": ask.model,
        "stream": true,
        "store": false,
        "input": [{
            "role": "user",
            "content": [{"type": "input_text", "text": ask.prompt()}],
        }],
        "max_output_tokens": ask.definition.max_tokens,
        "prompt_cache_key": ask.cache_key,
    });
    if let Some(effort) = ask.effort() {
        body["reasoning"] = json!({"effort": effort.as_str()});
    }
    if let Some(temperature) = ask.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

pub(super) fn hear(piece: &Value, heard: &mut ResponseAccumulator) {
    let response = piece.get("response").unwrap_or(&Value::Null);
    heard.model(text(response, "/model"));
    match text(piece, "/type").unwrap_or_default() {
        "response.output_text.delta" => heard.say(text(piece, "/delta").unwrap_or_default()),
        "response.refusal.delta" => heard.finish(Finish::Filter),
        "response.completed" => {
            heard.usage(usage_of(response));
            heard.finish(Finish::Stop);
        }
        "response.incomplete" => {
            heard.usage(usage_of(response));
            heard.finish(match text(response, "/incomplete_details/reason") {
                Some("max_output_tokens") => Finish::Length,
                Some("content_filter") => Finish::Filter,
                other => Finish::Other(other.unwrap_or("incomplete").to_owned()),
            });
        }
        "response.failed" => heard.note_error(response.get("error").unwrap_or(response)),
        "error" => heard.note_error(piece.get("error").unwrap_or(piece)),
        "" if piece.get("error").is_some_and(|error| !error.is_null()) => {
            heard.note_error(&piece["error"])
        }
        _ => {}
    }
}

fn usage_of(response: &Value) -> Option<Usage> {
    Some(Usage {
        input_tokens: count(response, "/usage/input_tokens")?,
        cached_input_tokens: count(response, "/usage/input_tokens_details/cached_tokens")
            .unwrap_or(0),
        output_tokens: count(response, "/usage/output_tokens")?,
        ..Usage::default()
    })
}

//! Ollama's own API.

use serde_json::{Value, json};

use super::{WireRequest, count, text};
use crate::provider::Usage;
use crate::provider::http::response::{Finish, ResponseAccumulator};

/// The smallest context window to request, in tokens. Ollama reloads the model whenever the size changes.
const LEAST_ROOM: u64 = 8192;
/// The minimum number of prompt bytes per token.
const BYTES_PER_TOKEN: u64 = 3;

pub(super) fn body(ask: &WireRequest<'_>) -> Value {
    let prompt = ask.prompt();
    // Without `num_ctx`, Ollama silently drops the beginning of a long prompt.
    let tokens = prompt.len() as u64 / BYTES_PER_TOKEN + u64::from(ask.definition.max_tokens);
    let room = tokens.max(LEAST_ROOM).checked_next_power_of_two().unwrap_or(tokens);
    let mut options = json!({"num_predict": ask.definition.max_tokens, "num_ctx": room});
    if let Some(temperature) = ask.temperature {
        options["temperature"] = temperature.into();
    }
    json!({
        "model": ask.model,
        "stream": true,
        "messages": [{"role": "user", "content": prompt}],
        "options": options,
    })
}

pub(super) fn hear(piece: &Value, heard: &mut ResponseAccumulator) {
    if let Some(error) = piece.get("error") {
        heard.note_error(error);
        return;
    }
    heard.model(text(piece, "/model"));
    heard.say(text(piece, "/message/content").unwrap_or_default());
    if piece.get("done").and_then(Value::as_bool) == Some(true) {
        heard.usage(usage_of(piece));
        heard.finish(match text(piece, "/done_reason") {
            Some("stop") | None => Finish::Stop,
            Some("length") => Finish::Length,
            Some(other) => Finish::Other(other.to_owned()),
        });
    }
}

fn usage_of(told: &Value) -> Option<Usage> {
    Some(Usage {
        input_tokens: count(told, "/prompt_eval_count")?,
        cached_input_tokens: 0,
        output_tokens: count(told, "/eval_count")?,
        ..Usage::default()
    })
}

//! Anthropic's Messages API.

use serde_json::{Value, json};

use super::{WireRequest, count, text};
use crate::provider::Usage;
use crate::provider::http::blocks::blocks;
use crate::provider::http::response::{Finish, ResponseAccumulator};

/// The version of the API.
pub(super) const VERSION: &str = "2023-06-01";

pub(super) fn body(ask: &WireRequest<'_>) -> Value {
    let shared = blocks(ask.prefix);
    // The cache works only at the ends of blocks. The last block is a whole comment or text, which later prompts repeat.
    let marked = shared.len().checked_sub(1);
    let mut content: Vec<Value> = shared
        .iter()
        .enumerate()
        .map(|(at, words)| {
            if marked == Some(at) {
                json!({
                    "type": "text", "text": words, "cache_control": {"type": "ephemeral"},
                })
            } else {
                json!({"type": "text", "text": words})
            }
        })
        .collect();
    if !ask.tail.trim().is_empty() {
        content.push(json!({"type": "text", "text": ask.tail}));
    }
    let mut body = json!({
        "model": ask.model,
        "stream": true,
        "max_tokens": ask.definition.max_tokens,
        "messages": [{"role": "user", "content": content}],
    });
    if let Some(effort) = ask.effort() {
        body["thinking"] = json!({"type": "adaptive"});
        body["output_config"] = json!({"effort": effort.as_str()});
    }
    if let Some(temperature) = ask.temperature {
        body["temperature"] = temperature.into();
    }
    body
}

pub(super) fn hear(piece: &Value, heard: &mut ResponseAccumulator) {
    match text(piece, "/type").unwrap_or_default() {
        "message_start" => {
            heard.model(text(piece, "/message/model"));
            heard.usage(usage_of(&piece["message"]["usage"], heard));
        }
        "content_block_delta" if text(piece, "/delta/type") == Some("text_delta") => {
            heard.say(text(piece, "/delta/text").unwrap_or_default());
        }
        "message_delta" => {
            heard.usage(usage_of(&piece["usage"], heard));
            if let Some(reason) = text(piece, "/delta/stop_reason") {
                heard.finish(match reason {
                    "end_turn" | "stop_sequence" => Finish::Stop,
                    "max_tokens" | "model_context_window_exceeded" => Finish::Length,
                    "refusal" => Finish::Filter,
                    other => Finish::Other(other.to_owned()),
                });
            }
        }
        "error" => heard.note_error(piece.get("error").unwrap_or(piece)),
        _ => {}
    }
}

/// Returns the usage in this piece, completed by earlier pieces: the first piece counts the prompt, the last one the
/// answer.
fn usage_of(told: &Value, heard: &ResponseAccumulator) -> Option<Usage> {
    let known = heard.used().unwrap_or_default();
    let cached = count(told, "/cache_read_input_tokens");
    let written = count(told, "/cache_creation_input_tokens").unwrap_or(0);
    let input = count(told, "/input_tokens").map(|fresh| fresh + cached.unwrap_or(0) + written);
    let output = count(told, "/output_tokens");
    (input.is_some() || output.is_some()).then(|| Usage {
        // Keep the higher count: a later piece repeats or raises the earlier count, or repeats only a part of it.
        input_tokens: input.unwrap_or(0).max(known.input_tokens),
        cached_input_tokens: cached.unwrap_or(0).max(known.cached_input_tokens),
        written_input_tokens: written.max(known.written_input_tokens),
        output_tokens: output.unwrap_or(0).max(known.output_tokens),
    })
}

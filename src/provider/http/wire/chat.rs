//! OpenAI's Chat Completions API, which many other services use too.

use serde_json::{Value, json};

use super::{WireRequest, count, text};
use crate::provider::http::response::{Finish, ResponseAccumulator};
use crate::provider::{ReportedUsd, Usage};

pub(super) fn body(ask: &WireRequest<'_>) -> Value {
    let definition = ask.definition;
    let mut body = json!({
        "model": ask.model,
        "stream": true,
        "messages": [{"role": "user", "content": ask.prompt()}],
    });
    body[definition.dialect.limit.as_str()] = definition.max_tokens.into();
    if definition.dialect.stream_usage {
        body["stream_options"] = json!({"include_usage": true});
    }
    if definition.dialect.cache_key {
        body["prompt_cache_key"] = ask.cache_key.into();
    }
    if let Some(effort) = ask.effort() {
        body["reasoning_effort"] = effort.as_str().into();
    }
    if let Some(temperature) = ask.temperature {
        body["temperature"] = temperature.into();
    }
    for (key, value) in &definition.dialect.extra {
        body[key.as_str()] = value.clone();
    }
    body
}

pub(super) fn hear(piece: &Value, heard: &mut ResponseAccumulator) {
    if let Some(error) = piece.get("error").filter(|error| !error.is_null()) {
        heard.note_error(error);
        return;
    }
    heard.model(text(piece, "/model"));
    if let Some(choice) = piece.pointer("/choices/0") {
        match choice.pointer("/delta/content") {
            Some(Value::String(words)) => heard.say(words),
            // Reasoning and text arrive side by side; only the text is part of the answer.
            Some(Value::Array(parts)) => {
                let words = parts.iter().filter(|part| text(part, "/type") == Some("text"));
                words.filter_map(|part| text(part, "/text")).for_each(|words| heard.say(words));
            }
            _ => {}
        }
        if let Some(reason) = text(choice, "/finish_reason") {
            heard.finish(match reason {
                "stop" | "eos" | "end_turn" => Finish::Stop,
                "length" | "model_length" | "max_tokens" => Finish::Length,
                "content_filter" | "sensitive" => Finish::Filter,
                other => Finish::Other(other.to_owned()),
            });
        }
    }
    let usage = [piece.get("usage"), piece.pointer("/x_groq/usage")];
    if let Some(told) = usage.into_iter().flatten().find(|usage| usage.is_object()) {
        heard.usd(ReportedUsd::parse(told.get("cost")));
        heard.usage(usage_of(told));
    }
}

fn usage_of(told: &Value) -> Option<Usage> {
    let input = count(told, "/prompt_tokens")?;
    let output = count(told, "/completion_tokens")?;
    let cached = count(told, "/prompt_tokens_details/cached_tokens")
        .or_else(|| count(told, "/prompt_cache_hit_tokens"));
    // Some services count reasoning tokens not as output but only in the total.
    let total = count(told, "/total_tokens").unwrap_or(0);
    Some(Usage {
        input_tokens: input,
        cached_input_tokens: cached.unwrap_or(0),
        output_tokens: output.max(total.saturating_sub(input)),
        ..Usage::default()
    })
}

//! The five wire protocols of services. Each has a function for a request's body and one for a piece of an answer.

mod chat;
mod gemini;
mod messages;
mod ollama;
mod responses;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::response::ResponseAccumulator;
use super::{Effort, HttpDefinition};

/// The protocol of requests and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wire {
    /// OpenAI's Chat Completions API, which most other services use too.
    Chat,
    /// OpenAI's Responses API.
    Responses,
    /// Anthropic's Messages API.
    Messages,
    /// Google's Gemini API.
    Gemini,
    /// Ollama's own API.
    Ollama,
}

/// The way in which the pieces of an answer are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events: `data:` lines, and a blank line after each event.
    Events,
    /// One JSON document per line.
    Lines,
}

/// One request, with everything that its body depends on.
pub(super) struct WireRequest<'a> {
    pub(super) definition: &'a HttpDefinition,
    pub(super) model: &'a str,
    /// The part of the prompt that other requests share.
    pub(super) prefix: &'a str,
    pub(super) tail: &'a str,
    pub(super) temperature: Option<f64>,
    /// A key that is equal for requests with the same beginning.
    pub(super) cache_key: &'a str,
}

impl WireRequest<'_> {
    fn prompt(&self) -> String {
        format!("{}{}", self.prefix, self.tail)
    }

    fn effort(&self) -> Option<Effort> {
        self.definition.effort
    }
}

impl Wire {
    /// Returns the path of the request, below the service's address.
    pub(super) fn path(self, model: &str) -> String {
        match self {
            Self::Chat => "chat/completions".to_owned(),
            Self::Responses => "responses".to_owned(),
            Self::Messages => "messages".to_owned(),
            Self::Gemini => gemini::path(model),
            Self::Ollama => "api/chat".to_owned(),
        }
    }

    /// Returns the header for the key, and the text before the key in it.
    pub(super) fn key_header(self) -> (&'static str, &'static str) {
        match self {
            Self::Chat | Self::Responses | Self::Ollama => ("authorization", "Bearer "),
            Self::Messages => ("x-api-key", ""),
            Self::Gemini => ("x-goog-api-key", ""),
        }
    }

    /// Returns the headers that every request has.
    pub(super) fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Messages => &[("anthropic-version", messages::VERSION)],
            Self::Chat | Self::Responses | Self::Gemini | Self::Ollama => &[],
        }
    }

    pub(super) fn framing(self) -> Framing {
        match self {
            Self::Ollama => Framing::Lines,
            Self::Chat | Self::Responses | Self::Messages | Self::Gemini => Framing::Events,
        }
    }

    /// Returns whether requests can set the amount of reasoning.
    pub(in crate::provider) fn takes_effort(self) -> bool {
        self != Self::Ollama
    }

    /// Returns the body of the request.
    pub(super) fn body(self, ask: &WireRequest<'_>) -> Value {
        match self {
            Self::Chat => chat::body(ask),
            Self::Responses => responses::body(ask),
            Self::Messages => messages::body(ask),
            Self::Gemini => gemini::body(ask),
            Self::Ollama => ollama::body(ask),
        }
    }

    /// Adds one piece of an answer to `heard`.
    pub(super) fn hear(self, piece: &Value, heard: &mut ResponseAccumulator) {
        match self {
            Self::Chat => chat::hear(piece, heard),
            Self::Responses => responses::hear(piece, heard),
            Self::Messages => messages::hear(piece, heard),
            Self::Gemini => gemini::hear(piece, heard),
            Self::Ollama => ollama::hear(piece, heard),
        }
    }
}

/// Returns the number at a place of a piece.
fn count(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}

/// Returns the text at a place of a piece.
fn text<'v>(value: &'v Value, pointer: &str) -> Option<&'v str> {
    value.pointer(pointer).and_then(Value::as_str)
}

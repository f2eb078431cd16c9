//! The five ways in which services are asked and answer. Each is a request's body, and what a piece of an answer says.

mod chat;
mod gemini;
mod messages;
mod ollama;
mod responses;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::heard::Heard;
use super::{Effort, HttpDefinition};

/// How a service is asked and how it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wire {
    /// OpenAI's chat completions, which most others speak too.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Messages,
    /// Google's Gemini API.
    Gemini,
    /// Ollama's own.
    Ollama,
}

/// How the pieces of an answer are told from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events: `data:` lines, a blank line after each event.
    Events,
    /// One JSON document a line.
    Lines,
}

/// One question, with all that its body depends on.
pub(super) struct Ask<'a> {
    pub(super) definition: &'a HttpDefinition,
    pub(super) model: &'a str,
    /// The part of the prompt that others share.
    pub(super) prefix: &'a str,
    pub(super) tail: &'a str,
    pub(super) temperature: Option<f64>,
    /// The same for requests that begin alike.
    pub(super) cache_key: &'a str,
}

impl Ask<'_> {
    fn prompt(&self) -> String {
        format!("{}{}", self.prefix, self.tail)
    }

    fn effort(&self) -> Option<Effort> {
        self.definition.effort
    }
}

impl Wire {
    /// The path of the request, below the service's address.
    pub(super) fn path(self, model: &str) -> String {
        match self {
            Self::Chat => "chat/completions".to_owned(),
            Self::Responses => "responses".to_owned(),
            Self::Messages => "messages".to_owned(),
            Self::Gemini => gemini::path(model),
            Self::Ollama => "api/chat".to_owned(),
        }
    }

    /// The header that carries the key, and what stands before the key in it.
    pub(super) fn key_header(self) -> (&'static str, &'static str) {
        match self {
            Self::Chat | Self::Responses | Self::Ollama => ("authorization", "Bearer "),
            Self::Messages => ("x-api-key", ""),
            Self::Gemini => ("x-goog-api-key", ""),
        }
    }

    /// Headers that every request has.
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

    /// Whether it can be told how hard to think.
    pub(in crate::provider) fn takes_effort(self) -> bool {
        self != Self::Ollama
    }

    /// The request's body.
    pub(super) fn body(self, ask: &Ask<'_>) -> Value {
        match self {
            Self::Chat => chat::body(ask),
            Self::Responses => responses::body(ask),
            Self::Messages => messages::body(ask),
            Self::Gemini => gemini::body(ask),
            Self::Ollama => ollama::body(ask),
        }
    }

    /// Takes in one piece of an answer.
    pub(super) fn hear(self, piece: &Value, heard: &mut Heard) {
        match self {
            Self::Chat => chat::hear(piece, heard),
            Self::Responses => responses::hear(piece, heard),
            Self::Messages => messages::hear(piece, heard),
            Self::Gemini => gemini::hear(piece, heard),
            Self::Ollama => ollama::hear(piece, heard),
        }
    }
}

/// A number that an answer tells of.
fn count(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}

/// A text that an answer tells of.
fn text<'v>(value: &'v Value, pointer: &str) -> Option<&'v str> {
    value.pointer(pointer).and_then(Value::as_str)
}

//! What the definition of a service says.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Url, Wire};
use crate::provider::Fact;

/// A model for a start, if a service on this machine is to have one and none is configured.
const SMALL_MODEL: &str = "qwen3";
/// The most tokens of an answer when the definition does not say.
pub const DEFAULT_MAX_TOKENS: u32 = 8192;
/// How many calls go to one service at once when the definition does not say.
pub const DEFAULT_CONCURRENCY: u32 = 4;
/// The most tokens of an answer that a definition may allow.
pub(in crate::provider) const LARGEST_MAX_TOKENS: u32 = 1_000_000;
/// The most calls at once that a definition may allow.
pub(in crate::provider) const MOST_CONCURRENCY: u32 = 64;

/// How hard a model thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A little.
    Low,
    /// As the service would have it.
    Medium,
    /// Long.
    High,
    /// As long as it can.
    Max,
}

impl Effort {
    /// The word in a request.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Max => "max",
        }
    }
}

/// A model behind a service's interface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HttpDefinition {
    /// The preset it starts from, by its name.
    pub api: String,
    /// How it is asked and how it answers.
    pub wire: Wire,
    /// Where the wire of one service differs from that of another.
    pub dialect: Dialect,
    /// Where it listens.
    pub url: Url,
    /// The variable that names another address.
    #[serde(skip)]
    pub base: Option<Base>,
    /// The variable that named `url`.
    #[serde(skip)]
    pub url_from: Option<String>,
    /// Why the address that a variable names cannot be used.
    #[serde(skip)]
    pub unusable_url: Option<String>,
    /// The model's name; without one, the first that the service has.
    pub model: Option<String>,
    /// The name of the variable that holds the key; without one, none is sent.
    pub key: Option<String>,
    /// Where a key is had.
    pub get: Option<String>,
    /// How hard it thinks.
    pub effort: Option<Effort>,
    /// The most tokens of an answer.
    pub max_tokens: u32,
    /// How freely it answers, where nothing else says so.
    pub temperature: Option<f64>,
    /// How many calls go to it at once.
    pub concurrency: u32,
}

/// The variable in which the programs of a vendor look for the address of its service.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// Its name.
    pub variable: String,
    /// What those programs add to its value, such as `v1/`.
    #[serde(default)]
    below: String,
}

impl Base {
    /// The whole address, by what the variable says.
    pub(in crate::provider) fn whole(&self, said: &str) -> String {
        let said = said.trim_end_matches('/');
        let below = self.below.trim_end_matches('/');
        if said.rsplit('/').next() == Some(below) {
            format!("{said}/")
        } else {
            format!("{said}/{}", self.below)
        }
    }
}

/// Where the wire of one service differs from that of another; data of the presets.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dialect {
    /// The key under which the most tokens of an answer are said.
    pub limit: String,
    /// Tokens are counted in a stream when asked for.
    pub stream_usage: bool,
    /// It takes a word by which requests find their cache.
    pub cache_key: bool,
    /// What else every request says.
    pub extra: Map<String, Value>,
    /// It may listen on this machine without anybody having said so.
    pub probe: bool,
    /// The variable that says where it listens.
    pub host: Option<String>,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            limit: "max_tokens".to_owned(),
            stream_usage: true,
            cache_key: false,
            extra: Map::new(),
            probe: false,
            host: None,
        }
    }
}

impl HttpDefinition {
    /// What answers, in one line.
    pub(in crate::provider) fn written(&self) -> String {
        match &self.model {
            Some(model) => format!("{model} at {}", self.url.host()),
            None => format!("a model at {}", self.url.host()),
        }
    }

    /// Where it listens, with the variable that says so.
    fn address(&self) -> String {
        match &self.url_from {
            Some(variable) => format!("{} (from {variable})", self.url),
            None => self.url.to_string(),
        }
    }

    /// How to get the service running, with the configured model.
    pub(super) fn how_to_start(&self) -> String {
        let model = self.model.as_deref().unwrap_or(SMALL_MODEL);
        let get = self.get.as_deref().unwrap_or("start it");
        get.replace("{model}", model)
    }

    /// All that somebody agrees to who lets it be called.
    pub(in crate::provider) fn facts(&self) -> Vec<Fact> {
        let key = match &self.key {
            Some(key) => format!("the value of {key} is sent there"),
            None => "no key is sent".to_owned(),
        };
        vec![
            Fact::new("service", self.address()),
            Fact::new("sends", "every prompt, including the whole discussion"),
            Fact::new("key", key),
            Fact::new("model", self.model.clone().unwrap_or("its first model".to_owned())),
        ]
    }

    /// The same with another model.
    pub(in crate::provider) fn with_model(&self, model: &str) -> Self {
        Self { model: Some(model.to_owned()), ..self.clone() }
    }
}

/// Whether a text can be a model's name: in a path and on a command line it can be nothing else.
pub(in crate::provider) fn is_model(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-:/@+".contains(c);
    (1..=128).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@')
        && text.chars().all(fits)
        && !text.split('/').any(|part| part == ".." || part == ".")
}

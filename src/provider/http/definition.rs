//! The definition of a provider that calls a service by HTTP.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Url, Wire};
use crate::provider::Fact;

/// The model in the instructions for starting a service on this machine, if no model is configured.
const SMALL_MODEL: &str = "qwen3";
/// The default for the maximum number of answer tokens.
pub(crate) const DEFAULT_MAX_TOKENS: u32 = 8192;
/// The default number of concurrent calls to one service.
pub(crate) const DEFAULT_CONCURRENCY: u32 = 4;
/// The largest `max_tokens` that a definition may set.
pub(in crate::provider) const LARGEST_MAX_TOKENS: u32 = 1_000_000;
/// The largest `concurrency` that a definition may set.
pub(in crate::provider) const MOST_CONCURRENCY: u32 = 64;

/// The amount of reasoning that a model does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Little reasoning.
    Low,
    /// The default of the service.
    Medium,
    /// Much reasoning.
    High,
    /// The maximum.
    Max,
}

impl Effort {
    /// Returns the word for it in a request.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Max => "max",
        }
    }
}

/// A model behind an HTTP API.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HttpDefinition {
    /// The name of the preset that this definition starts from.
    pub api: String,
    /// The protocol of requests and answers.
    pub wire: Wire,
    /// The differences from other services that use the same wire protocol.
    pub dialect: Dialect,
    /// The address of the service.
    pub url: Url,
    /// The variable that can name another address.
    #[serde(skip)]
    pub base: Option<Base>,
    /// The variable that `url` came from.
    #[serde(skip)]
    pub url_from: Option<String>,
    /// The reason why the address in a variable cannot be used.
    #[serde(skip)]
    pub unusable_url: Option<String>,
    /// The model's name; if absent, the first model of the service.
    pub model: Option<String>,
    /// The name of the variable that holds the key; if absent, no key is sent.
    pub key: Option<String>,
    /// The place where users get a key.
    pub get: Option<String>,
    /// The amount of reasoning.
    pub effort: Option<Effort>,
    /// The maximum number of answer tokens.
    pub max_tokens: u32,
    /// The default temperature, if neither the phase nor the run sets one.
    pub temperature: Option<f64>,
    /// The maximum number of concurrent calls to the service.
    pub concurrency: u32,
}

/// The variable in which the programs of a vendor look for the address of its service.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// The variable's name.
    pub variable: String,
    /// The path that those programs append to its value, such as `v1/`.
    #[serde(default)]
    below: String,
}

impl Base {
    /// Returns the whole address for the variable's value.
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

/// The differences between services that use the same wire protocol. The presets set them.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dialect {
    /// The JSON key for the maximum number of answer tokens.
    pub limit: String,
    /// True if a request may ask for the token counts of a stream.
    pub stream_usage: bool,
    /// True if the service takes a cache key, by which it finds the cache of similar requests.
    pub cache_key: bool,
    /// Further keys of every request.
    pub extra: Map<String, Value>,
    /// True if the service may run on this machine without any configuration, so that it is worth a connection attempt.
    pub probe: bool,
    /// The variable that holds the address at which the service listens.
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
    /// Returns the model and its host, in one line.
    pub(in crate::provider) fn one_line(&self) -> String {
        match &self.model {
            Some(model) => format!("{model} at {}", self.url.host()),
            None => format!("a model at {}", self.url.host()),
        }
    }

    /// Returns the address, with the variable that it came from.
    fn address(&self) -> String {
        match &self.url_from {
            Some(variable) => format!("{} (from {variable})", self.url),
            None => self.url.to_string(),
        }
    }

    /// Returns instructions to start the service with the configured model.
    pub(super) fn how_to_start(&self) -> String {
        let model = self.model.as_deref().unwrap_or(SMALL_MODEL);
        let get = self.get.as_deref().unwrap_or("start it");
        get.replace("{model}", model)
    }

    /// Returns everything that a user permits by trusting this service.
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

    /// Returns the definition with another model.
    pub(in crate::provider) fn with_model(&self, model: &str) -> Self {
        Self { model: Some(model.to_owned()), ..self.clone() }
    }
}

/// Returns whether a text can be a model's name. Such a name is safe in a URL path and on a command line.
pub(in crate::provider) fn is_model(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-:/@+".contains(c);
    (1..=128).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@')
        && text.chars().all(fits)
        && !text.split('/').any(|part| part == ".." || part == ".")
}

//! One entry of `providers.yaml`: its name, the keys that every provider has, and the keys of its kind. A new one is
//! added to the text of the file; the other lines stay as they are.

mod raw;

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(super) use self::raw::RawDefinition;
use super::cost::MAX_USD;
use super::{ProviderKind, Timeout};
use crate::provider::{Layer, Registry};
use crate::yaml::LoadError;

/// The default number of retries of a failed call.
pub(crate) const DEFAULT_RETRIES: u8 = 2;
/// The maximum number of retries that a definition may ask for.
const MOST_RETRIES: u8 = 5;

/// The definition of one provider.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProviderDefinition {
    /// The keys that every provider has.
    pub common: Common,
    /// The kind of the provider, with the keys of that kind.
    pub kind: ProviderKind,
}

/// The keys that every provider has, whatever its kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Common {
    /// The provider's name.
    pub name: ProviderName,
    /// Other names for the provider.
    pub aliases: Vec<ProviderName>,
    /// A short description for users who choose a provider.
    pub description: String,
    /// The maximum time for one call, retries included.
    pub timeout: Timeout,
    /// The number of retries of a failed call, 0-5.
    pub retries: u8,
    /// The price of its tokens.
    pub price: Option<Price>,
    /// The tasks that it is good at, in words that may occur in a persona's role.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strengths: Vec<String>,
}

/// Prices in US dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The price of input tokens.
    pub input: f64,
    /// The price of answer tokens.
    pub output: f64,
    /// The price of input tokens that come from the service's cache; `input` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    /// The price of input tokens that are written to the cache; `input` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<f64>,
}

impl Price {
    fn is_sane(&self) -> bool {
        [Some(self.input), Some(self.output), self.cached, self.written]
            .into_iter()
            .flatten()
            .all(|price| (0.0..=MAX_USD).contains(&price))
    }
}

impl ProviderDefinition {
    /// Returns the definition with answers limited to this many tokens, if its kind takes a limit.
    pub(crate) fn at_most(mut self, tokens: u32) -> Self {
        self.kind.limit_answers(tokens);
        self
    }
}

/// A new provider: its name, and its keys and values in the order in which they are written.
#[derive(Clone, Debug)]
pub(crate) struct NewProvider {
    name: ProviderName,
    keys: Vec<(&'static str, String)>,
}

impl NewProvider {
    /// Creates a provider with this name.
    ///
    /// # Errors
    ///
    /// Fails if the name is invalid.
    pub(crate) fn with_name(
        name: &str,
        keys: Vec<(&'static str, String)>,
    ) -> Result<Self, ProviderNameError> {
        Ok(Self { name: ProviderName::parse(name)?, keys })
    }

    /// Returns `text` with this definition at its end. `origin` is the name of the file in errors.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] if the text cannot be read, already has a provider with this name, or is written so that
    /// nothing can be appended, or if the definition is invalid.
    pub(crate) fn added_to(&self, text: &str, origin: &str) -> Result<String, LoadError> {
        let own = |text: &str| -> Result<Registry, LoadError> {
            let mut registry = Registry::empty();
            registry.add(text, Layer::User(origin.into()))?;
            Ok(registry)
        };
        let before = own(text)?;
        if before.entries().iter().any(|entry| entry.definition.common.name == self.name) {
            let message = format!("the provider `{}` already exists", self.name);
            return Err(LoadError::new(origin, message));
        }
        let mut whole = text.trim_end().to_owned();
        if !whole.is_empty() {
            whole.push('\n');
        }
        if before.entries().is_empty() && !text.lines().any(|line| line.trim() == "providers:") {
            whole.push_str("providers:\n");
        }
        whole.push_str(&format!("  - name: {}\n", self.name));
        for (key, value) in &self.keys {
            whole.push_str(&format!("    {key}: {}\n", scalar(value)));
        }
        // The new lines are not in the file, so the error shows no line.
        let after = own(&whole).map_err(|error| LoadError {
            hint: error.hint,
            ..LoadError::new(&format!("provider `{}`", self.name), error.message)
        })?;
        if after.entries().len() != before.entries().len() + 1 {
            let message = "cannot append to this file; add the definition by hand".to_owned();
            return Err(LoadError::new(origin, message));
        }
        Ok(whole)
    }
}

/// Formats a value so that YAML reads it back as the same string: unquoted if that is unambiguous.
fn scalar(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let bare = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain);
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    if bare && !words.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    serde_json::Value::from(text).to_string()
}

/// The maximum length of a provider's name, in characters.
const LONGEST: usize = 64;

/// The error for a text that is not a provider name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a provider name: use 1 to {LONGEST} of a-z, 0-9, `.`, `_` and `-`, and begin with a letter or digit"
)]
pub struct ProviderNameError(String);

/// The name of a provider: 1-64 of `a-z`, `0-9`, `.`, `_`, `-`, beginning with a letter or digit.
///
/// ASCII capitals become lowercase letters, so `Claude-Sonnet` and `claude-sonnet` are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProviderName(String);

impl ProviderName {
    /// Parses a name.
    ///
    /// # Errors
    ///
    /// Returns [`ProviderNameError`] if it is empty, too long or contains another character.
    pub fn parse(text: &str) -> Result<Self, ProviderNameError> {
        let name = text.trim().to_ascii_lowercase();
        let fits = name.len() <= LONGEST
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
        if fits { Ok(Self(name)) } else { Err(ProviderNameError(text.to_owned())) }
    }

    /// Returns the name for this provider with another model, `name:model`.
    pub(super) fn with_model(&self, model: &str) -> Self {
        Self(format!("{}:{model}", self.0))
    }

    /// Returns the name as files write it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ProviderName {
    type Error = ProviderNameError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<ProviderName> for String {
    fn from(name: ProviderName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod add_tests;
#[cfg(test)]
mod tests;

//! One entry of `providers.yaml`: the keys that every provider has, and the keys of its kind.

mod add;
mod raw;

use serde::{Deserialize, Serialize};

pub(crate) use self::add::NewProvider;
pub(super) use self::raw::RawDefinition;
use super::{ProviderKind, ProviderName, Timeout};

/// The default number of retries of a failed call.
pub(crate) const DEFAULT_RETRIES: u8 = 2;
/// The maximum number of retries that a definition may ask for.
pub(crate) const MOST_RETRIES: u8 = 5;

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
            .all(|price| price.is_finite() && price >= 0.0)
    }
}

impl ProviderDefinition {
    /// Returns the definition with answers limited to this many tokens, if its kind takes a limit.
    pub(crate) fn at_most(mut self, tokens: u32) -> Self {
        match &mut self.kind {
            ProviderKind::Http(http) => http.max_tokens = http.max_tokens.min(tokens),
            ProviderKind::Command(command) => {
                command.max_tokens = Some(command.longest_answer().min(tokens));
            }
            ProviderKind::Script(_) | ProviderKind::Mock => {}
        }
        self
    }
}

#[cfg(test)]
mod tests;

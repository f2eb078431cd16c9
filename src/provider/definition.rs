//! One entry of `providers.yaml`: what holds for every provider, and what its kind needs.

mod add;
mod written;

use serde::{Deserialize, Serialize};

pub(crate) use self::add::NewProvider;
pub(super) use self::written::Written;
use super::{Kind, ProviderName, Timeout};

/// How often a failed call is made again when the definition does not say.
pub(crate) const DEFAULT_RETRIES: u8 = 2;
/// The most retries a definition may ask for.
pub(crate) const MOST_RETRIES: u8 = 5;

/// How one provider is called, and what is known about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Definition {
    /// What every provider has.
    pub common: Common,
    /// What answers, with what only that needs.
    pub kind: Kind,
}

/// What every provider has, whatever answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Common {
    /// Its name.
    pub name: ProviderName,
    /// Other names for it.
    pub aliases: Vec<ProviderName>,
    /// A few words for whoever chooses one.
    pub description: String,
    /// How long one call may take, retries included.
    pub timeout: Timeout,
    /// How often a failed call is made again, 0-5.
    pub retries: u8,
    /// What its tokens cost.
    pub price: Option<Price>,
    /// What it is taken for, in words that may stand in a persona's role.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strengths: Vec<String>,
}

/// USD per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// For tokens of the prompt.
    pub input: f64,
    /// For tokens of the answer.
    pub output: f64,
    /// For tokens of the prompt that come from the service's cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    /// For tokens of the prompt that are put into the cache; as `input` when absent.
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

impl Definition {
    /// The same with answers of no more than so many tokens, where it takes a limit.
    pub(crate) fn at_most(mut self, tokens: u32) -> Self {
        match &mut self.kind {
            Kind::Http(http) => http.max_tokens = http.max_tokens.min(tokens),
            Kind::Command(command) => {
                command.max_tokens = Some(command.longest_answer().min(tokens));
            }
            Kind::Script(_) | Kind::Mock => {}
        }
        self
    }
}

#[cfg(test)]
mod tests;

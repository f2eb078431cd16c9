//! What the answers cost, in `status --json`.

use crate::state;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

/// What the answers cost.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Model calls, those that were asked again too.
    pub total_calls: u64,
    /// Tokens of prompts and answers.
    pub total_tokens: u64,
    /// US dollars, to the millionth; what has no price is not in it.
    #[serde(rename = "estimatedCostUsd")]
    pub usd: f64,
    /// By the provider's name.
    pub by_provider: IndexMap<String, ProviderCost>,
    /// Some of the tokens or the money was not reported.
    pub estimated: bool,
}

/// What one provider's answers cost.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderCost {
    /// Model calls.
    pub calls: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars, to the millionth; null where nothing was reported and there is no price.
    #[serde(rename = "costUsd")]
    pub usd: Option<f64>,
    /// Some of the tokens or the money was not reported.
    pub estimated: bool,
}

impl From<&state::Cost> for Cost {
    fn from(cost: &state::Cost) -> Self {
        let of = |one: &state::ProviderCost| {
            let spent = ProviderCost {
                calls: one.calls,
                tokens: one.tokens,
                usd: one.priced.then(|| round(one.usd)),
                estimated: one.estimated,
            };
            (one.provider.clone(), spent)
        };
        Self {
            total_calls: cost.calls,
            total_tokens: cost.tokens,
            usd: round(cost.usd),
            by_provider: cost.by_provider.iter().map(of).collect(),
            estimated: cost.estimated,
        }
    }
}

/// Millionths of a dollar are enough, and the same on every machine, in whatever order they were added up.
pub(super) fn round(usd: f64) -> f64 {
    (usd * 1e6).round() / 1e6
}

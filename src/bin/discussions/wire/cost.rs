//! What the answers cost, in `status --json`.

use discussions::state;
use indexmap::IndexMap;
use serde::Serialize;

/// What the answers cost.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cost {
    pub(crate) total_calls: u64,
    pub(crate) total_tokens: u64,
    #[serde(rename = "estimatedCostUsd")]
    pub(crate) usd: f64,
    pub(crate) by_provider: IndexMap<String, ProviderCost>,
    /// For people only: some of it was not reported.
    #[serde(skip)]
    pub(crate) estimated: bool,
}

/// What one provider's answers cost.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProviderCost {
    pub(crate) calls: u64,
    pub(crate) tokens: u64,
    #[serde(rename = "costUsd")]
    pub(crate) usd: f64,
    /// For people only: some of it was not reported.
    #[serde(skip)]
    pub(crate) estimated: bool,
}

impl From<&state::Cost> for Cost {
    fn from(cost: &state::Cost) -> Self {
        let of = |one: &state::ProviderCost| {
            let spent = ProviderCost {
                calls: one.calls,
                tokens: one.tokens,
                usd: one.usd,
                estimated: one.estimated,
            };
            (one.provider.clone(), spent)
        };
        Self {
            total_calls: cost.calls,
            total_tokens: cost.tokens,
            usd: cost.usd,
            by_provider: cost.by_provider.iter().map(of).collect(),
            estimated: cost.estimated,
        }
    }
}

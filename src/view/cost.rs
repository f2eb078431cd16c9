//! The cost of the answers, in `status --json`.

use crate::state;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

/// The cost of the answers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Model calls, with retries.
    pub total_calls: u64,
    /// Tokens of prompts and answers.
    pub total_tokens: u64,
    /// US dollars, to the millionth, for calls with a known price; null if calls were made and no price is known.
    #[serde(rename = "estimatedCostUsd")]
    pub usd: Option<f64>,
    /// By the provider's name.
    pub by_provider: IndexMap<String, ProviderCost>,
    /// Some of the tokens or costs were not reported.
    pub estimated: bool,
}

/// The cost of one provider's answers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderCost {
    /// Model calls.
    pub calls: u64,
    /// Tokens of prompts and answers.
    pub tokens: u64,
    /// US dollars, to the millionth; null if no cost was reported and no price is known.
    #[serde(rename = "costUsd")]
    pub usd: Option<f64>,
    /// Some of the tokens or costs were not reported.
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
            usd: cost.known_usd().map(round),
            by_provider: cost.by_provider.iter().map(of).collect(),
            estimated: cost.estimated,
        }
    }
}

impl Cost {
    /// Returns the total in words: `~$0.0262`, `cost unknown`, or `$0.0262 and an unknown cost of local`.
    pub fn money(&self) -> String {
        let providers = self.by_provider.iter().map(|(name, one)| (name, one.calls, one.usd));
        money(self.usd, self.estimated, providers)
    }
}

/// Returns a total in words. `providers` are names with their calls, and their cost if it is known.
pub(super) fn money<'n>(
    usd: Option<f64>,
    estimated: bool,
    providers: impl Iterator<Item = (&'n String, u64, Option<f64>)>,
) -> String {
    let Some(usd) = usd else { return "cost unknown".to_owned() };
    let known = known_money(usd, estimated);
    let unknown = providers.filter(|(_, calls, usd)| *calls > 0 && usd.is_none());
    let unknown: Vec<&str> = unknown.map(|(name, ..)| name.as_str()).collect();
    if unknown.is_empty() {
        known
    } else {
        format!("{known} and an unknown cost of {}", unknown.join(", "))
    }
}

/// Returns money in words: `~$0.0262`. A cost of zero is never an estimate, however the tokens were counted.
fn known_money(usd: f64, estimated: bool) -> String {
    let about = if estimated { "~" } else { "" };
    if usd > 0.0 { format!("{about}${usd:.4}") } else { "$0".to_owned() }
}

/// Rounds to millionths of a dollar. That is precise enough, and makes sums equal on every machine, in whatever order
/// they are added.
pub(super) fn round(usd: f64) -> f64 {
    (usd * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_cost_is_not_an_estimate() {
        assert_eq!(known_money(0.0, true), "$0");
        assert_eq!(known_money(0.026_2, true), "~$0.0262");
        assert_eq!(known_money(0.026_2, false), "$0.0262");
    }
}

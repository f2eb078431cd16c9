//! What a run took: calls, time, money, and what of its prompts came from caches; and what one may take.

use schemars::JsonSchema;
use serde::Serialize;

use super::Call;
use super::cost::round;

/// What a run took altogether.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunCost {
    /// Model calls, repeated ones too.
    pub calls: u32,
    /// Milliseconds from its beginning to its end.
    pub ms: u64,
    /// US dollars; what has no price is not in it.
    pub usd: f64,
    /// Some of the money was not reported.
    pub estimated: bool,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of answers.
    pub answer_tokens: u64,
    /// The share of prompts that came from services' caches, 0 to 1, of those calls whose provider tells; null where none
    /// does.
    pub cached_share: Option<f64>,
    /// The share of the bytes of the same prompts that could have come from there, 0 to 1: what the same provider had read
    /// before.
    pub cacheable_share: Option<f64>,
}

/// What a run may come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Forecast {
    /// Calls, where everybody is asked once; phases count that may never be entered.
    pub calls: u32,
    /// Calls, where nobody objects or calls anybody and all vote alike: what is likely at the least.
    pub calls_in_agreement: u32,
    /// US dollars at most, where everybody is asked once; without those whose price nobody knows.
    pub usd: f64,
    /// The providers whose price nobody knows.
    pub unpriced: Vec<String>,
}

impl RunCost {
    /// The shares of the calls that tell what a cache gave; `tokens` are those of each call's prompts.
    pub(crate) fn with_shares(mut self, calls: &[Call], tokens: impl Iterator<Item = u64>) -> Self {
        let told = |call: &&Call| call.cached_tokens.is_some();
        let all = calls.iter().zip(tokens).filter(|(call, _)| told(call));
        let (mut cached, mut sent, mut kept, mut bytes) = (0, 0, 0, 0);
        for (call, tokens) in all {
            cached += call.cached_tokens.unwrap_or(0);
            sent += tokens;
            kept += call.cached_prefix;
            bytes += call.prompt_bytes;
        }
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| round((part / whole).min(1.0)));
        self.cached_share = share(cached as f64, sent as f64);
        self.cacheable_share = share(kept as f64, bytes as f64).filter(|_| sent > 0);
        self.usd = round(self.usd);
        self
    }
}

//! The cost of a call: the reported one, or an estimate that is marked as an estimate.

use super::{Price, Reply, Usage};

/// The average number of characters per token in English prose.
const CHARS_PER_TOKEN: u64 = 4;

/// Tokens and money of one answered call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spending {
    /// Tokens, reported or estimated.
    pub usage: Usage,
    /// True if the tokens are an estimate from the number of characters.
    pub tokens_estimated: bool,
    /// US dollars; `None` if nothing was reported and the provider has no price.
    pub usd: Option<f64>,
    /// True if the money is computed from the price list and not reported.
    pub usd_estimated: bool,
}

/// Returns the cost of one answered call. `prompt` holds the two parts of the prompt.
pub(crate) fn spending(price: Option<&Price>, prompt: [&str; 2], reply: &Reply) -> Spending {
    let usage = reply.usage.unwrap_or_else(|| Usage {
        input_tokens: estimate_tokens(&prompt),
        cached_input_tokens: 0,
        written_input_tokens: 0,
        output_tokens: estimate_tokens(&[&reply.text]),
    });
    Spending {
        usage,
        tokens_estimated: reply.usage.is_none(),
        usd: reply.usd.or_else(|| price.map(|price| price.of(&usage))),
        usd_estimated: reply.usd.is_none(),
    }
}

fn estimate_tokens(parts: &[&str]) -> u64 {
    let chars: usize = parts.iter().map(|part| part.chars().count()).sum();
    (chars as u64).div_ceil(CHARS_PER_TOKEN)
}

impl Price {
    /// Returns the highest possible price in US dollars for these tokens, whatever part of them a cache reads or
    /// writes.
    pub(super) fn highest(&self, input_tokens: u64, output_tokens: u64) -> f64 {
        let others = [self.cached, self.written].into_iter().flatten();
        let dearest = others.fold(self.input, f64::max);
        Self { input: dearest, cached: None, written: None, ..*self }.of(&Usage {
            input_tokens,
            output_tokens,
            ..Usage::default()
        })
    }

    /// Returns the price of these tokens in US dollars.
    pub(crate) fn of(&self, usage: &Usage) -> f64 {
        const MILLION: f64 = 1_000_000.0;
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let written = usage.written_input_tokens.min(usage.input_tokens - cached);
        let fresh = usage.input_tokens - cached - written;
        let cached_price = self.cached.unwrap_or(self.input);
        (fresh as f64 * self.input
            + cached as f64 * cached_price
            + written as f64 * self.written.unwrap_or(self.input)
            + usage.output_tokens as f64 * self.output)
            / MILLION
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price { input: 3.0, output: 15.0, cached: Some(0.3), written: Some(3.75) };

    #[test]
    fn cached_tokens_are_charged_at_their_own_price() {
        let usage = Usage {
            input_tokens: 1_000_000,
            cached_input_tokens: 900_000,
            output_tokens: 100_000,
            ..Usage::default()
        };
        assert!((PRICE.of(&usage) - (0.3 + 0.27 + 1.5)).abs() < 1e-9);
        let undiscounted = Price { cached: None, ..PRICE };
        assert!((undiscounted.of(&usage) - 4.5).abs() < 1e-9);
    }

    #[test]
    fn cache_writes_have_their_price_and_stay_below_the_highest() {
        let usage = Usage {
            input_tokens: 1_000_000,
            cached_input_tokens: 500_000,
            written_input_tokens: 400_000,
            output_tokens: 0,
        };
        assert!((PRICE.of(&usage) - (0.3 + 0.15 + 1.5)).abs() < 1e-9);
        assert!((PRICE.highest(1_000_000, 0) - 3.75).abs() < 1e-9);
        assert!(PRICE.highest(1_000_000, 0) >= PRICE.of(&usage));
    }

    #[test]
    fn more_cached_than_input_tokens_give_no_negative_price() {
        let usage = Usage {
            input_tokens: 10,
            cached_input_tokens: 20,
            output_tokens: 0,
            ..Usage::default()
        };
        assert!(PRICE.of(&usage) >= 0.0);
    }

    #[test]
    fn unreported_tokens_are_marked_as_estimated() {
        let reply = Reply { text: "abcdefgh".into(), ..Reply::default() };
        let spent = spending(Some(&PRICE), ["abc", "de"], &reply);
        assert_eq!((spent.usage.input_tokens, spent.usage.output_tokens), (2, 2));
        assert!(spent.tokens_estimated && spent.usd_estimated);
        assert_eq!(spending(None, ["abc", "de"], &reply).usd, None);
    }

    #[test]
    fn reported_usage_and_cost_are_used() {
        let usage = Usage { input_tokens: 7, ..Usage::default() };
        let reply = Reply { usage: Some(usage), usd: Some(0.5), ..Reply::default() };
        let spent = spending(Some(&PRICE), ["", ""], &reply);
        assert_eq!((spent.usage, spent.usd), (usage, Some(0.5)));
        assert!(!spent.tokens_estimated && !spent.usd_estimated);
    }
}

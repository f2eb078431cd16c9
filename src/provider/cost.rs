//! The cost of a call: the reported one, or an estimate that is marked as an estimate.

use serde_json::Value;

use super::{Price, Reply, Usage};

/// The average number of characters per token in English prose.
const CHARS_PER_TOKEN: u64 = 4;
/// The maximum amount in US dollars that one call can cost, and the maximum price of a million tokens. A higher number
/// is a mistake, and sums of it would leave the range of numbers.
pub(super) const MAX_USD: f64 = 1e9;

/// The cost of a call, as its provider reports it.
///
/// A provider may be any program, so its number can be anything. A negative cost would raise the budget, and an infinite
/// one would make the recorded sum unreadable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ReportedUsd {
    /// The provider reports no cost.
    #[default]
    Absent,
    /// US dollars, from 0 to `MAX_USD`.
    Amount(f64),
    /// The provider reports something that is not an amount of money, so the cost of the call is unknown.
    Refused,
}

impl ReportedUsd {
    /// Returns the cost in a JSON value; an absent value and `null` report none.
    pub(super) fn parse(value: Option<&Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Absent,
            Some(value) => value.as_f64().map_or(Self::Refused, Self::from),
        }
    }

    /// Returns the amount, if one was reported.
    pub fn amount(self) -> Option<f64> {
        match self {
            Self::Amount(usd) => Some(usd),
            Self::Absent | Self::Refused => None,
        }
    }

    /// Returns the warning about a refused cost.
    pub(super) fn warning(self, who: &str) -> Option<String> {
        (self == Self::Refused).then(|| {
            format!("{who} reported a cost that is not an amount of money; it is not recorded")
        })
    }
}

impl From<f64> for ReportedUsd {
    fn from(usd: f64) -> Self {
        // NaN is in no range.
        if (0.0..=MAX_USD).contains(&usd) { Self::Amount(usd) } else { Self::Refused }
    }
}

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
        usd: reply.usd.amount().or_else(|| price.map(|price| price.of(&usage))),
        usd_estimated: reply.usd.amount().is_none(),
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
    fn only_an_amount_of_money_is_a_cost() {
        let of = |json: &str| ReportedUsd::parse(Some(&serde_json::from_str(json).unwrap()));
        for (json, wanted) in [("0", 0.0), ("-0.0", 0.0), ("0.25", 0.25), ("1e9", 1e9)] {
            assert_eq!(of(json), ReportedUsd::Amount(wanted), "{json}");
        }
        for json in
            ["-1000", "-1e-9", "1e308", "1.1e9", "\"0.1\"", "\"NaN\"", "true", "[0.1]", "{}"]
        {
            assert_eq!(of(json), ReportedUsd::Refused, "{json}");
        }
        for usd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(ReportedUsd::from(usd), ReportedUsd::Refused, "{usd}");
        }
        assert_eq!((of("null"), ReportedUsd::parse(None)), Default::default());
    }

    #[test]
    fn reported_usage_and_cost_are_used() {
        let usage = Usage { input_tokens: 7, ..Usage::default() };
        let reply = Reply { usage: Some(usage), usd: 0.5.into(), ..Reply::default() };
        let spent = spending(Some(&PRICE), ["", ""], &reply);
        assert_eq!((spent.usage, spent.usd), (usage, Some(0.5)));
        assert!(!spent.tokens_estimated && !spent.usd_estimated);
    }
}

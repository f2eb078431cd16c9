//! The limits of a run, for commands that run a discussion to its end.

use std::time::Duration;

use discussions::duration::parse;
use discussions::runner::RunOptions;

/// The limits of one run; without them it ends where its template ends.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Maximum time of the whole run, for example 90s, 10m or 1h; by default no limit
    #[arg(long, value_name = "D", value_parser = parse)]
    timeout: Option<Duration>,
    /// Maximum cost in US dollars; by default no limit
    #[arg(long, value_name = "X", value_parser = dollars)]
    max_usd: Option<f64>,
    /// With a money limit, also ask providers whose price is unknown
    #[arg(long)]
    unpriced: bool,
    /// Maximum number of model calls, including retries; by default no limit
    #[arg(long, value_name = "N")]
    max_calls: Option<u32>,
    /// Maximum tokens per answer; by default as the provider's definition says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// Maximum time per call, from 5s to 1h
    #[arg(long, value_name = "D", value_parser = call_time)]
    provider_timeout: Option<Duration>,
}

impl LimitArgs {
    /// Returns a run request with these limits.
    pub(crate) fn request(&self, provider: Option<String>) -> RunOptions {
        RunOptions {
            provider,
            call_timeout: self.provider_timeout,
            max_calls: self.max_calls,
            max_tokens: self.max_tokens,
            max_usd: self.max_usd,
            unpriced: self.unpriced,
            timeout: self.timeout,
            ..RunOptions::default()
        }
    }
}

/// Parses an amount of money.
pub(crate) fn dollars(text: &str) -> Result<f64, String> {
    let amount: f64 = text.trim_start_matches('$').parse().map_err(|_| "write it as 1.50")?;
    (amount.is_finite() && amount >= 0.0)
        .then_some(amount)
        .ok_or_else(|| "must be 0 or more".to_owned())
}

/// Parses a time limit for one call, within the allowed range (the bounds of INV-DISC).
fn call_time(text: &str) -> Result<Duration, String> {
    RunOptions::call_timeout(parse(text)?)
}

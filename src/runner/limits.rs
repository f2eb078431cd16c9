//! Guards against runs without end.

use std::time::Duration;

/// Where a run stops at the latest.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Turns that this run opens.
    pub max_turns: u32,
    /// Model calls that this run makes, asked-again ones too.
    pub max_calls: u32,
    /// US dollars that this run spends: no call is made that could pass it.
    pub max_usd: Option<f64>,
    /// Where money is limited, providers are asked too whose price nobody knows.
    pub unpriced: bool,
    /// Time that this run takes; running calls are killed then.
    pub timeout: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_turns: 20, max_calls: 100, max_usd: None, unpriced: false, timeout: None }
    }
}

impl Limits {
    /// No limit: for a single turn, which ends by itself.
    pub(crate) fn none() -> Self {
        Self {
            max_turns: u32::MAX,
            max_calls: u32::MAX,
            max_usd: None,
            unpriced: false,
            timeout: None,
        }
    }
}

/// The limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::max_turns`].
    Turns,
    /// [`Limits::max_calls`].
    Calls,
    /// [`Limits::max_usd`].
    Usd,
    /// The same, since nobody knows what a call would cost; see [`Limits::unpriced`].
    Price,
    /// [`Limits::timeout`].
    Time,
}

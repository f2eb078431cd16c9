//! The time limit of a call, and retries of failed calls, if a retry can help.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use super::{CallError, FailureCode, Provider, Reply, Request};
use crate::duration;

/// The number of retries and the waits before them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    /// The number of calls after the first one.
    pub retries: u8,
    /// The wait before the first retry; it doubles each time.
    pub first: Duration,
    /// The maximum wait that we choose; a service may ask for a longer one.
    pub longest: Duration,
    /// Each wait is multiplied by 1 plus this number, 0 to 1. With a different value for each caller, they do not all
    /// retry at the same moment.
    pub jitter: f64,
}

impl Backoff {
    /// Creates a backoff with this many retries, after 1, 2, 4 ... seconds.
    pub fn new(retries: u8) -> Self {
        Self {
            retries,
            first: Duration::from_secs(1),
            longest: Duration::from_secs(20),
            jitter: 0.0,
        }
    }

    /// Returns the wait before retry number `retry`, counted from 0.
    fn wait(&self, retry: u8) -> Duration {
        let doubled = self.first.saturating_mul(1 << u32::from(retry.min(16)));
        doubled.min(self.longest).mul_f64(1.0 + self.jitter.clamp(0.0, 1.0))
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(super::DEFAULT_RETRIES)
    }
}

/// The result of a request and its retries.
#[derive(Clone, Debug, PartialEq)]
pub struct RetriedCall {
    /// The answer, or the last failure.
    pub result: Result<Reply, CallError>,
    /// The number of calls that were made, at least 1.
    pub calls: u32,
    /// The failures before the result, oldest first.
    pub failures: Vec<CallError>,
}

/// Makes a call, and repeats it after temporary failures, all within the request's deadline. A wait that would end
/// after the deadline is not started.
#[cfg(not(discussions_sealed))]
pub async fn call_with_retries(
    provider: &dyn Provider,
    request: Request<'_>,
    backoff: Backoff,
) -> RetriedCall {
    call_while_allowed(provider, request, backoff, &|| true).await
}

/// Works like [`call_with_retries`], but makes each call after the first only if `another` returns true.
pub(crate) async fn call_while_allowed(
    provider: &dyn Provider,
    request: Request<'_>,
    backoff: Backoff,
    another: &(dyn Fn() -> bool + Sync),
) -> RetriedCall {
    let _turn = provider.turn().await;
    let deadline = Instant::now() + request.deadline;
    let mut failures = Vec::new();
    let mut retry = 0;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let result = provider.call(Request { deadline: left, ..request.clone() }).await;
        let calls = u32::from(retry) + 1;
        let failure = match result {
            Err(failure) if retry < backoff.retries && may_retry(&failure) => failure,
            result => return RetriedCall { result, calls, failures },
        };
        let wait = backoff.wait(retry).max(failure.retry_after.unwrap_or_default());
        if Instant::now() + wait >= deadline || !another() {
            return RetriedCall { result: Err(failure), calls, failures };
        }
        failures.push(failure);
        sleep(wait).await;
        retry += 1;
    }
}

/// Returns whether to retry. A timeout has used up the time for a retry. An empty answer is not retried here, because
/// the runner calls again with another prompt.
fn may_retry(failure: &CallError) -> bool {
    failure.retryable && !matches!(failure.code, FailureCode::Timeout | FailureCode::Empty)
}

/// The default time limit of a call.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);
/// The shortest time limit that a definition may set.
pub(crate) const SHORTEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest time limit that a definition may set.
pub(crate) const LONGEST_TIMEOUT: Duration = Duration::from_secs(3600);
/// The time limit of a call, `SHORTEST_TIMEOUT` to `LONGEST_TIMEOUT`, written `90s`, `2m`, `1h`, or as a number of
/// seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "WrittenTimeout")]
pub struct Timeout(Duration);

impl Timeout {
    /// Creates a timeout within this range.
    ///
    /// # Errors
    ///
    /// Returns a sentence for people if the time is out of range.
    pub fn new(time: Duration) -> Result<Self, String> {
        if (SHORTEST_TIMEOUT..=LONGEST_TIMEOUT).contains(&time) {
            return Ok(Self(time));
        }
        Err(format!(
            "a timeout must be {} to {}, not {}",
            duration::write(SHORTEST_TIMEOUT),
            duration::write(LONGEST_TIMEOUT),
            duration::write(time)
        ))
    }

    /// Parses `90s`, `2m`, `1h` or `120`.
    ///
    /// # Errors
    ///
    /// Returns a sentence for people if the text has another form or the time is out of range.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let time = duration::parse(text)
            .map_err(|_| format!("`{text}` is not a timeout; write it like `90s` or `2m`"))?;
        Self::new(time)
    }

    /// Returns the time.
    pub(crate) fn get(self) -> Duration {
        self.0
    }
}

impl Default for Timeout {
    fn default() -> Self {
        Self(DEFAULT_TIMEOUT)
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&duration::write(self.0))
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenTimeout {
    Seconds(u32),
    Words(String),
}

impl TryFrom<WrittenTimeout> for Timeout {
    type Error = String;

    fn try_from(written: WrittenTimeout) -> Result<Self, String> {
        match written {
            WrittenTimeout::Seconds(seconds) => Self::new(Duration::from_secs(seconds.into())),
            WrittenTimeout::Words(words) => Self::parse(&words),
        }
    }
}

#[cfg(test)]
mod tests;

//! Retries of failed calls, if a retry can help.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{CallError, FailureCode, Provider, Reply, Request};

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
#[cfg(feature = "internals")]
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

#[cfg(test)]
mod tests;

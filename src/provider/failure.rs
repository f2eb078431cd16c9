//! The error of a failed call, with the reason. It also says if a retry can help.

use std::time::Duration;

use thiserror::Error;

pub use crate::codes::FailureCode;

/// A call that gave no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct CallError {
    /// The kind of failure.
    pub code: FailureCode,
    /// A message for people, without escape codes: what happened and, if known, how to fix it.
    pub message: String,
    /// True if a retry can help.
    pub retryable: bool,
    /// The time that the service asked to wait, if it did.
    pub retry_after: Option<Duration>,
    /// The cost of the failed call in US dollars, if the provider reported it.
    pub usd: Option<f64>,
}

impl CallError {
    /// Creates a failure that is retryable if its code is.
    pub(crate) fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: code.retryable(),
            retry_after: None,
            usd: None,
        }
    }
}

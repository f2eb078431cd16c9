//! Why a call gave no answer, and whether asking again can help.

use std::time::Duration;

use thiserror::Error;

pub use crate::codes::FailureCode;

/// A call that gave no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct CallError {
    /// What kind of failure.
    pub code: FailureCode,
    /// What happened and, where it is known, how to mend it; for people, without escape codes.
    pub message: String,
    /// Can asking again help?
    pub retryable: bool,
    /// How long the service asked to be left alone, when it said so.
    pub retry_after: Option<Duration>,
    /// What it cost all the same, in US dollars, when the provider said so.
    pub usd: Option<f64>,
}

impl CallError {
    /// A failure that is retryable when its code is.
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

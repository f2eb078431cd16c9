//! Why a call gave no answer, and whether asking again can help.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What kind of failure a call ended in; a stable word for programs and for `FAILED` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureCode {
    /// The program is not on `PATH`.
    NotInstalled,
    /// The program is there but could not be started.
    CannotStart,
    /// The definition or the program's options are wrong; asking again gives the same.
    Misconfigured,
    /// The program ended with a status other than 0, or by a signal, for no reason we know.
    Exit,
    /// The program ended well and said nothing.
    Empty,
    /// No whole answer by the deadline.
    Timeout,
    /// More output than the definition allows.
    OutputTooLong,
    /// The output is not of the announced format.
    Unreadable,
    /// The connection to the model broke in the middle of the answer.
    CutStream,
    /// The model's service could not be reached.
    Unreachable,
    /// Too many requests for now.
    RateLimited,
    /// The service is too busy for now.
    Overloaded,
    /// An error inside the service.
    Server,
    /// Money, credits or quota are used up.
    SpendLimit,
    /// Not logged in, or the key is refused.
    Unauthorized,
    /// The service does not offer that model.
    UnknownModel,
    /// The prompt is longer than the model takes.
    PromptTooLong,
}

impl FailureCode {
    /// The word that `FAILED` lines and JSON hold.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotInstalled => "not_installed",
            Self::CannotStart => "cannot_start",
            Self::Misconfigured => "misconfigured",
            Self::Exit => "exit",
            Self::Empty => "empty",
            Self::Timeout => "timeout",
            Self::OutputTooLong => "output_too_long",
            Self::Unreadable => "unreadable",
            Self::CutStream => "cut_stream",
            Self::Unreachable => "unreachable",
            Self::RateLimited => "rate_limited",
            Self::Overloaded => "overloaded",
            Self::Server => "server",
            Self::SpendLimit => "spend_limit",
            Self::Unauthorized => "unauthorized",
            Self::UnknownModel => "unknown_model",
            Self::PromptTooLong => "prompt_too_long",
        }
    }

    /// Can the same call succeed a little later, with nobody mending anything?
    pub fn retryable(self) -> bool {
        match self {
            Self::NotInstalled
            | Self::Misconfigured
            | Self::CannotStart
            | Self::OutputTooLong
            | Self::SpendLimit
            | Self::Unauthorized
            | Self::UnknownModel
            | Self::PromptTooLong => false,
            Self::Exit
            | Self::Empty
            | Self::Timeout
            | Self::Unreadable
            | Self::CutStream
            | Self::Unreachable
            | Self::RateLimited
            | Self::Overloaded
            | Self::Server => true,
        }
    }
}

impl fmt::Display for FailureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A call that gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
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
}

impl CallError {
    /// A failure that is retryable when its code is.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retryable: code.retryable(), retry_after: None }
    }
}

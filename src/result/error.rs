//! The standard error codes of results.

use serde::Serialize;

/// Why a discussion did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ErrorCode {
    /// Fewer took part than are needed (INV-DISC-010, INV-DISC-101).
    #[serde(rename = "DISCUSSION_INSUFFICIENT_PROVIDERS")]
    InsufficientProviders,
    /// All that failed ran out of time.
    #[serde(rename = "DISCUSSION_PROVIDER_TIMEOUT")]
    ProviderTimeout,
    /// Nobody answered.
    #[serde(rename = "DISCUSSION_ALL_PROVIDERS_FAILED")]
    AllProvidersFailed,
    /// The votes do not reach what the method asks for.
    #[serde(rename = "DISCUSSION_CONSENSUS_FAILED")]
    ConsensusFailed,
    /// No such pattern.
    #[serde(rename = "DISCUSSION_INVALID_PATTERN")]
    InvalidPattern,
    /// Roles that cannot be dealt.
    #[serde(rename = "DISCUSSION_INVALID_ROLES")]
    InvalidRoles,
    /// Nobody could write the synthesis.
    #[serde(rename = "DISCUSSION_SYNTHESIS_FAILED")]
    SynthesisFailed,
    /// The run's own time was up.
    #[serde(rename = "DISCUSSION_TIMEOUT")]
    Timeout,
    /// Answers could not be read.
    #[serde(rename = "DISCUSSION_PARSE_FAILED")]
    ParseFailed,
    /// The discussion is not in a state to go on.
    #[serde(rename = "DISCUSSION_INVALID_STATE")]
    InvalidState,
    /// The run's money was spent.
    #[serde(rename = "DISCUSSION_COST_BUDGET_EXCEEDED")]
    CostBudgetExceeded,
}

impl ErrorCode {
    /// Whether the same again may succeed (INV-DISC-402).
    pub fn retryable(self) -> bool {
        matches!(
            self,
            Self::InsufficientProviders
                | Self::ProviderTimeout
                | Self::AllProvidersFailed
                | Self::SynthesisFailed
                | Self::Timeout
                | Self::ParseFailed
        )
    }
}

/// An error with its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultError {
    /// The standard code (INV-DISC-401).
    pub code: ErrorCode,
    /// What happened.
    pub message: String,
    /// Whether the same again may succeed.
    pub retryable: bool,
}

impl ResultError {
    /// An error of a code.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retryable: code.retryable() }
    }
}

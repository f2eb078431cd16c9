//! The reasons why a discussion did not succeed.

use schemars::JsonSchema;
use serde::Serialize;

words! {
    /// The reason why a discussion did not succeed.
    pub enum ErrorCode {
        /// Fewer participants took part than the discussion needs (INV-DISC-010, INV-DISC-101).
        InsufficientProviders = "DISCUSSION_INSUFFICIENT_PROVIDERS",
        /// All failed calls ran out of time.
        ProviderTimeout = "DISCUSSION_PROVIDER_TIMEOUT",
        /// No participant answered.
        AllProvidersFailed = "DISCUSSION_ALL_PROVIDERS_FAILED",
        /// The votes do not reach the threshold of the method.
        ConsensusFailed = "DISCUSSION_CONSENSUS_FAILED",
        /// There is no such pattern.
        InvalidPattern = "DISCUSSION_INVALID_PATTERN",
        /// The roles cannot be assigned to the participants.
        InvalidRoles = "DISCUSSION_INVALID_ROLES",
        /// No participant could write the synthesis.
        SynthesisFailed = "DISCUSSION_SYNTHESIS_FAILED",
        /// The time limit of the run was reached.
        Timeout = "DISCUSSION_TIMEOUT",
        /// Answers could not be parsed.
        ParseFailed = "DISCUSSION_PARSE_FAILED",
        /// The discussion cannot continue from its present state.
        InvalidState = "DISCUSSION_INVALID_STATE",
        /// The money or calls that are left do not cover another call, or the price of a call is unknown.
        CostBudgetExceeded = "DISCUSSION_COST_BUDGET_EXCEEDED",
        /// The request cannot be carried out; repeating it never helps.
        InvalidInput = "DISCUSSION_INVALID_INPUT",
        /// A discussion would contain itself, or a discussion of the same question (INV-DISC-601).
        CircularDiscussion = "DISCUSSION_CIRCULAR_DISCUSSION",
        /// A command that the project defines would be run, and the user does not trust it.
        NotTrusted = "DISCUSSION_NOT_TRUSTED",
    }
}

impl ErrorCode {
    /// Returns true if the discussion failed because the called participants could not answer.
    pub fn is_shortage(self) -> bool {
        matches!(
            self,
            Self::InsufficientProviders
                | Self::AllProvidersFailed
                | Self::ProviderTimeout
                | Self::ParseFailed
                | Self::SynthesisFailed
        )
    }

    /// Builds the JSON error document for a failure with this code.
    pub fn into_refused(self, message: impl Into<String>, hint: Option<String>) -> Refused {
        let (message, retryable) = (message.into(), self.retryable());
        Refused { error: Refusal { code: self, message, hint, retryable } }
    }

    /// Returns true if a retry may succeed (INV-DISC-402).
    pub fn retryable(self) -> bool {
        self.is_shortage() || self == Self::Timeout
    }
}

/// An error with its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ResultError {
    // INV-DISC-401.
    /// Which kind of failure it is.
    pub code: ErrorCode,
    /// The message.
    pub message: String,
    /// The fix, if it is a separate step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// True if a retry may succeed.
    pub retryable: bool,
}

impl ResultError {
    /// Creates an error with this code and without a hint.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, retryable: code.retryable() }
    }
}

/// The answer to a program instead of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Refused {
    /// Why there is no result.
    pub error: Refusal,
}

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Refusal {
    // INV-DISC-401.
    /// Which kind of failure it is.
    pub code: ErrorCode,
    /// The message, in a sentence; its wording may change.
    pub message: String,
    /// The fix, if it is a separate step.
    pub hint: Option<String>,
    /// True if a retry may succeed.
    pub retryable: bool,
}

//! Why a discussion did not succeed.

use schemars::JsonSchema;
use serde::Serialize;

words! {
    /// Why a discussion did not succeed.
    pub enum ErrorCode {
        /// Fewer took part than are needed (INV-DISC-010, INV-DISC-101).
        InsufficientProviders = "DISCUSSION_INSUFFICIENT_PROVIDERS",
        /// All that failed ran out of time.
        ProviderTimeout = "DISCUSSION_PROVIDER_TIMEOUT",
        /// Nobody answered.
        AllProvidersFailed = "DISCUSSION_ALL_PROVIDERS_FAILED",
        /// The votes do not reach what the method asks for.
        ConsensusFailed = "DISCUSSION_CONSENSUS_FAILED",
        /// No such pattern.
        InvalidPattern = "DISCUSSION_INVALID_PATTERN",
        /// Roles that cannot be dealt.
        InvalidRoles = "DISCUSSION_INVALID_ROLES",
        /// Nobody could write the synthesis.
        SynthesisFailed = "DISCUSSION_SYNTHESIS_FAILED",
        /// The run's own time was up.
        Timeout = "DISCUSSION_TIMEOUT",
        /// Answers could not be read.
        ParseFailed = "DISCUSSION_PARSE_FAILED",
        /// The discussion is not in a state to go on.
        InvalidState = "DISCUSSION_INVALID_STATE",
        /// No call fits into the money or the number of calls that is left, or nobody knows what one would cost.
        CostBudgetExceeded = "DISCUSSION_COST_BUDGET_EXCEEDED",
        /// What was asked for cannot be: the same again never helps.
        InvalidInput = "DISCUSSION_INVALID_INPUT",
        /// A discussion within itself, or one of the same question (INV-DISC-601).
        CircularDiscussion = "DISCUSSION_CIRCULAR_DISCUSSION",
        /// The project brought along what would be called, and the user did not agree to it.
        NotTrusted = "DISCUSSION_NOT_TRUSTED",
    }
}

impl ErrorCode {
    /// Whether those who were asked could not answer.
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

    /// A failure of this code as programs are told it.
    pub fn refused(self, message: impl Into<String>, hint: Option<String>) -> Refused {
        let (message, retryable) = (message.into(), self.retryable());
        Refused { error: Refusal { code: self, message, hint, retryable } }
    }

    /// Whether the same again may succeed (INV-DISC-402).
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
    /// What happened.
    pub message: String,
    /// The fix, if it is a step of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Whether a retry may succeed.
    pub retryable: bool,
}

impl ResultError {
    /// An error of a code.
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
    /// What is wrong, in a sentence whose wording may change.
    pub message: String,
    /// The fix, if it is a step of its own.
    pub hint: Option<String>,
    /// Whether a retry may succeed.
    pub retryable: bool,
}

//! Codes of failures that programs may rely on.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// Why a discussion did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// Fewer took part than are needed (INV-DISC-010, INV-DISC-101).
    InsufficientProviders,
    /// All that failed ran out of time.
    ProviderTimeout,
    /// Nobody answered.
    AllProvidersFailed,
    /// The votes do not reach what the method asks for.
    ConsensusFailed,
    /// No such pattern.
    InvalidPattern,
    /// Roles that cannot be dealt.
    InvalidRoles,
    /// Nobody could write the synthesis.
    SynthesisFailed,
    /// The run's own time was up.
    Timeout,
    /// Answers could not be read.
    ParseFailed,
    /// The discussion is not in a state to go on.
    InvalidState,
    /// The run's money was spent.
    CostBudgetExceeded,
    /// The project brought along what would be called, and the user did not agree to it.
    NotTrusted,
}

impl ErrorCode {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::InsufficientProviders,
        Self::ProviderTimeout,
        Self::AllProvidersFailed,
        Self::ConsensusFailed,
        Self::InvalidPattern,
        Self::InvalidRoles,
        Self::SynthesisFailed,
        Self::Timeout,
        Self::ParseFailed,
        Self::InvalidState,
        Self::CostBudgetExceeded,
        Self::NotTrusted,
    ];

    /// The standard word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InsufficientProviders => "DISCUSSION_INSUFFICIENT_PROVIDERS",
            Self::ProviderTimeout => "DISCUSSION_PROVIDER_TIMEOUT",
            Self::AllProvidersFailed => "DISCUSSION_ALL_PROVIDERS_FAILED",
            Self::ConsensusFailed => "DISCUSSION_CONSENSUS_FAILED",
            Self::InvalidPattern => "DISCUSSION_INVALID_PATTERN",
            Self::InvalidRoles => "DISCUSSION_INVALID_ROLES",
            Self::SynthesisFailed => "DISCUSSION_SYNTHESIS_FAILED",
            Self::Timeout => "DISCUSSION_TIMEOUT",
            Self::ParseFailed => "DISCUSSION_PARSE_FAILED",
            Self::InvalidState => "DISCUSSION_INVALID_STATE",
            Self::CostBudgetExceeded => "DISCUSSION_COST_BUDGET_EXCEEDED",
            Self::NotTrusted => "DISCUSSION_NOT_TRUSTED",
        }
    }

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

    /// Whether the same again may succeed (INV-DISC-402).
    pub fn retryable(self) -> bool {
        self.is_shortage() || self == Self::Timeout
    }
}

impl JsonSchema for ErrorCode {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ErrorCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::ALL.map(Self::as_str) })
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// An error with its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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

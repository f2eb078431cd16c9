//! The reasons why a call failed, why an answer is asked for a second time, and why a discussion did not succeed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

words! {
    /// The kind of failure of a call; a stable word for programs and for `FAILED` lines.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum FailureCode {
        /// The program is not on `PATH`.
        NotInstalled = "not_installed",
        /// The program is there but could not be started.
        CannotStart = "cannot_start",
        /// The definition or the program's options are wrong; repeating the call fails again.
        Misconfigured = "misconfigured",
        /// The program ended with a status other than 0, or by a signal, for an unknown reason.
        Exit = "exit",
        /// The program ended with status 0 and printed nothing.
        Empty = "empty",
        /// There was no complete answer by the deadline.
        Timeout = "timeout",
        /// The program printed more than the definition allows.
        OutputTooLong = "output_too_long",
        /// The output does not have the format that the definition announces.
        Unreadable = "unreadable",
        /// The connection to the model broke in the middle of the answer.
        CutStream = "cut_stream",
        /// The model's service could not be reached.
        Unreachable = "unreachable",
        /// The service refuses further requests for now.
        RateLimited = "rate_limited",
        /// The service is too busy for now.
        Overloaded = "overloaded",
        /// An error inside the service.
        Server = "server",
        /// Money, credits or quota are used up.
        SpendLimit = "spend_limit",
        /// The user is not logged in, or the key is refused.
        Unauthorized = "unauthorized",
        /// The call might cost more than the rest of the budget; it was not made.
        OverBudget = "over_budget",
        /// The program ended because it had spent the amount that this call was allowed to cost.
        BudgetSpent = "budget_spent",
        /// The service withholds the answer.
        ContentFilter = "content_filter",
        /// The service does not offer that model.
        UnknownModel = "unknown_model",
        /// The prompt is longer than the model accepts.
        PromptTooLong = "prompt_too_long",
        /// The run was stopped, or its time was up, before there was an answer; the next run repeats the call.
        Stopped = "stopped",
    }
}

impl FailureCode {
    /// Returns true if the same call can succeed a little later without any repair.
    pub fn retryable(self) -> bool {
        match self {
            Self::NotInstalled
            | Self::Misconfigured
            | Self::CannotStart
            | Self::OutputTooLong
            | Self::SpendLimit
            | Self::Unauthorized
            | Self::ContentFilter
            | Self::OverBudget
            | Self::BudgetSpent
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
            | Self::Server
            | Self::Stopped => true,
        }
    }
}

words! {
    /// The reason why an answer could not be used as it was.
    pub enum AgainCode {
        /// The answer is empty.
        Empty = "empty",
        /// The answer votes for different options.
        TwoVotes = "two_votes",
        /// The answer lacks a required marker.
        MarkerMissing = "marker_missing",
    }
}

impl AgainCode {
    /// Returns the failure of a call if its second answer is no better and no part of the two answers can be kept.
    pub fn failure(self) -> FailureCode {
        match self {
            Self::Empty => FailureCode::Empty,
            Self::TwoVotes | Self::MarkerMissing => FailureCode::Unreadable,
        }
    }
}

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
        /// The reviewers did not see a part of the change, so its verdict cannot be positive.
        NotShown = "DISCUSSION_NOT_SHOWN",
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

//! The kinds of failure of a call.

use serde::Deserialize;

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

//! What kind of failure a call ended in.

use serde::Deserialize;

words! {
    /// What kind of failure a call ended in; a stable word for programs and for `FAILED` lines.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum FailureCode {
        /// The program is not on `PATH`.
        NotInstalled = "not_installed",
        /// The program is there but could not be started.
        CannotStart = "cannot_start",
        /// The definition or the program's options are wrong; asking again gives the same.
        Misconfigured = "misconfigured",
        /// The program ended with a status other than 0, or by a signal, for no reason we know.
        Exit = "exit",
        /// The program ended well and said nothing.
        Empty = "empty",
        /// No whole answer by the deadline.
        Timeout = "timeout",
        /// More output than the definition allows.
        OutputTooLong = "output_too_long",
        /// The output is not of the announced format.
        Unreadable = "unreadable",
        /// The connection to the model broke in the middle of the answer.
        CutStream = "cut_stream",
        /// The model's service could not be reached.
        Unreachable = "unreachable",
        /// Too many requests for now.
        RateLimited = "rate_limited",
        /// The service is too busy for now.
        Overloaded = "overloaded",
        /// An error inside the service.
        Server = "server",
        /// Money, credits or quota are used up.
        SpendLimit = "spend_limit",
        /// Not logged in, or the key is refused.
        Unauthorized = "unauthorized",
        /// The call may cost more than may still be spent; it was not made.
        OverBudget = "over_budget",
        /// The program ended because it had spent what it was told that the call may cost.
        BudgetSpent = "budget_spent",
        /// The service keeps the answer back.
        ContentFilter = "content_filter",
        /// The service does not offer that model.
        UnknownModel = "unknown_model",
        /// The prompt is longer than the model takes.
        PromptTooLong = "prompt_too_long",
        /// The run was stopped, or its time was up, before there was an answer; it is asked again.
        Stopped = "stopped",
    }
}

impl FailureCode {
    /// Can the same call succeed a little later, with nobody mending anything?
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

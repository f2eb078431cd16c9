//! Errors of tools in our own words. Agents read them as results; they are not errors of the protocol.

use discussions::codes::ErrorCode;
use discussions::runner::BeginError;
use discussions::view::visible_line;
use discussions::workspace::{Help, WorkspaceError};
use schemars::JsonSchema;
use serde::Serialize;

use super::words;
use crate::cli;

/// An error, and its fix if there is one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct McpError {
    /// The code; it never changes.
    pub(super) code: &'static str,
    /// The message.
    pub(super) message: String,
    /// The fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<String>,
    /// True if a retry may help.
    pub(super) retryable: bool,
}

impl McpError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code: code.as_str(), message, help: None, retryable: code.retryable() }
    }

    pub(super) fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidInput, message)
    }

    /// Returns the error for a changing tool on a read-only server.
    pub(super) fn read_only() -> Self {
        Self::new(
            ErrorCode::InvalidState,
            "this server is read-only: it was started with --read-only",
        )
        .help(
            "use `show`, `search`, `recall` or `list`; a person can restart it without --read-only",
        )
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl From<BeginError> for McpError {
    fn from(error: BeginError) -> Self {
        WorkspaceError::from(error).into()
    }
}

impl From<WorkspaceError> for McpError {
    fn from(error: WorkspaceError) -> Self {
        Self::from(&error)
    }
}

impl From<&WorkspaceError> for McpError {
    fn from(error: &WorkspaceError) -> Self {
        if let WorkspaceError::Outside(outside) = error {
            // An agent need not know the target of the link.
            let path = visible_line(&outside.path.to_string_lossy());
            return Self::input(format!("{path} is outside the project or the served folder"));
        }
        let ways = error.help();
        // An agent needs tools and arguments, not commands for a terminal.
        let (own, others): (Vec<Help>, Vec<Help>) =
            ways.iter().cloned().partition(|way| words::help(way).is_some());
        let (message, told) = cli::words::message_and_hint(error.message(), &others);
        let own = own.iter().filter_map(words::help).map(str::to_owned);
        let help: Vec<String> = told.into_iter().chain(own).collect();
        let help = Some(help.join("; ")).filter(|help| !help.is_empty());
        if let [Help::RaiseLimit | Help::AllowUnpriced { .. }] = ways.as_slice() {
            let help = "a person can restart the server with a higher --max-usd, or set `price` in providers.yaml";
            return Self::new(error.code(), error.message()).help(help);
        }
        Self { help, retryable: error.retryable(), ..Self::new(error.code(), message) }
    }
}

//! Messages about events and errors. Agents receive errors as results of tools, not as errors of the protocol.

use discussions::codes::ErrorCode;
use discussions::runner::BeginError;
use discussions::view::{CallOutcome, Event, EventKind, visible_line};
use discussions::workspace::WorkspaceError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli;

/// Returns the message about an event, if a waiting person wants to know about it.
pub(super) fn event(event: &Event) -> Option<String> {
    let who = event.participant.as_deref().unwrap_or_default();
    let text = match &event.kind {
        EventKind::TurnStart { turn, title, asks, .. } => {
            format!("turn {turn}, {title}: asks {}", asks.join(", "))
        }
        EventKind::AnswerStart { provider, .. } => format!("{who} thinks ({provider})"),
        EventKind::AnswerEnd { outcome: CallOutcome::Failed { error }, .. } => {
            format!("{who} could not answer: {}", error.message)
        }
        EventKind::AnswerEnd { outcome, .. } => format!("{who} {}", outcome.as_str()),
        EventKind::Comment { name, .. } => format!("{name} commented"),
        EventKind::Vote { vote, .. } => format!("{who} votes {vote}"),
        EventKind::Phase { title, .. } => format!("phase {title} begins"),
        EventKind::Status { status, .. } => format!("the discussion is {status}"),
        EventKind::Note { message } | EventKind::Error { message, .. } => message.clone(),
        _ => return None,
    };
    Some(visible_line(&text))
}

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

    /// Returns the error of a run that the call itself limits to an amount.
    pub(super) fn with_own_limit(self) -> Self {
        if self.code == ErrorCode::CostBudgetExceeded.as_str() {
            self.help("leave out `max_usd`, or raise it")
        } else {
            self
        }
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
        // An agent needs tools and arguments, not commands for a terminal.
        let (message, help) = cli::words::help::for_agent(error.message(), &error.help());
        Self { help, retryable: error.retryable(), ..Self::new(error.code(), message) }
    }
}

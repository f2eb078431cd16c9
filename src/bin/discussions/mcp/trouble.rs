//! What goes wrong in the domain, in our words: a result that an agent reads, and no error of the protocol.

use discussions::codes::ErrorCode;
use discussions::transcript::visible_line;
use discussions::workspace::{Help, WorkspaceError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::words;

/// What went wrong, and what mends it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct Trouble {
    /// A stable word.
    pub(super) code: &'static str,
    /// What went wrong.
    pub(super) message: String,
    /// What mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<String>,
    /// Whether the same again may help.
    pub(super) retryable: bool,
}

impl Trouble {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code: code.as_str(), message, help: None, retryable: code.retryable() }
    }

    pub(super) fn input(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidInput, message)
    }

    /// Something is asked of a server that only shows.
    pub(super) fn read_only() -> Self {
        Self::new(
            ErrorCode::InvalidState,
            "this server only reads: it was started with --read-only",
        )
        .help("`show`, `search`, `recall` and `list` work; a person starts it without --read-only")
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl From<WorkspaceError> for Trouble {
    fn from(error: WorkspaceError) -> Self {
        if let WorkspaceError::Outside(outside) = &error {
            // Where it leads is nothing for an agent.
            let path = visible_line(&outside.path.to_string_lossy());
            return Self::input(format!(
                "{path} leads out of the project, or of the folder that is served"
            ));
        }
        let ways = error.help();
        let (message, told) = words::told(error.message(), &ways);
        // What an agent can do itself is a tool.
        let help = match ways.as_slice() {
            [Help::ListDiscussions] => Some("`list` shows what there is".to_owned()),
            // An agent has no way to send secrets, and is not told of one.
            [Help::TakeOutSecrets] => {
                Some("leave it out: secrets are not sent to models".to_owned())
            }
            _ => told,
        };
        if let [Help::RaiseLimit | Help::AllowUnpriced { .. }] = ways.as_slice() {
            let help = "a person starts the server with a higher --max-usd, or sets `price` in providers.yaml";
            return Self::new(error.code(), error.message()).help(help);
        }
        Self { help, retryable: error.retryable(), ..Self::new(error.code(), message) }
    }
}

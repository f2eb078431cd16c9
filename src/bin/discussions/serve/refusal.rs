//! What is said to who gets no result: a page for people, a document for programs.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use discussions::codes::ErrorCode;
use discussions::view::Foreign;
use discussions::workspace::{ErrorKind, WorkspaceError};

use super::request::Wanted;
use super::{page, words};

/// Why there is no result.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    code: ErrorCode,
    message: String,
    help: Option<String>,
    retryable: bool,
    /// What the project brought along and nobody agreed to, to be shown.
    foreign: Vec<Foreign>,
    /// What somebody wrote, which must not be lost.
    kept: Option<String>,
    /// The discussion that a page leads back to.
    from: Option<Box<str>>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let code = if status.is_server_error() {
            ErrorCode::InvalidState
        } else {
            ErrorCode::InvalidInput
        };
        let (message, retryable) = (message.into(), code.retryable());
        Self {
            status,
            code,
            message,
            help: None,
            retryable,
            foreign: Vec::new(),
            kept: None,
            from: None,
        }
    }

    /// For what the project brought along and nobody agreed to.
    pub(super) fn not_trusted(foreign: Vec<Foreign>) -> Self {
        let one = foreign.iter().find(|one| one.first).or(foreign.first());
        let what = one.map_or_else(String::new, |one| {
            format!("`{}` is defined by this project ({}:{})", one.provider, one.file, one.line)
        });
        let code = ErrorCode::NotTrusted;
        let refusal = Self::new(StatusCode::FORBIDDEN, what + ", and you have not trusted it");
        let refusal = refusal.help(words::NOT_TRUSTED);
        Self { code, retryable: code.retryable(), foreign, ..refusal }
    }

    /// For a body or an address that cannot be read.
    pub(super) fn unread(status: StatusCode, why: String) -> Self {
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => Self::new(status, "the text is longer than 1 MiB")
                .help("put the long part in a separate file and mention its path"),
            status => Self::new(status, why),
        }
    }

    /// The same with a way to mend it.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The same with what somebody wrote.
    pub(super) fn keeping(self, text: &str) -> Self {
        Self { kept: Some(text.to_owned()).filter(|text| !text.is_empty()), ..self }
    }

    /// The same with the discussion that a page leads back to, unless it is not there.
    pub(super) fn back_to(self, name: &str) -> Self {
        let is_there = self.status != StatusCode::NOT_FOUND;
        Self { from: is_there.then(|| name.into()), ..self }
    }

    /// The same for another reason in the words of HTTP.
    pub(super) fn status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Whether what was asked for is wrong, and nothing else.
    pub(super) fn is_of_input(&self) -> bool {
        self.status == StatusCode::UNPROCESSABLE_ENTITY
    }

    /// In one sentence.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// The same with what helps.
    pub(super) fn whole(&self) -> String {
        match &self.help {
            Some(help) => format!("{}. {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// The same as a page that holds what somebody filled in, with its own status.
    pub(super) fn on(self, page: impl IntoResponse) -> Response {
        (self.status, page).into_response()
    }

    pub(super) fn answer(self, wanted: Wanted) -> Response {
        let status = self.status;
        match wanted {
            Wanted::Json => {
                let mut document = self.code.refused(self.message, self.help);
                document.error.retryable |= self.retryable;
                (status, Json(document)).into_response()
            }
            Wanted::Page => {
                let title = match status {
                    StatusCode::FORBIDDEN => "Not allowed",
                    StatusCode::NOT_FOUND => "Not found",
                    StatusCode::PAYLOAD_TOO_LARGE => "Too long",
                    status if status.is_server_error() => "Failed",
                    _ => "Not done",
                };
                let sorry = page::Sorry {
                    title,
                    message: &self.message,
                    help: self.help.as_deref(),
                    foreign: &self.foreign,
                    kept: self.kept.as_deref(),
                    from: self.from.as_deref(),
                };
                (status, page::sorry(&sorry)).into_response()
            }
        }
    }
}

impl From<WorkspaceError> for Refusal {
    fn from(error: WorkspaceError) -> Self {
        Self::from(&error)
    }
}

impl From<&WorkspaceError> for Refusal {
    fn from(error: &WorkspaceError) -> Self {
        let status = match (error.code(), error.kind()) {
            (ErrorCode::NotTrusted, _) => StatusCode::FORBIDDEN,
            (ErrorCode::InvalidState, ErrorKind::Input) => StatusCode::CONFLICT,
            (_, ErrorKind::NoAnswer) => StatusCode::BAD_GATEWAY,
            (_, ErrorKind::System) if error.retryable() => StatusCode::SERVICE_UNAVAILABLE,
            (_, ErrorKind::System) => StatusCode::INTERNAL_SERVER_ERROR,
            (_, ErrorKind::Input | ErrorKind::Limit) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let (code, retryable) = (error.code(), error.retryable());
        let (message, help) = words::refused(&error);
        Self { status, code, message, help, retryable, foreign: Vec::new(), kept: None, from: None }
    }
}

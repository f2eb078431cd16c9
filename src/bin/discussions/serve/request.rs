//! Parses HTTP requests: the wanted format, the query and the body. Renders errors as a page for
//! people or as JSON for programs.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::header::ACCEPT;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Form, Json};
use discussions::codes::ErrorCode;
use discussions::view::Foreign;
use discussions::workspace::{ErrorKind, WorkspaceError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::app::AppState;
use super::page::{self, encoded};
use super::words;
use crate::cli::words::help::NOT_TRUSTED;

/// The beginning of all paths of the interface for programs.
const PROGRAMS: &str = "/api/";

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseFormat {
    /// A page.
    Page,
    /// A JSON document.
    Json,
}

impl ResponseFormat {
    /// Returns the format for a request: JSON below `/api/`, or if `application/json` comes first
    /// in the `Accept` header.
    pub(super) fn of(request: &Request) -> Self {
        Self::by(request.uri().path(), request.headers())
    }

    fn by(path: &str, headers: &HeaderMap) -> Self {
        let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let is_json = path.starts_with(PROGRAMS) || accept.starts_with("application/json");
        if is_json { Self::Json } else { Self::Page }
    }
}

/// The sender of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    /// The format that it wants.
    pub(super) wanted: ResponseFormat,
    /// True for a program that uses the interface below `/api/`, false for a person in a browser.
    pub(super) is_program: bool,
}

impl FromRequestParts<Arc<AppState>> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<AppState>) -> Result<Self, Infallible> {
        let path = parts.uri.path();
        let wanted = ResponseFormat::by(path, &parts.headers);
        Ok(Self { wanted, is_program: path.starts_with(PROGRAMS) })
    }
}

impl Client {
    /// Responds to a request about a discussion: with JSON, or with a redirect to the discussion's
    /// page.
    pub(super) fn answer(self, name: &str, done: Result<impl Serialize, ApiError>) -> Response {
        match (done, self.wanted) {
            (Ok(document), ResponseFormat::Json) => Json(document).into_response(),
            (Ok(_), ResponseFormat::Page) => {
                Redirect::to(&format!("/d/{}", encoded(name))).into_response()
            }
            (Err(refusal), wanted) => refusal.back_to(name).answer(wanted),
        }
    }
}

/// Answers a program.
pub(super) fn document(done: Result<impl Serialize, ApiError>) -> Response {
    match done {
        Ok(document) => Json(document).into_response(),
        Err(refusal) => refusal.answer(ResponseFormat::Json),
    }
}

/// A body: JSON from programs, a form from pages.
pub(super) struct Sent<T>(pub(super) Result<T, ApiError>);

impl<T: DeserializeOwned> FromRequest<Arc<AppState>> for Sent<T> {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &Arc<AppState>) -> Result<Self, Infallible> {
        let sent = if request.uri().path().starts_with(PROGRAMS) {
            let json = Json::<T>::from_request(request, state).await;
            json.map(|Json(sent)| sent).map_err(|error| (error.status(), error.body_text()))
        } else {
            let form = Form::<T>::from_request(request, state).await;
            form.map(|Form(sent)| sent).map_err(|error| (error.status(), error.body_text()))
        };
        Ok(Self(sent.map_err(|(status, why)| ApiError::unread(status, why))))
    }
}

/// The parsed query, or the error in it.
pub(super) type QueryOf<T> = Result<Query<T>, QueryRejection>;

/// Returns the parameters of a query.
pub(super) fn parse_query<T>(query: QueryOf<T>) -> Result<T, ApiError> {
    match query {
        Ok(Query(asked)) => Ok(asked),
        Err(error) => Err(ApiError::unread(error.status(), error.body_text())),
    }
}

/// The reason why a request has no result.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    code: ErrorCode,
    message: String,
    help: Option<String>,
    retryable: bool,
    /// Project-defined commands that the user does not trust, to be shown.
    foreign: Vec<Foreign>,
    /// The text that the user wrote. The error page displays it, so that it is not lost.
    kept: Option<String>,
    /// The discussion to which a page links back.
    from: Option<Box<str>>,
}

impl ApiError {
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

    /// Returns the error for project-defined commands that the user does not trust.
    pub(super) fn not_trusted(foreign: Vec<Foreign>) -> Self {
        let one = foreign.iter().find(|one| one.first).or(foreign.first());
        let what = one.map_or_else(String::new, |one| {
            format!("`{}` is defined by this project ({}:{})", one.provider, one.file, one.line)
        });
        let code = ErrorCode::NotTrusted;
        let refusal = Self::new(StatusCode::FORBIDDEN, what + ", and you have not trusted it");
        let refusal = refusal.help(NOT_TRUSTED);
        Self { code, retryable: code.retryable(), foreign, ..refusal }
    }

    /// Returns the error for an unreadable body or address.
    pub(super) fn unread(status: StatusCode, why: String) -> Self {
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => Self::new(status, "the text is longer than 1 MiB")
                .help("put the long part in a separate file and mention its path"),
            status => Self::new(status, why),
        }
    }

    /// Adds a fix.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Adds the text that the user wrote.
    pub(super) fn keeping(self, text: &str) -> Self {
        Self { kept: Some(text.to_owned()).filter(|text| !text.is_empty()), ..self }
    }

    /// Adds the discussion to which a page links back, unless it does not exist.
    pub(super) fn back_to(self, name: &str) -> Self {
        let is_there = self.status != StatusCode::NOT_FOUND;
        Self { from: is_there.then(|| name.into()), ..self }
    }

    /// Replaces the HTTP status.
    pub(super) fn status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Returns true if the client caused the error by a wrong request (status 422).
    pub(super) fn is_of_input(&self) -> bool {
        self.status == StatusCode::UNPROCESSABLE_ENTITY
    }

    /// Returns the message.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the message with the fix.
    pub(super) fn whole(&self) -> String {
        match &self.help {
            Some(help) => format!("{}. {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// Returns `page`, which repeats the user's form, with the HTTP status of this error.
    pub(super) fn on(self, page: impl IntoResponse) -> Response {
        (self.status, page).into_response()
    }

    pub(super) fn answer(self, wanted: ResponseFormat) -> Response {
        let status = self.status;
        match wanted {
            ResponseFormat::Json => {
                let mut document = self.code.into_refused(self.message, self.help);
                document.error.retryable |= self.retryable;
                (status, Json(document)).into_response()
            }
            ResponseFormat::Page => {
                let title = match status {
                    StatusCode::FORBIDDEN => "Not allowed",
                    StatusCode::NOT_FOUND => "Not found",
                    StatusCode::PAYLOAD_TOO_LARGE => "Too long",
                    status if status.is_server_error() => "Failed",
                    _ => "Not done",
                };
                let sorry = page::ErrorPage {
                    title,
                    message: &self.message,
                    help: self.help.as_deref(),
                    foreign: &self.foreign,
                    kept: self.kept.as_deref(),
                    from: self.from.as_deref(),
                };
                (status, page::error_page(&sorry)).into_response()
            }
        }
    }
}

impl From<WorkspaceError> for ApiError {
    fn from(error: WorkspaceError) -> Self {
        Self::from(&error)
    }
}

impl From<&WorkspaceError> for ApiError {
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
        let (message, help) = words::refused(error);
        Self { status, code, message, help, retryable, foreign: Vec::new(), kept: None, from: None }
    }
}

//! Reads a request: the format of its answer, its query and its body.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::HeaderMap;
use axum::http::header::ACCEPT;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::{Form, Json};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::app::AppState;
use super::error::ApiError;
use super::page::encoded;

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
    /// Returns the format for a request: JSON below `/api/`, or if the client accepts it first.
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
    /// A program that uses the interface below `/api/`, not a person in a browser.
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
    /// Answers about a discussion: with a document, or by leading a browser back to its page.
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

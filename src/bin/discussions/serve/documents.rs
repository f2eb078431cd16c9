//! The JSON documents for programs; the command line prints them too.

use std::sync::Arc;

use axum::extract::{Path, State as Shared};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;

use super::app::AppState;
use super::error::ApiError;
use super::page;
use super::request::{Client, QueryOf, ResponseFormat, document, parse_query};

/// The maximum number of past decisions in a response.
const RECALLED: usize = 5;

pub(super) async fn list(Shared(house): Shared<Arc<AppState>>) -> Response {
    document(house.blocking(|workspace| Ok(workspace.list(None)?.discussions)).await)
}

pub(super) async fn decisions(Shared(house): Shared<Arc<AppState>>) -> Response {
    document(house.blocking(|workspace| Ok(workspace.decisions(None)?.decided)).await)
}

/// The words of a search.
#[derive(Deserialize)]
pub(super) struct Sought {
    q: String,
}

pub(super) async fn search(
    Shared(house): Shared<Arc<AppState>>,
    sought: QueryOf<Sought>,
) -> Response {
    let done = async {
        let Sought { q } = parse_query(sought)?;
        house.blocking(move |workspace| Ok(workspace.search(&workspace.searching(q))?.found)).await
    };
    document(done.await)
}

/// Returns past decisions that are similar to a question.
pub(super) async fn recall(
    Shared(house): Shared<Arc<AppState>>,
    client: Client,
    sought: QueryOf<Sought>,
) -> Response {
    let done = async {
        let Sought { q } = parse_query(sought)?;
        let question = q.clone();
        let found = house.blocking(move |workspace| workspace.recall(&question, RECALLED, None));
        Ok::<_, ApiError>((q, found.await?))
    };
    match (done.await, client.wanted) {
        (Ok((q, found)), ResponseFormat::Page) => page::recall_page(&q, &found).into_response(),
        (done, wanted) => match done {
            Ok((_, found)) => document(Ok(found)),
            Err(refusal) => refusal.answer(wanted),
        },
    }
}

/// Returns the outcomes and costs of all discussions.
pub(super) async fn stats(Shared(house): Shared<Arc<AppState>>, client: Client) -> Response {
    match (house.blocking(|workspace| workspace.stats(None)).await, client.wanted) {
        (Ok(stats), ResponseFormat::Page) => page::stats_page(&stats).into_response(),
        (Ok(stats), ResponseFormat::Json) => document(Ok(stats)),
        (Err(refusal), wanted) => refusal.answer(wanted),
    }
}

pub(super) async fn show(
    Shared(house): Shared<Arc<AppState>>,
    Path(name): Path<String>,
) -> Response {
    document(house.with_discussion(&name, |workspace, path| workspace.show(&path)).await)
}

pub(super) async fn status(
    Shared(house): Shared<Arc<AppState>>,
    Path(name): Path<String>,
) -> Response {
    document(house.with_discussion(&name, |workspace, path| workspace.status(&path)).await)
}

pub(super) async fn result(
    Shared(house): Shared<Arc<AppState>>,
    Path(name): Path<String>,
) -> Response {
    document(house.with_discussion(&name, |workspace, path| workspace.result(&path)).await)
}

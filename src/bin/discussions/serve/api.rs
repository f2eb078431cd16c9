//! What programs are served: the documents of the command line.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State as Shared};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

use super::forms::{self, Go, Onward, Said};
use super::house::House;
use super::refusal::{Refusal, Wanted};
use super::{dialogue, openapi};

/// The ways in for programs; [`openapi`] describes each, and a test holds the two together.
pub(super) fn router() -> Router<Arc<House>> {
    Router::new()
        .route("/api/openapi.json", get(|| async { Json(openapi::document()) }))
        .route("/api/discussion", post(dialogue::start))
        .route("/api/discussions", get(list))
        .route("/api/decisions", get(decisions))
        .route("/api/search", get(search))
        .route("/api/recall", get(recall))
        .route("/api/stats", get(stats))
        .route("/api/discussions/{name}", get(show))
        .route("/api/discussions/{name}/status", get(status))
        .route("/api/discussions/{name}/result", get(result))
        .route("/api/discussions/{name}/events", get(super::events::events))
        .route("/api/discussions/{name}/comments", post(comment))
        .route("/api/discussions/{name}/turn", post(turn))
        .route("/api/discussions/{name}/run", post(run))
        .route("/api/discussions/{name}/stop", post(stop))
        .route("/api/discussions/{name}/advance", post(advance))
        .route("/api/discussions/{name}/close", post(close))
        .route("/api/discussions/{name}/reopen", post(reopen))
}

/// Most decisions that are recalled.
pub(super) const RECALLED: usize = 5;

/// What a program sent, before it is looked at.
type Sent<T> = Result<Json<T>, JsonRejection>;

/// What stands in an address, before it is looked at.
pub(super) type Asked<T> = Result<Query<T>, QueryRejection>;

pub(super) fn asked<T>(query: Asked<T>) -> Result<Query<T>, Refusal> {
    query.map_err(|error| Refusal::unread(error.status(), error.body_text()))
}

fn sent<T>(body: Sent<T>) -> Result<T, Refusal> {
    match body {
        Ok(Json(sent)) => Ok(sent),
        Err(error) => Err(Refusal::unread(error.status(), error.body_text())),
    }
}

fn answer(done: Result<impl Serialize, Refusal>) -> Response {
    match done {
        Ok(document) => Json(document).into_response(),
        Err(refusal) => refusal.answer(Wanted::Json),
    }
}

async fn list(Shared(house): Shared<Arc<House>>) -> Response {
    answer(house.aside(|workspace| Ok(workspace.list(None)?.discussions)).await)
}

async fn decisions(Shared(house): Shared<Arc<House>>) -> Response {
    answer(house.aside(|workspace| Ok(workspace.decisions(None)?.decided)).await)
}

/// What is looked for.
#[derive(Deserialize)]
pub(super) struct Sought {
    pub(super) q: String,
}

async fn search(Shared(house): Shared<Arc<House>>, sought: Asked<Sought>) -> Response {
    let done = async {
        let Query(Sought { q }) = asked(sought)?;
        house.aside(move |workspace| Ok(workspace.search(&workspace.searching(q))?.found)).await
    };
    answer(done.await)
}

async fn recall(Shared(house): Shared<Arc<House>>, sought: Asked<Sought>) -> Response {
    let done = async {
        let Query(Sought { q }) = asked(sought)?;
        house.aside(move |workspace| workspace.recall(&q, RECALLED, None)).await
    };
    answer(done.await)
}

async fn stats(Shared(house): Shared<Arc<House>>) -> Response {
    answer(house.aside(|workspace| workspace.stats(None)).await)
}

async fn show(Shared(house): Shared<Arc<House>>, Path(name): Path<String>) -> Response {
    let done = async {
        let path = house.find(&name).await?;
        house.aside(move |workspace| workspace.show(&path)).await
    };
    answer(done.await)
}

async fn status(Shared(house): Shared<Arc<House>>, Path(name): Path<String>) -> Response {
    let done = async {
        let path = house.find(&name).await?;
        house.aside(move |workspace| workspace.status(&path)).await
    };
    answer(done.await)
}

async fn result(Shared(house): Shared<Arc<House>>, Path(name): Path<String>) -> Response {
    let done = async {
        let path = house.find(&name).await?;
        house.aside(move |workspace| workspace.result(&path)).await
    };
    answer(done.await)
}

async fn comment(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    body: Sent<Said>,
) -> Response {
    let done = async { Ok(forms::write(&house, &name, sent(body)?).await?.0) };
    answer(done.await)
}

async fn turn(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    body: Sent<Go>,
) -> Response {
    let done = async { forms::go(&house, &name, sent(body)?, true).await };
    answer(done.await)
}

async fn run(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    body: Sent<Go>,
) -> Response {
    let done = async { forms::go(&house, &name, sent(body)?, false).await };
    answer(done.await)
}

async fn stop(Shared(house): Shared<Arc<House>>, Path(name): Path<String>) -> Response {
    answer(forms::halt(&house, &name).await)
}

async fn advance(
    Shared(house): Shared<Arc<House>>,
    Path(name): Path<String>,
    body: Sent<Onward>,
) -> Response {
    let done = async { forms::onward(&house, &name, sent(body)?).await };
    answer(done.await)
}

async fn close(Shared(house): Shared<Arc<House>>, Path(name): Path<String>) -> Response {
    answer(forms::set_closed(&house, &name, true).await)
}

async fn reopen(Shared(house): Shared<Arc<House>>, Path(name): Path<String>) -> Response {
    answer(forms::set_closed(&house, &name, false).await)
}

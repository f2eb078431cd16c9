//! Pages of what was before: what was decided on a question, what all discussions came to and cost.

use std::sync::Arc;

use axum::extract::{Query, State as Shared};
use axum::response::{IntoResponse as _, Response};

use super::api::{Asked, RECALLED, Sought, asked};
use super::house::House;
use super::page;
use super::refusal::{Refusal, Wanted};

/// What was decided before that is near to a question.
pub(super) async fn recall(Shared(house): Shared<Arc<House>>, sought: Asked<Sought>) -> Response {
    let drawn = async {
        let Query(Sought { q }) = asked(sought)?;
        let question = q.clone();
        let found = house.aside(move |workspace| workspace.recall(&question, RECALLED, None));
        Ok::<_, Refusal>(page::recalled(&q, &found.await?).into_response())
    };
    drawn.await.unwrap_or_else(|refusal| refusal.answer(Wanted::Page))
}

/// What all discussions came to, and what they cost.
pub(super) async fn stats(Shared(house): Shared<Arc<House>>) -> Response {
    match house.aside(|workspace| workspace.stats(None)).await {
        Ok(stats) => page::counted(&stats).into_response(),
        Err(refusal) => refusal.answer(Wanted::Page),
    }
}

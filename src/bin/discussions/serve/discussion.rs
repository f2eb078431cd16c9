//! Handlers for the page of one discussion, and for the list of discussions beside it. The page
//! reads only its own discussion; the browser requests the list later.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State as Shared};
use axum::response::{IntoResponse as _, Response};
use discussions::view::Shown;
use serde::Deserialize;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::spawn_blocking;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::UnboundedReceiverStream;

use super::app::AppState;
use super::live::{DiscussionState, RenderedDiscussion};
use super::page::{self, ComposerDraft, Html, PageContext};
use super::request::{ApiError, QueryOf, ResponseFormat, parse_query};

/// A discussion as it was read for one page.
pub(super) struct Viewed {
    pub(super) path: PathBuf,
    pub(super) shown: Shown,
    /// The price of the step that the page offers. `None` if the step costs nothing, or while a run
    /// is in progress.
    pub(super) price: Option<String>,
}

/// Options of the page.
#[derive(Deserialize)]
pub(super) struct Reads {
    /// Any value: the page reloads itself and has no form.
    follow: Option<String>,
}

/// Shows a discussion.
pub(super) async fn discussion(
    Shared(house): Shared<Arc<AppState>>,
    Path(name): Path<String>,
    reads: QueryOf<Reads>,
) -> Response {
    let page = async {
        let Reads { follow } = parse_query(reads)?;
        let draft = ComposerDraft { author: house.author.clone(), ..ComposerDraft::default() };
        let shared = Arc::clone(&house);
        let viewed =
            house.with_discussion(&name, move |workspace, path| shared.view(workspace, path));
        Ok::<_, ApiError>(draw_page(&house, &name, viewed.await?, follow.is_some(), draft))
    };
    page.await.unwrap_or_else(|refusal| refusal.answer(ResponseFormat::Page))
}

/// The query for the list beside a discussion, with that discussion's name.
#[derive(Deserialize)]
pub(super) struct ListQuery {
    #[serde(default)]
    here: String,
}

/// Returns the list beside a discussion's page, as a piece of HTML.
pub(super) async fn list(
    Shared(house): Shared<Arc<AppState>>,
    beside: QueryOf<ListQuery>,
) -> Response {
    let rows = async {
        let ListQuery { here } = parse_query(beside)?;
        Ok::<_, ApiError>(page::side_list(&*house.list().await?, &here).into_response())
    };
    rows.await.unwrap_or_else(|refusal| refusal.answer(ResponseFormat::Page))
}

/// Draws the page of a discussion, with this draft in its form.
pub(super) fn draw_page(
    house: &Arc<AppState>,
    name: &str,
    viewed: Viewed,
    follows: bool,
    draft: ComposerDraft,
) -> Response {
    let Viewed { path, shown, price } = viewed;
    let room = house.known_room(&path);
    let mut state = room.as_ref().map(|room| room.state().borrow().clone()).unwrap_or_default();
    if !state.is_running {
        state.price = price;
    }
    let seen = room.map(|room| room.sight().borrow().clone());
    let name = name.to_owned();
    // This channel holds the pieces for a slow reader, so that no thread has to wait for that reader.
    let (send, pieces) = unbounded_channel();
    let fails = send.clone();
    let drawing = spawn_blocking(move || {
        // Reuse the rendered discussion if another reader has already opened this text.
        let picture = match seen {
            Some(DiscussionState::Seen(seen)) if seen.shown.text == shown.text => seen,
            _ => Arc::new(RenderedDiscussion::of(shown)),
        };
        let (picture, state) = (&*picture, &state);
        let scene = PageContext { name: &name, picture, state, draft: &draft, follows };
        page::discussion(&scene, &mut |piece| send.send(Ok(piece)).is_ok());
    });
    // If drawing fails, break off the connection, so that the browser reports the failure.
    tokio::spawn(async move { drawing.await.map_err(|broken| fails.send(Err(broken))) });
    let pieces = UnboundedReceiverStream::new(pieces).map(|piece| piece.map(Html::into_string));
    page::Answer(Body::from_stream(pieces)).into_response()
}

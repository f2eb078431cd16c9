//! Streams the changes of a discussion as server-sent events. Sends keep-alive comments, so that
//! proxies do not close a quiet stream.
//!
//! The changes come from the file: an event's id is an offset in it. A reader who reconnects continues there, even if
//! the server was restarted in the meantime.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State as Shared};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::{self, Receiver};
use tokio_stream::wrappers::ReceiverStream;

use super::app::AppState;
use super::live::{
    DiscussionState, GrowingAnswer, LiveAnswer, LiveDiscussion, LiveRunState, RenderedDiscussion,
};
use super::page;
use super::request::{ApiError, QueryOf, ResponseFormat, parse_query};

/// The number of events that are queued for a slow reader. A full queue delays only that reader.
const AHEAD: usize = 32;

/// The place at which a reader begins.
#[derive(Deserialize)]
pub(super) struct From {
    /// The number of bytes of the file that the reader has seen.
    from: Option<usize>,
}

/// Streams all changes from now on, or from the offset that the reader has seen.
pub(super) async fn events(
    Shared(house): Shared<Arc<AppState>>,
    Path(name): Path<String>,
    from: QueryOf<From>,
    headers: HeaderMap,
) -> Response {
    let room = async {
        let from = parse_query(from)?;
        let shared = Arc::clone(&house);
        let room =
            house.with_discussion(&name, move |workspace, path| shared.room(workspace, &path));
        Ok((room.await?, from))
    };
    let (room, from) = match room.await {
        Ok(found) => found,
        Err(refusal) => return ApiError::answer(refusal, ResponseFormat::Json),
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let (sender, receiver) = mpsc::channel(AHEAD);
    let (seen, shared) = (last.or(from.from), Arc::clone(&house));
    let teller = EventSender { name, house: shared, sender, seen, before: None };
    tokio::spawn(async move {
        tokio::select! {
            // The end of the reader's connection ends the task too.
            _ = teller.tell(room) => {}
            () = house.wait_closed() => {}
        }
    });
    streamed(receiver)
}

/// Sends the events to one reader.
struct EventSender {
    name: String,
    house: Arc<AppState>,
    sender: mpsc::Sender<Result<Event, Infallible>>,
    /// The offset up to which the reader has seen the file; `None` means that the reader wants only later changes.
    seen: Option<usize>,
    before: Option<Arc<RenderedDiscussion>>,
}

/// The error that the reader is gone.
struct ClientDisconnected;

/// An entry of the file.
#[derive(Serialize)]
struct BlockEvent<'b> {
    id: &'b str,
    html: &'b str,
}

/// The parts of the page beside the entries.
#[derive(Serialize)]
struct SidePanel<'b> {
    title: &'b str,
    heading: String,
    panel: String,
    outcome: String,
    options: String,
    running: bool,
}

impl EventSender {
    async fn tell(mut self, room: Arc<LiveDiscussion>) -> Result<(), ClientDisconnected> {
        let (mut sight, mut state) = (room.sight(), room.state());
        let (speaking, mut live) = room.listen();
        sight.mark_changed();
        for one in speaking {
            self.begin(&one).await?;
        }
        loop {
            tokio::select! {
                () = self.sender.closed() => return Err(ClientDisconnected),
                Ok(()) = sight.changed() => {
                    let (now, run) = (sight.borrow_and_update().clone(), state.borrow_and_update().clone());
                    self.look(&room, now, run).await?;
                }
                Ok(()) = state.changed() => {
                    let run = state.borrow_and_update().clone();
                    if let Some(picture) = self.before.clone() {
                        self.send_side_panel(&room, &picture, run).await?;
                    }
                }
                told = live.recv() => match told {
                    Ok(live) => self.live(live).await?,
                    Err(RecvError::Lagged(_)) => {
                        // A reader that was too slow gets each growing answer again as a whole, and no piece twice.
                        let (speaking, again) = room.listen();
                        live = again;
                        for one in speaking {
                            self.begin(&one).await?;
                        }
                    }
                    Err(RecvError::Closed) => return Ok(()),
                },
            }
        }
    }

    /// Sends the new entries of the file, or an event that older text was changed.
    async fn look(
        &mut self,
        room: &LiveDiscussion,
        now: DiscussionState,
        run: LiveRunState,
    ) -> Result<(), ClientDisconnected> {
        let picture = match now {
            DiscussionState::Unread => return Ok(()),
            DiscussionState::Seen(picture) => picture,
            DiscussionState::Gone(why) => return self.send("gone", None, &*why).await,
        };
        let seen = *self.seen.get_or_insert(picture.end());
        let goes_on = self.before.as_ref().is_none_or(|before| picture.goes_on_from(before));
        if goes_on && picture.knows(seen) {
            for (id, end, html) in picture.blocks_after(seen) {
                let block = BlockEvent { id, html: html.as_str() };
                self.send("block", Some(end), &block).await?;
            }
        } else {
            self.send("rewritten", None, &"").await?;
        }
        self.seen = Some(picture.end());
        self.before = Some(Arc::clone(&picture));
        self.send_side_panel(room, &picture, run).await
    }

    async fn send_side_panel(
        &self,
        room: &LiveDiscussion,
        picture: &Arc<RenderedDiscussion>,
        mut run: LiveRunState,
    ) -> Result<(), ClientDisconnected> {
        let status = &picture.shown.status;
        if !run.is_running {
            let (house, picture) = (Arc::clone(&self.house), Arc::clone(picture));
            let path = room.path().to_owned();
            let price = self.house.blocking(move |workspace| {
                Ok(house.price_of_next(workspace, &path, &picture.shown))
            });
            run.price = price.await.ok().flatten();
        }
        let notes = status.notes.lines();
        let beside = SidePanel {
            title: &picture.shown.title,
            heading: page::heading(picture).into_string(),
            panel: page::panel(&self.name, picture, &run, &notes).into_string(),
            outcome: page::outcome(picture).into_string(),
            options: page::options(status).into_string(),
            running: run.is_running,
        };
        self.send("panel", Some(picture.end()), &beside).await
    }

    async fn live(&self, live: LiveAnswer) -> Result<(), ClientDisconnected> {
        match live {
            LiveAnswer::Begin(one) => self.begin(&one).await,
            LiveAnswer::Chunk { who, text } => {
                self.send("chunk", None, &serde_json::json!({ "who": who, "text": text })).await
            }
            LiveAnswer::Over { who, is_recorded } => {
                let over = serde_json::json!({ "who": who, "recorded": is_recorded });
                self.send("over", None, &over).await
            }
        }
    }

    async fn begin(&self, one: &GrowingAnswer) -> Result<(), ClientDisconnected> {
        let status = self.before.as_ref().map(|picture| &picture.shown.status);
        let begun = serde_json::json!({
            "who": one.who, "name": one.name, "provider": one.provider, "text": one.text,
            "colour": status.map_or(0, |status| page::colour(status, &one.who)),
        });
        self.send("answer", None, &begun).await
    }

    /// Sends an event. Only recorded text has an id; text that may never be recorded has none.
    async fn send(
        &self,
        name: &str,
        id: Option<usize>,
        data: &(impl Serialize + ?Sized),
    ) -> Result<(), ClientDisconnected> {
        let event = Event::default().event(name);
        let event = id.map(|id| event.clone().id(id.to_string())).unwrap_or(event);
        let event = event.json_data(data).map_err(|_| ClientDisconnected)?;
        self.sender.send(Ok(event)).await.map_err(|_| ClientDisconnected)
    }
}

/// The time without an event after which a comment is sent.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Streams the events. Sends a comment line after each period without an event.
pub(super) fn streamed(receiver: Receiver<Result<Event, Infallible>>) -> Response {
    let life = KeepAlive::new().interval(SIGN_OF_LIFE);
    Sse::new(ReceiverStream::new(receiver)).keep_alive(life).into_response()
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use tokio::sync::mpsc::channel;
    use tokio::time::Instant;
    use tokio_stream::StreamExt as _;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn keep_alive_comment_is_sent_after_15_quiet_seconds() {
        let (sender, receiver) = channel(4);
        let mut body = pin!(streamed(receiver).into_body().into_data_stream());
        let began = Instant::now();
        let mut heard = Vec::new();
        for at in [15, 30] {
            let line = body.next().await.unwrap().unwrap();
            heard.push((began.elapsed().as_secs(), line.to_vec()));
            assert_eq!(heard.last().unwrap(), &(at, b":\n\n".to_vec()));
        }
        // An event also keeps the connection alive.
        tokio::time::sleep(Duration::from_secs(10)).await;
        sender.send(Ok(Event::default().event("panel").data("x"))).await.unwrap();
        let told = body.next().await.unwrap().unwrap();
        assert_eq!((began.elapsed().as_secs(), &told[..]), (40, &b"event: panel\ndata: x\n\n"[..]));
        assert_eq!(body.next().await.unwrap().unwrap(), ":\n\n");
        assert_eq!(began.elapsed().as_secs(), 55);
        drop(sender);
        assert!(body.next().await.is_none(), "it ends when nobody tells anything any more");
    }
}

//! Server-sent events with keep-alive comments, so that proxies do not close a quiet stream.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::mpsc::Receiver;
use tokio_stream::wrappers::ReceiverStream;

/// The time without an event after which a comment is sent.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Streams the events, with a comment line after each period without one.
pub(super) fn streamed(receiver: Receiver<Result<Event, Infallible>>) -> Response {
    let life = KeepAlive::new().interval(SIGN_OF_LIFE);
    Sse::new(ReceiverStream::new(receiver)).keep_alive(life).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::pin::pin;

    use tokio::sync::mpsc::channel;
    use tokio::time::Instant;
    use tokio_stream::StreamExt as _;

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

//! A lock that another process holds delays neither Ctrl-C nor the text of another call.

use std::sync::Arc;
use std::time::Duration;

use discussions::codes::StopCode;
use discussions::provider::{
    Availability, CallFuture, Environment, Provider, ProviderName, Reply, Request,
};
use discussions::runner::{Abort, RunOptions, Runner};
use discussions::store::Writer;
use discussions::view::{CallOutcome, EventKind};
use tokio::sync::Notify;

use crate::finished_run::{TWO, new};
use crate::project::Project;

/// A provider that answers the first call at once; the second call starts after that answer and never ends.
struct Pair {
    name: ProviderName,
    answered: Notify,
}

impl Provider for Pair {
    fn name(&self) -> &ProviderName {
        &self.name
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            if request.context.participant.as_str() == "architect" {
                self.answered.notify_one();
                return Ok(Reply { text: "Measure first.".to_owned(), ..Reply::default() });
            }
            self.answered.notified().await;
            // Runs after the first answer in the queue of this one thread.
            tokio::task::yield_now().await;
            if let Some(tell) = request.on_text {
                tell("I begin");
            }
            std::future::pending().await
        })
    }

    fn availability(&self, _: &Environment) -> Availability {
        Availability::Ready { through: None }
    }
}

#[tokio::test]
async fn held_lock_delays_neither_text_nor_ctrl_c() {
    let project = Project::new();
    let path = project.create(&new("synthesis", &TWO, &[]));
    let name = ProviderName::parse("pair").unwrap();
    let pair = Pair { name, answered: Notify::new() };
    let runner = Runner::new(project.workspace()).with_provider(Arc::new(pair));
    let options =
        RunOptions { provider: Some("pair".to_owned()), ..RunOptions::with_default_limits() };
    let (handle, abort) = Abort::new();
    let (mut held, mut heard, mut recorded) = (None, Vec::new(), 0);
    let mut observe = |event: discussions::view::Event| match event.kind {
        EventKind::AnswerStart { .. } if held.is_none() => {
            held = Some(Writer::lock(&path, Duration::ZERO).unwrap());
        }
        EventKind::AnswerChunk { text } => {
            heard.push(text);
            handle.abort();
        }
        EventKind::AnswerEnd { outcome: CallOutcome::Answered { .. }, .. } => recorded += 1,
        _ => {}
    };
    let ended = runner.execute(&path, &options, &mut observe, abort).await.unwrap();
    assert_eq!(ended.stopped, StopCode::Aborted);
    assert_eq!(heard, ["I begin"], "told while the other's answer waits for the lock");
    assert_eq!(recorded, 0, "and nobody could write");
    assert!(held.is_some(), "for the lock is still held");
    drop(held);
    assert!(!project.read(&path).contains("Name: AI-Security"));
}

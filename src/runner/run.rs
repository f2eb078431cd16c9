//! A turn or a run that goes on by itself, whoever looks at it.

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::aside::done;
use super::options::Settings;
use super::{Abort, AbortHandle, RunReport, Runner};
use crate::view::{Event, EventKind, Ran, Status};
use crate::workspace::{Workspace, WorkspaceError};

/// A turn or a run that goes on by itself. Dropped, it goes on all the same; [`Run::abort_handle`] stops it.
pub struct Run {
    events: UnboundedReceiver<Event>,
    progress: watch::Receiver<Progress>,
    abort: AbortHandle,
    ended: JoinHandle<Result<RunReport, WorkspaceError>>,
    workspace: Arc<Workspace>,
}

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Turns that began.
    pub turns: u32,
    /// The phase of the last turn.
    pub phase: String,
    /// The number of participants in the last turn.
    pub asked: usize,
    /// How many of them answered, passed or failed.
    pub ended: usize,
    /// The participants that are answering, by alias, with their text so far.
    pub speaking: Vec<Speaking>,
}

/// A participant whose answer is not complete yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Speaking {
    /// The participant's alias.
    pub participant: String,
    /// The text so far. Only a complete answer counts.
    pub text: String,
}

impl Run {
    /// The next thing that happens; none when the run has ended.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }

    /// How far it is now.
    pub fn progress(&self) -> Progress {
        self.progress.borrow().clone()
    }

    /// Stops it: running calls are killed, what was appended stays.
    pub fn abort_handle(&self) -> AbortHandle {
        self.abort.clone()
    }

    /// Waits for the end, and tells what it came to.
    ///
    /// # Errors
    /// Why the run could not begin or go on.
    pub async fn end(self) -> Result<Ran, WorkspaceError> {
        let report = done(self.ended.await).await?;
        let file = self.workspace.exactly(&report.file);
        let status = Status::of(&self.workspace.snapshot(&report.file)?, file);
        Ok(report.view(status))
    }
}

impl Runner {
    /// Starts a turn or a run beside the caller. Must be called within a tokio runtime.
    pub(super) fn start(self, settings: Settings, path: PathBuf) -> Run {
        let (sender, events) = unbounded_channel();
        let (told, progress) = watch::channel(Progress::default());
        let (abort, aborted) = Abort::new();
        let workspace = Arc::clone(&self.workspace);
        let ended = tokio::spawn(async move {
            let mut observe = |event: Event| {
                told.send_modify(|progress| progress.saw(&event));
                // Nobody looking is no reason to stop.
                let _ = sender.send(event);
            };
            self.execute_resolved(&path, settings, &mut observe, aborted).await
        });
        Run { events, progress, abort, ended, workspace }
    }
}

impl Progress {
    /// What an event changes.
    fn saw(&mut self, event: &Event) {
        let who = event.participant.clone().unwrap_or_default();
        match &event.kind {
            EventKind::TurnStart { phase, asks, .. } => {
                self.turns += 1;
                (self.phase, self.asked, self.ended) = (phase.clone(), asks.len(), 0);
            }
            EventKind::AnswerStart { .. } => {
                self.speaking.push(Speaking { participant: who, text: String::new() });
            }
            EventKind::AnswerChunk { text } => {
                if let Some(one) = self.speaking.iter_mut().find(|one| one.participant == who) {
                    one.text.push_str(text);
                }
            }
            EventKind::AnswerEnd { .. } => {
                self.ended += 1;
                self.speaking.retain(|one| one.participant != who);
            }
            EventKind::TurnEnd { .. } => self.speaking.clear(),
            _ => {}
        }
    }
}

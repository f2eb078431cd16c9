//! A live discussion: its current text, its growing answers, and its run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::runner::Update;
use discussions::view::{CallOutcome, EventKind};
use discussions::workspace::{Workspace, WorkspaceError};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{broadcast, watch};

use super::rendered::RenderedDiscussion;
use super::words;

/// The number of pieces of growing answers that wait for a slow reader. A slower reader gets the answers again as a
/// whole.
const BACKLOG: usize = 256;

/// The state of a discussion's text.
#[derive(Clone)]
pub(super) enum DiscussionState {
    /// The file was not read yet.
    Unread,
    /// The last version of the file.
    Seen(Arc<RenderedDiscussion>),
    /// The file cannot be read now, with the reason.
    Gone(Arc<str>),
}

/// An update about an answer that is not complete yet.
#[derive(Clone, Debug)]
pub(super) enum LiveAnswer {
    /// A participant begins an answer, or begins it again.
    Begin(GrowingAnswer),
    /// A further piece of the answer.
    Chunk {
        /// The alias of the participant.
        who: String,
        text: String,
    },
    /// The answer is in the file, or there will be none.
    Over {
        /// The alias of the participant.
        who: String,
        is_recorded: bool,
    },
}

/// A participant with an answer that is still growing.
#[derive(Clone, Debug)]
pub(super) struct GrowingAnswer {
    /// The alias of the participant.
    pub(super) who: String,
    pub(super) name: String,
    pub(super) provider: String,
    pub(super) text: String,
}

/// The run of a live discussion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LiveRunState {
    pub(super) is_running: bool,
    /// The last note about the current run.
    pub(super) note: Option<String>,
    /// The reason why the last run ended, if it must be shown.
    pub(super) ended: Option<String>,
    /// The price of the current run, or on a page the price of the step that it offers.
    pub(super) price: Option<String>,
}

/// The expected price of a turn or a run.
pub(super) struct RunPrice {
    /// The price in a sentence; `None` if there are no calls, or if they cost nothing.
    pub(super) sentence: Option<String>,
    /// The user should confirm the price first.
    pub(super) asks_first: bool,
}

/// A discussion that is open in a browser.
pub(super) struct LiveDiscussion {
    path: PathBuf,
    sight: watch::Sender<DiscussionState>,
    state: watch::Sender<LiveRunState>,
    /// The growing answers. The lock is held while an update is sent, so that a reader who joins in between gets
    /// everything exactly once.
    speaking: Mutex<Vec<GrowingAnswer>>,
    told: broadcast::Sender<LiveAnswer>,
    follower: tokio::task::AbortHandle,
}

impl Drop for LiveDiscussion {
    fn drop(&mut self) {
        self.follower.abort();
    }
}

impl LiveDiscussion {
    /// Opens a live discussion, and follows its file from now on.
    pub(super) fn open(
        path: PathBuf,
        workspace: &Arc<Workspace>,
    ) -> Result<Arc<Self>, WorkspaceError> {
        let mut follow = workspace.follow(&path)?;
        let sight = watch::Sender::new(DiscussionState::Unread);
        let seen = sight.clone();
        let follower = tokio::spawn(async move {
            while let Some(now) = follow.next().await {
                seen.send_replace(match now {
                    Ok(shown) => DiscussionState::Seen(Arc::new(RenderedDiscussion::of(shown))),
                    Err(error) => DiscussionState::Gone(error.message().into()),
                });
            }
        })
        .abort_handle();
        let (state, speaking) = Default::default();
        let told = broadcast::Sender::new(BACKLOG);
        Ok(Arc::new(Self { path, sight, state, speaking, told, follower }))
    }

    /// Returns the discussion's file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reason why the last run ended, if it must be shown and nothing was written since.
    pub(super) fn stop_reason(&self) -> Option<String> {
        self.state.borrow().ended.clone()
    }

    /// Returns the current text and its changes.
    pub(super) fn sight(&self) -> watch::Receiver<DiscussionState> {
        self.sight.subscribe()
    }

    /// Returns the current run and its changes.
    pub(super) fn state(&self) -> watch::Receiver<LiveRunState> {
        self.state.subscribe()
    }

    /// Returns the growing answers, and their updates from now on.
    pub(super) fn listen(&self) -> (Vec<GrowingAnswer>, broadcast::Receiver<LiveAnswer>) {
        let speaking = self.speaking();
        (speaking.clone(), self.told.subscribe())
    }

    /// Shows that a run begins, and its price.
    pub(super) fn begin(&self, price: Option<String>) {
        self.state.send_replace(LiveRunState { is_running: true, note: None, ended: None, price });
    }

    /// Shows an update of the run to all readers, and to the client that began it.
    pub(super) fn show(&self, update: Update, tap: Option<&UnboundedSender<Update>>) {
        if let Some(tap) = tap {
            // The client may have disconnected.
            let _ = tap.send(update.clone());
        }
        match update {
            Update::Event(event) => self.tell(event.participant, event.kind),
            Update::Ended(done) => {
                let ended = match &*done {
                    Ok(ran) => words::end_sentence(ran),
                    Err(error) => Some(words::failed(error)),
                };
                self.discard_partial_answers();
                self.state.send_replace(LiveRunState {
                    is_running: false,
                    note: None,
                    ended,
                    price: None,
                });
            }
        }
    }

    /// Discards the answers that are still growing when a run is over: they were never recorded.
    fn discard_partial_answers(&self) {
        let mut speaking = self.speaking();
        for GrowingAnswer { who, .. } in speaking.drain(..) {
            // There may be no readers.
            let _ = self.told.send(LiveAnswer::Over { who, is_recorded: false });
        }
    }

    fn tell(&self, participant: Option<String>, kind: EventKind) {
        if let EventKind::Note { message } = kind {
            self.state.send_modify(|state| state.note = Some(message));
            return;
        }
        let Some(who) = participant else { return };
        let mut speaking = self.speaking();
        let live = match kind {
            EventKind::AnswerStart { name, provider, .. } => {
                let begun = GrowingAnswer { who, name, provider, text: String::new() };
                speaking.retain(|one| one.who != begun.who);
                speaking.push(begun.clone());
                LiveAnswer::Begin(begun)
            }
            EventKind::AnswerChunk { text } => {
                if let Some(one) = speaking.iter_mut().find(|one| one.who == who) {
                    one.text.push_str(&text);
                }
                LiveAnswer::Chunk { who, text }
            }
            EventKind::AnswerEnd { outcome, .. } => {
                speaking.retain(|one| one.who != who);
                let is_recorded = matches!(outcome, CallOutcome::Answered { .. });
                LiveAnswer::Over { who, is_recorded }
            }
            _ => return,
        };
        // There may be no readers.
        let _ = self.told.send(live);
    }

    fn speaking(&self) -> MutexGuard<'_, Vec<GrowingAnswer>> {
        self.speaking.lock()
    }
}

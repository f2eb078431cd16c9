//! A live discussion: its current text, its growing answers, and its run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::runner::{Follow, Update};
use discussions::view::{CallOutcome, Event, EventKind, Forecast};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{broadcast, watch};

use super::picture::Picture;
use super::words;

/// The number of pieces of growing answers that wait for a slow reader. A slower reader gets the answers again as a
/// whole.
const BACKLOG: usize = 256;

/// The state of a discussion's text.
#[derive(Clone)]
pub(super) enum Sight {
    /// The file was not read yet.
    Unread,
    /// The last version of the file.
    Seen(Arc<Picture>),
    /// The file cannot be read now, with the reason.
    Gone(Arc<str>),
}

/// An update about an answer that is not complete yet.
#[derive(Clone, Debug)]
pub(super) enum Live {
    /// A participant begins an answer, or begins it again.
    Begin(Speaking),
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

/// A participant whose answer is growing.
#[derive(Clone, Debug)]
pub(super) struct Speaking {
    /// The alias of the participant.
    pub(super) who: String,
    pub(super) name: String,
    pub(super) provider: String,
    pub(super) text: String,
}

/// The run of a live discussion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) is_running: bool,
    /// The reason why the last run ended, if it must be shown.
    pub(super) ended: Option<String>,
    /// The price of the current run, or on a page the price of the step that it offers.
    pub(super) price: Option<String>,
}

/// The expected price of a turn or a run.
pub(super) struct Price {
    /// The price in a sentence; `None` if there are no calls, or if they cost nothing.
    pub(super) sentence: Option<String>,
    /// The user should confirm the price first.
    pub(super) asks_first: bool,
}

impl Price {
    /// Returns the price of work that has not begun.
    pub(super) fn of(ahead: &Forecast) -> Self {
        let sentence = (ahead.calls > 0 && ahead.may_cost()).then(|| ahead.sentence());
        Self { sentence, asks_first: ahead.asks_first() }
    }
}

/// A discussion that is open in a browser.
pub(super) struct Room {
    path: PathBuf,
    sight: watch::Sender<Sight>,
    state: watch::Sender<State>,
    /// The growing answers. The lock is held while an update is sent, so that a reader who joins in between gets
    /// everything exactly once.
    speaking: Mutex<Vec<Speaking>>,
    told: broadcast::Sender<Live>,
    follower: tokio::task::AbortHandle,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.follower.abort();
    }
}

impl Room {
    /// Opens a live discussion, and follows its file from now on.
    pub(super) fn open(path: PathBuf, mut follow: Follow) -> Arc<Self> {
        let sight = watch::Sender::new(Sight::Unread);
        let seen = sight.clone();
        let follower = tokio::spawn(async move {
            while let Some(now) = follow.next().await {
                seen.send_replace(match now {
                    Ok(shown) => Sight::Seen(Arc::new(Picture::of(shown))),
                    Err(error) => Sight::Gone(error.message().into()),
                });
            }
        })
        .abort_handle();
        let (state, speaking) = Default::default();
        let told = broadcast::Sender::new(BACKLOG);
        Arc::new(Self { path, sight, state, speaking, told, follower })
    }

    /// Returns the discussion's file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reason why the last run ended, if it must be shown and nothing was written since.
    pub(super) fn stopped(&self) -> Option<String> {
        self.state.borrow().ended.clone()
    }

    /// Returns the current text and its changes.
    pub(super) fn sight(&self) -> watch::Receiver<Sight> {
        self.sight.subscribe()
    }

    /// Returns the current run and its changes.
    pub(super) fn state(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    /// Returns the growing answers, and their updates from now on.
    pub(super) fn listen(&self) -> (Vec<Speaking>, broadcast::Receiver<Live>) {
        let speaking = self.speaking();
        (speaking.clone(), self.told.subscribe())
    }

    /// Shows that a run begins, and its price.
    pub(super) fn begin(&self, price: Option<String>) {
        self.state.send_replace(State { is_running: true, ended: None, price });
    }

    /// Shows an update of the run to all readers, and to the client that began it.
    pub(super) fn show(&self, update: Update, tap: Option<&UnboundedSender<Update>>) {
        if let Some(tap) = tap {
            // The client may have disconnected.
            let _ = tap.send(update.clone());
        }
        match update {
            Update::Event(event) => self.tell(event),
            Update::Ended(done) => {
                let ended = match &*done {
                    Ok(ran) => words::ended(ran),
                    Err(error) => Some(words::failed(error)),
                };
                self.withdraw();
                self.state.send_replace(State { is_running: false, ended, price: None });
            }
        }
    }

    /// Discards the answers that are still growing when a run is over: they were never recorded.
    fn withdraw(&self) {
        let mut speaking = self.speaking();
        for Speaking { who, .. } in speaking.drain(..) {
            // There may be no readers.
            let _ = self.told.send(Live::Over { who, is_recorded: false });
        }
    }

    fn tell(&self, event: Event) {
        let Some(who) = event.participant else { return };
        let mut speaking = self.speaking();
        let live = match event.kind {
            EventKind::AnswerStart { name, provider, .. } => {
                let begun = Speaking { who, name, provider, text: String::new() };
                speaking.retain(|one| one.who != begun.who);
                speaking.push(begun.clone());
                Live::Begin(begun)
            }
            EventKind::AnswerChunk { text } => {
                if let Some(one) = speaking.iter_mut().find(|one| one.who == who) {
                    one.text.push_str(&text);
                }
                Live::Chunk { who, text }
            }
            EventKind::AnswerEnd { outcome, .. } => {
                speaking.retain(|one| one.who != who);
                let is_recorded = matches!(outcome, CallOutcome::Answered { .. });
                Live::Over { who, is_recorded }
            }
            _ => return,
        };
        // There may be no readers.
        let _ = self.told.send(live);
    }

    fn speaking(&self) -> MutexGuard<'_, Vec<Speaking>> {
        self.speaking.lock()
    }
}

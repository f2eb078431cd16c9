//! One discussion that somebody looks at: how it stands, whose answer grows, the run that goes on in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::runner::{Follow, Update};
use discussions::view::{CallOutcome, Event, EventKind, Forecast};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{broadcast, watch};

use super::picture::Picture;
use super::words;

/// How many pieces of growing answers wait for a slow reader, who else is shown them whole again.
const BACKLOG: usize = 256;

/// How a discussion stands.
#[derive(Clone)]
pub(super) enum Sight {
    /// It was not read yet.
    Unread,
    /// As it was read last.
    Seen(Arc<Picture>),
    /// It cannot be read now, and why.
    Gone(Arc<str>),
}

/// What is told of an answer that is not whole yet.
#[derive(Clone, Debug)]
pub(super) enum Live {
    /// Somebody begins, or begins again.
    Begin(Speaking),
    /// A piece more.
    Chunk {
        /// Who, by alias.
        who: String,
        text: String,
    },
    /// The answer stands in the file, or there is none.
    Over {
        /// Who, by alias.
        who: String,
        is_recorded: bool,
    },
}

/// Somebody whose answer grows.
#[derive(Clone, Debug)]
pub(super) struct Speaking {
    /// By alias.
    pub(super) who: String,
    pub(super) name: String,
    pub(super) provider: String,
    pub(super) text: String,
}

/// The run of a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) is_running: bool,
    /// How the last one ended, where that has to be said.
    pub(super) ended: Option<String>,
    /// The price of the run that goes on; on a page, else of the step that it offers.
    pub(super) price: Option<String>,
}

/// The price of a turn or a run, as far as it is known before.
pub(super) struct Price {
    /// In a sentence; none if it calls nobody, or costs nothing.
    pub(super) sentence: Option<String>,
    /// A person should agree to it first.
    pub(super) asks_first: bool,
}

impl Price {
    /// Returns the price of work that has not begun.
    pub(super) fn of(ahead: &Forecast) -> Self {
        let sentence = (ahead.calls > 0 && ahead.may_cost()).then(|| ahead.sentence());
        Self { sentence, asks_first: ahead.asks_first() }
    }
}

/// One discussion that somebody looks at.
pub(super) struct Room {
    path: PathBuf,
    sight: watch::Sender<Sight>,
    state: watch::Sender<State>,
    /// Whose answers grow. Held while one of them is told, so that who comes in between misses nothing and hears nothing
    /// twice.
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
    /// The room of a discussion, which is followed from now on.
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

    /// The discussion's file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Why the last run ended, where that has to be said and nothing was written since.
    pub(super) fn stopped(&self) -> Option<String> {
        self.state.borrow().ended.clone()
    }

    /// How it stands, now and later.
    pub(super) fn sight(&self) -> watch::Receiver<Sight> {
        self.sight.subscribe()
    }

    /// Its run, now and later.
    pub(super) fn state(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    /// Whose answers grow, and what is told of them from here on.
    pub(super) fn listen(&self) -> (Vec<Speaking>, broadcast::Receiver<Live>) {
        let speaking = self.speaking();
        (speaking.clone(), self.told.subscribe())
    }

    /// Shows that a run begins, and its price.
    pub(super) fn begin(&self, price: Option<String>) {
        self.state.send_replace(State { is_running: true, ended: None, price });
    }

    /// Shows an update of the run to everyone who looks, and to the client that began it.
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

    /// What still grows when a run is over was never recorded.
    fn withdraw(&self) {
        let mut speaking = self.speaking();
        for Speaking { who, .. } in speaking.drain(..) {
            // Nobody may be looking.
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
        // Nobody may be looking.
        let _ = self.told.send(live);
    }

    fn speaking(&self) -> MutexGuard<'_, Vec<Speaking>> {
        self.speaking.lock()
    }
}

//! Changes discussions: one writer at a time, and each change completely or not at all. A change is
//! acknowledged only when it is on disk and in the journal.

mod append;
mod atomic_write;
mod create;
mod lock;
mod older_text;
mod reserved;
mod restore;
mod rules;
mod tail;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

pub use append::{Receipt, Writer};
pub(crate) use atomic_write::{place, replace, replace_at, replace_private, replace_unsynced_at};
#[cfg(not(discussions_sealed))]
pub use create::create;
pub(crate) use create::{create_at, take_back};
pub use lock::Patience;
pub(crate) use lock::{RunLock, RunLocks};
pub(crate) use older_text::{accept, changes, mend, proposed, proposed_for, speakers};
pub(crate) use reserved::{Reservations, Reserved};
pub(crate) use restore::Beginning;
pub use restore::Restoration;
pub(crate) use restore::conflict;
#[cfg(not(discussions_sealed))]
pub use restore::restore;
pub(crate) use restore::restore_at;
pub(crate) use tail::{Excerpt, LONG, excerpt_at, length};

use crate::transcript::{Control, Draft};

/// A function that replaces known keys in a text. Its debug form shows no key.
#[derive(Clone)]
pub(crate) struct Redaction(Arc<dyn Fn(&str) -> String + Send + Sync>);

impl fmt::Debug for Redaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redaction")
    }
}

impl Redaction {
    pub(crate) fn new(replace: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(replace))
    }

    /// Returns a block without the keys, in every part that contains text of people and models.
    pub(super) fn apply(&self, draft: &Draft) -> Draft {
        let mut draft = draft.clone();
        match &mut draft {
            Draft::Comment(comment) => comment.body = (self.0)(&comment.body),
            Draft::Control(Control::Turn(turn)) => {
                turn.ask = turn.ask.as_deref().map(&*self.0);
            }
            Draft::Control(Control::Failed(failed)) => failed.message = (self.0)(&failed.message),
            Draft::Control(Control::Ended(end)) => {
                end.decision = end.decision.as_deref().map(&*self.0);
            }
            Draft::Control(_) => {}
        }
        draft
    }
}

//! Removes known keys from written text.

use std::fmt;
use std::sync::Arc;

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
            Draft::Control(_) => {}
        }
        draft
    }
}

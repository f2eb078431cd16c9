//! What is told once in a run, however many it is about.

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::Mutex;

/// What was told so far, shared by all calls of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Once(Arc<Mutex<BTreeSet<String>>>);

impl Once {
    /// The text, where it was not told yet.
    pub(super) fn tell(&self, text: String) -> Option<String> {
        self.is_new(&text).then_some(text)
    }

    /// Whether the text was not told yet; from now on it is.
    pub(super) fn is_new(&self, text: &str) -> bool {
        // Nothing can be left half done.
        let mut told = self.0.lock();
        told.insert(text.to_owned())
    }
}

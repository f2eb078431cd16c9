//! How long somebody waits for a lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a waiting one looks whether it shall go on.
const LOOK: Duration = Duration::from_millis(5);

/// How long to wait for a lock that another program holds, and a way to end the wait before.
///
/// A plain [`Duration`] is one that nothing ends early.
#[derive(Clone, Debug)]
pub struct Patience {
    most: Duration,
    given_up: Option<Arc<AtomicBool>>,
}

impl From<Duration> for Patience {
    fn from(most: Duration) -> Self {
        Self { most, given_up: None }
    }
}

impl Patience {
    /// Waits at most about so long, and no longer than until somebody sets `given_up`, from whatever thread: then the
    /// wait ends within some milliseconds, with the error of a lock that stays taken. A lock that is free is taken all
    /// the same.
    pub(crate) fn unless(most: Duration, given_up: Arc<AtomicBool>) -> Self {
        Self { most, given_up: Some(given_up) }
    }

    /// The longest wait.
    pub(super) fn most(&self) -> Duration {
        self.most
    }

    /// How long to wait, having waited, before the next look; none when the wait is over.
    pub(super) fn next(&self, waited: Duration) -> Option<Duration> {
        let left = self.most.checked_sub(waited).filter(|left| !left.is_zero())?;
        match &self.given_up {
            Some(given_up) if given_up.load(Ordering::Relaxed) => None,
            Some(_) => Some(left.min(LOOK)),
            None => Some(left),
        }
    }
}

//! Waiting times for locks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Interval at which a waiting thread checks whether to go on.
const LOOK: Duration = Duration::from_millis(5);

/// The maximum time to wait for a lock of another program, and a way to end the wait earlier.
///
/// A wait from a plain [`Duration`] cannot be ended earlier.
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
    /// Waits at most about `most`, and only until a thread sets `given_up`: then the wait ends within some
    /// milliseconds, with the error for a lock that stays taken. A free lock is taken even then.
    pub(crate) fn unless(most: Duration, given_up: Arc<AtomicBool>) -> Self {
        Self { most, given_up: Some(given_up) }
    }

    /// Returns the maximum time.
    pub(super) fn most(&self) -> Duration {
        self.most
    }

    /// Returns the time to wait before the next check, given the time already waited. `None` ends the wait.
    pub(super) fn next(&self, waited: Duration) -> Option<Duration> {
        let left = self.most.checked_sub(waited).filter(|left| !left.is_zero())?;
        match &self.given_up {
            Some(given_up) if given_up.load(Ordering::Relaxed) => None,
            Some(_) => Some(left.min(LOOK)),
            None => Some(left),
        }
    }
}

//! How many calls a turn may make beyond the first of each participant: retries, second questions, other providers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Calls that are left, shared by all who are asked at once.
#[derive(Clone, Debug)]
pub(super) struct Allowance(Arc<AtomicU32>);

impl Allowance {
    pub(super) fn new(calls: u32) -> Self {
        Self(Arc::new(AtomicU32::new(calls)))
    }

    /// Takes one; none is left where it says no.
    pub(super) fn take(&self) -> bool {
        let less = |left: u32| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

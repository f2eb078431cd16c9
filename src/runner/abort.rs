//! Stopping a run from outside.

use tokio::sync::watch;

/// Stops a run: running calls are killed, what was appended stays.
#[derive(Clone, Debug)]
pub struct AbortHandle(watch::Sender<bool>);

/// What a run listens to.
#[derive(Clone, Debug)]
pub struct Abort(watch::Receiver<bool>);

impl Abort {
    /// A handle and what it stops.
    pub fn new() -> (AbortHandle, Self) {
        let (sender, receiver) = watch::channel(false);
        (AbortHandle(sender), Self(receiver))
    }

    /// Nobody stops this run.
    pub fn never() -> Self {
        Self::new().1
    }

    pub(super) fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the run is to stop; for ever when nobody can say so any more.
    pub(super) async fn set(&mut self) {
        if self.0.wait_for(|set| *set).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl AbortHandle {
    /// Stops the run. Doing so twice is no mistake.
    pub fn abort(&self) {
        self.0.send_replace(true);
    }
}

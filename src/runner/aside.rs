//! Work that waits for locks or the disk, beside the tasks that must go on.

use std::panic::resume_unwind;

use tokio::task::{JoinError, spawn_blocking};

/// Does work on a thread of its own, so that Ctrl-C, deadlines and other calls' texts are not kept waiting by it.
pub(super) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    done(spawn_blocking(work).await).await
}

/// What a thread came to; its panic is this task's.
pub(super) async fn done<T>(joined: Result<T, JoinError>) -> T {
    match joined {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // The runtime is going down, and this task with it.
            Err(_) => std::future::pending().await,
        },
    }
}

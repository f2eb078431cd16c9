//! Work that waits for locks or the disk, on a thread of its own.

use std::panic::resume_unwind;

use tokio::task::{JoinError, spawn_blocking};

/// Runs work on a thread of its own, so that it delays neither Ctrl-C nor deadlines nor the text of other calls.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    unwrap_join(spawn_blocking(work).await).await
}

/// Returns the result of a task, and passes its panic on to the current task.
pub(super) async fn unwrap_join<T>(joined: Result<T, JoinError>) -> T {
    match joined {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // The runtime is shutting down, and the current task with it.
            Err(_) => std::future::pending().await,
        },
    }
}

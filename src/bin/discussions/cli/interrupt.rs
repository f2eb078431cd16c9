//! Lets the user interrupt work.

use crate::cli::caller::until_input_closed;
use crate::cli::error::CommandError;
use crate::platform::until_shutdown;

/// Waits for work that stops cleanly by itself when it is told to stop.
pub(crate) fn finished<T>(work: impl Future<Output = T>) -> Result<T, CommandError> {
    let runtime = runtime()?;
    let done = runtime.block_on(work);
    // Tasks that still wait for a lock are abandoned.
    runtime.shutdown_background();
    Ok(done)
}

/// Calls `stop` when the user interrupts. Must be called within [`finished`].
pub(crate) fn on_signal(stop: impl FnOnce() + Send + 'static) {
    tokio::spawn(async move {
        signal().await;
        stop();
    });
}

/// Waits for work, and drops it if the user interrupts; then there is no result.
pub(crate) fn droppable<T>(work: impl Future<Output = T>) -> Result<Option<T>, CommandError> {
    Ok(runtime()?.block_on(async {
        tokio::select! {
            result = work => Some(result),
            () = signal() => None,
        }
    }))
}

fn runtime() -> Result<tokio::runtime::Runtime, CommandError> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::io(format!("cannot start: {error}")))
}

/// Waits for Ctrl-C, for the signals of a closing terminal or a shutdown if the system has them, and for the end of a
/// program that runs this one. Model programs must end together with this program.
pub(crate) async fn signal() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // If signals cannot be received, the program is never interrupted.
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupted => {}
        () = until_shutdown() => {}
        () = until_input_closed() => {}
    }
}

//! Handles signals: lets the user interrupt work, and ignores signals that must not end the
//! program.

use crate::cli::error::CommandError;

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

/// Waits for Ctrl-C. On Unix, also waits for the signals of a closing terminal or a shutdown, because model programs
/// must end together with this program.
pub(crate) async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::terminate(), SignalKind::hangup()].map(signal);
        if let [Ok(mut terminate), Ok(mut hangup)] = kinds {
            tokio::select! {
                result = tokio::signal::ctrl_c() => if result.is_ok() { return },
                _ = terminate.recv() => return,
                _ = hangup.recv() => return,
            }
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // If signals cannot be received, the program is never interrupted.
        std::future::pending::<()>().await;
    }
}

/// Makes a write that exceeds a file size limit return an error, like a full disk, instead of ending the process in the
/// middle of its work.
pub(crate) fn outlive_size_limits() {
    #[cfg(unix)]
    {
        // Any handler works. Model programs do not inherit a handler, but they would inherit an ignored signal.
        let unread = std::sync::Arc::default();
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, unread);
    }
}

//! Signals: waiting for work that somebody may interrupt, and outliving what is no reason to die.

use crate::cli::error::Failure;

/// Waits for work that ends by itself, in good order, once it is told to.
pub(crate) fn finished<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = runtime()?;
    let done = runtime.block_on(work);
    // Whoever still waits for a lock is not waited for.
    runtime.shutdown_background();
    Ok(done)
}

/// Does something as soon as somebody interrupts. Must be called within [`finished`].
pub(crate) fn on_signal(stop: impl FnOnce() + Send + 'static) {
    tokio::spawn(async move {
        signal().await;
        stop();
    });
}

/// Waits for work, which is dropped when somebody interrupts it; then there is no result.
pub(crate) fn droppable<T>(work: impl Future<Output = T>) -> Result<Option<T>, Failure> {
    Ok(runtime()?.block_on(async {
        tokio::select! {
            result = work => Some(result),
            () = signal() => None,
        }
    }))
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::io(format!("cannot start: {error}")))
}

/// Ctrl-C, and on Unix also what a closing terminal or a shutdown sends: model programs have to be ended with us.
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
        // Without a way to hear of it nothing is ever interrupted.
        std::future::pending::<()>().await;
    }
}

/// Makes a file size limit an error of the write that meets it, as a full disk is, instead of the end of the process
/// in the middle of its work.
pub(crate) fn outlive_size_limits() {
    #[cfg(unix)]
    {
        // Any handler will do; model programs do not inherit it, as they would an ignored signal.
        let unread = std::sync::Arc::default();
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, unread);
    }
}

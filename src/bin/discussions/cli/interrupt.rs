//! Lets the user interrupt work, or the program that runs this one.

use std::io;
use std::sync::OnceLock;
use std::thread;

use tokio::sync::watch;

use crate::cli::error::CommandError;
use crate::platform::until_shutdown;

/// Becomes true when standard input closes. It is unset if no program sent the command.
static INPUT_CLOSED: OnceLock<watch::Receiver<bool>> = OnceLock::new();

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

/// Makes the end of standard input an interruption from now on, because no signal reaches a program on every system.
pub(crate) fn watch_input() -> Result<(), CommandError> {
    let (sender, receiver) = watch::channel(false);
    let wait = move || {
        // A failed read is an end too. Nothing is expected on standard input, so everything is ignored.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        let _ = sender.send(true);
    };
    let started = thread::Builder::new().name("input".to_owned()).spawn(wait);
    started.map_err(|error| CommandError::io(format!("cannot start a thread: {error}")))?;
    let _ = INPUT_CLOSED.set(receiver);
    Ok(())
}

/// Waits until the calling program closes standard input, or forever if there is no such program.
async fn until_input_closed() {
    if let Some(closed) = INPUT_CLOSED.get()
        && closed.clone().wait_for(|is_closed| *is_closed).await.is_ok()
    {
        return;
    }
    std::future::pending().await
}

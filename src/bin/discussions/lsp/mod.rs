//! The front end for editors: a language server on standard input and output. It reads, checks and edits the text that the
//! editor holds; it calls no model and starts no run.

mod actions;
mod completion;
mod convert;
mod judge;
mod meaning;
mod navigation;
mod server;
mod text;
mod worker;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message};

use self::judge::Judge;
use self::server::LanguageServer;
use self::worker::{Finished, WorkQueue};
use crate::cli::environment::HostEnvironment;
use crate::cli::error::CommandError;

/// The time for writing the last answers after the client exited.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Something that the loop handles.
enum LoopEvent {
    /// A message of the client.
    Received(Message),
    /// The client closed the connection.
    Closed,
    /// The worker finished a job.
    Finished(Finished),
}

/// Serves until the client exits or closes standard input. Returns true if the client shut the server down first.
pub(crate) fn serve(outside: HostEnvironment) -> Result<bool, CommandError> {
    let (connection, threads) = Connection::stdio();
    let unstarted = |error| CommandError::io(format!("cannot start a thread: {error}"));
    let (was_shut_down, writer) =
        serve_connection(connection, Judge::new(outside)).map_err(unstarted)?;
    // The last answers may still be on their way, but a client that does not read them is not waited for.
    let (written, done) = mpsc::channel();
    thread::spawn(move || {
        let _ = (writer.join(), threads.join().is_ok());
        let _ = written.send(());
    });
    if done.recv_timeout(LAST_ANSWERS).is_err() {
        // The thread that writes holds standard output, so an orderly end would wait for it.
        std::process::exit(i32::from(!was_shut_down));
    }
    Ok(was_shut_down)
}

/// Serves one connection. Returns true if the client shut the server down, and the thread that writes.
fn serve_connection(
    connection: Connection,
    judge: Judge,
) -> std::io::Result<(bool, thread::JoinHandle<()>)> {
    let Connection { sender, receiver } = connection;
    let (events, incoming) = mpsc::channel();
    let (outgoing, messages) = mpsc::channel::<Message>();
    // The channels of the connection hold no message. Without these queues a busy loop would stop the reader, and no
    // cancellation would arrive; and two full pipes would wait for each other.
    let received = events.clone();
    thread::Builder::new().name("lsp-input".to_owned()).spawn(move || {
        for message in receiver {
            if received.send(LoopEvent::Received(message)).is_err() {
                return;
            }
        }
        let _ = received.send(LoopEvent::Closed);
    })?;
    let writer = thread::Builder::new().name("lsp-output".to_owned()).spawn(move || {
        for message in messages {
            if sender.send(message).is_err() {
                return;
            }
        }
    })?;
    let queue = Arc::new(WorkQueue::default());
    let jobs = Arc::clone(&queue);
    thread::Builder::new().name("lsp-worker".to_owned()).spawn(move || {
        worker::work(&jobs, judge, |finished| events.send(LoopEvent::Finished(finished)).is_ok());
    })?;
    let begun = Instant::now();
    let mut server = LanguageServer::new(Arc::clone(&queue), outgoing);
    while !server.is_over() {
        let event = match server.deadline() {
            Some(deadline) => incoming.recv_timeout(deadline.saturating_sub(begun.elapsed())),
            None => incoming.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        let now = begun.elapsed();
        match event {
            Ok(LoopEvent::Received(message)) => server.receive(message, now),
            Ok(LoopEvent::Finished(finished)) => server.finish(finished, now),
            Ok(LoopEvent::Closed) | Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        server.tick(now);
    }
    queue.close();
    Ok((server.was_shut_down(), writer))
}

//! The program that runs this one through `discussions command`: it sends the words of the command line as JSON, and
//! the command is interrupted if that program ends or closes standard input.

use std::ffi::OsString;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::sync::OnceLock;
use std::thread;

use tokio::sync::watch;

use crate::cli::error::CommandError;

/// The command whose words a program sends.
const COMMAND: &str = "command";

/// The maximum number of bytes of the words.
const MAX_WORDS_BYTES: u64 = 64 << 20;

/// Becomes true when standard input closes. It is unset if no program sent the words.
static INPUT_CLOSED: OnceLock<watch::Receiver<bool>> = OnceLock::new();

/// Returns the command line: that of this process, or the one that a program sends.
///
/// # Errors
/// Fails if the words on standard input are not a list of texts in one line of JSON.
pub(crate) fn command_line() -> Result<Vec<OsString>, CommandError> {
    let mut own: Vec<OsString> = std::env::args_os().collect();
    if own.get(1).is_none_or(|word| word != COMMAND) || own.len() != 2 {
        return Ok(own);
    }
    let words = read_words()?;
    watch_input()?;
    own.truncate(1);
    own.extend(words.into_iter().map(OsString::from));
    Ok(own)
}

/// Returns a failure that says how `discussions command` is used.
pub(crate) fn usage(message: impl Into<String>) -> CommandError {
    CommandError::usage(message).help(
        "`discussions command` takes no other word; send the words as one line of JSON, such as [\"list\", \"--json\"]",
    )
}

/// Reads the first line of standard input.
fn read_words() -> Result<Vec<String>, CommandError> {
    if io::stdin().is_terminal() {
        return Err(usage("the words of the command are missing"));
    }
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(MAX_WORDS_BYTES);
    input
        .read_until(b'\n', &mut line)
        .map_err(|error| CommandError::io(format!("standard input cannot be read: {error}")))?;
    if line.last() != Some(&b'\n') && input.limit() == 0 {
        let most = MAX_WORDS_BYTES >> 20;
        return Err(usage(format!("the words of the command exceed {most} MiB")));
    }
    serde_json::from_slice(&line)
        .map_err(|error| usage(format!("the words of the command cannot be read: {error}")))
}

/// Waits for the end of standard input in a thread of its own.
fn watch_input() -> Result<(), CommandError> {
    let (sender, receiver) = watch::channel(false);
    let wait = move || {
        // A failed read is an end too. Nothing is expected on standard input, so everything is ignored.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        let _ = sender.send(true);
    };
    let started = thread::Builder::new().name("caller".to_owned()).spawn(wait);
    started.map_err(|error| CommandError::io(format!("cannot start a thread: {error}")))?;
    let _ = INPUT_CLOSED.set(receiver);
    Ok(())
}

/// Waits until the calling program closes standard input, or forever if there is no such program.
pub(crate) async fn until_input_closed() {
    if let Some(closed) = INPUT_CLOSED.get()
        && closed.clone().wait_for(|is_closed| *is_closed).await.is_ok()
    {
        return;
    }
    std::future::pending().await
}

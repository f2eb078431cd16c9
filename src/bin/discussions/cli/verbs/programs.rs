//! The commands for programs: `discussions pipe` runs a command that a program sends, `discussions schema` describes the
//! documents that commands print.

use std::ffi::OsString;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use discussions::workspace::Workspace;

use crate::cli::error::{CommandError, Exit};
use crate::cli::interrupt;
use crate::cli::shell::Shell;

/// The command for words that a program sends.
const PIPE: &str = "pipe";

/// The maximum number of bytes of the words.
const MAX_WORDS_BYTES: u64 = 64 << 20;

/// Run a command for a program, which sends its words as JSON
///
/// Reads the first line of standard input: a JSON list of the words after `discussions`. Words may be long and hold any
/// character. If standard input closes before the command ends, the command ends as with Ctrl-C.
#[derive(Debug, clap::Args)]
pub(crate) struct PipeArgs {}

/// Returns the command line: that of this process, or the one that a program sends. Returns none if that program ends
/// before it sends any.
///
/// A command line is short on every system, cannot hold NUL, and is quoted differently on Windows.
///
/// # Errors
/// Fails if the words on standard input are not a list of texts in one line of JSON.
pub(crate) fn command_line() -> Result<Option<Vec<OsString>>, CommandError> {
    let mut own: Vec<OsString> = std::env::args_os().collect();
    if own.len() != 2 || own[1] != PIPE {
        return Ok(Some(own));
    }
    let Some(words) = read_words()? else { return Ok(None) };
    interrupt::watch_input()?;
    own.truncate(1);
    own.extend(words.into_iter().map(OsString::from));
    Ok(Some(own))
}

/// Refuses the words. The words of a program are read before the command line is parsed, so this runs only if there are
/// other words beside `pipe`, or if a program sends the word `pipe` itself.
pub(crate) fn pipe(_: &PipeArgs) -> Result<Exit, CommandError> {
    Err(usage("`pipe` must be the only word"))
}

fn usage(message: impl Into<String>) -> CommandError {
    let help =
        "send the words as one line of JSON to `discussions pipe`, such as [\"list\", \"--json\"]";
    CommandError::usage(message).help(help)
}

/// Reads the first line of standard input; none if there is not one byte.
fn read_words() -> Result<Option<Vec<String>>, CommandError> {
    if io::stdin().is_terminal() {
        return Err(usage("the words of the command are missing"));
    }
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(MAX_WORDS_BYTES);
    input
        .read_until(b'\n', &mut line)
        .map_err(|error| CommandError::io(format!("standard input cannot be read: {error}")))?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') && input.limit() == 0 {
        let most = MAX_WORDS_BYTES >> 20;
        return Err(usage(format!("the words of the command exceed {most} MiB")));
    }
    serde_json::from_slice(&line)
        .map(Some)
        .map_err(|error| usage(format!("the words of the command cannot be read: {error}")))
}

/// Describe what --json and --events print, as JSON Schema
///
/// Without a name it lists all documents. Each document is named after the command that prints it.
#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// The document, for example status, run, event or error
    #[arg(value_name = "NAME")]
    document: Option<String>,
}

/// Lists the documents, or prints one schema.
pub(crate) fn schema(args: &SchemaArgs, shell: &mut Shell) -> Result<Exit, CommandError> {
    match &args.document {
        None => Workspace::documents().for_each(|name| shell.ui.out(name)),
        Some(name) => {
            let schema = Workspace::schema(name).ok_or_else(|| {
                CommandError::input(format!("there is no document `{name}`"))
                    .help("`discussions schema` lists all")
            })?;
            shell.ui.json(&schema);
        }
    }
    Ok(Exit::Done)
}

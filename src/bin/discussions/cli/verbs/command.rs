//! `discussions command`

use crate::cli::caller;
use crate::cli::error::{CommandError, Exit};

/// Run a command for a program, which sends its words as JSON
///
/// Reads the first line of standard input: a JSON list of the words after `discussions`. Words may be long and hold any
/// character. If standard input closes before the command ends, the command ends as with Ctrl-C.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Refuses the words. The words that a program sends are read before the command line is parsed, so this runs only if
/// there are other words beside `command`, or if a program sends the word `command` itself.
pub(crate) fn run(_: &Args) -> Result<Exit, CommandError> {
    Err(caller::usage("`command` must be the only word"))
}

//! `discussions guard`

use std::io::stdin;

use discussions::view::visible_line;
use discussions::workspace::Workspace;

use crate::cli::error::{CommandError, Exit};

/// End the programs of a killed run; each run starts a guard
///
/// The guard waits until its standard input closes, which happens when the run ends. It then ends every process that
/// the run has started and not ended.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The beginning of the variable `DISCUSSIONS_CALL` in all calls of the run
    run: String,
}

/// Waits for the end of the run, then ends its remaining processes.
pub(crate) fn run(args: &Args) -> Result<Exit, CommandError> {
    if Workspace::guard(stdin().lock(), &args.run) {
        return Ok(Exit::Done);
    }
    Err(CommandError::usage(format!("`{}` is not the mark of a run", visible_line(&args.run)))
        .help("each run starts its own guard; there is no need to start one"))
}

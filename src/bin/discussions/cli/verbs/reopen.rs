//! `discussions reopen`

use std::path::PathBuf;

use super::close::{Act, perform};
use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Reopen a closed discussion
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning
    file: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Reopens the discussion.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    perform(Some(&args.file), Act::Reopen, args.json, shell)
}

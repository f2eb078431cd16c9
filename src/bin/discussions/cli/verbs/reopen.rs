//! `discussions reopen`

use std::path::PathBuf;

use super::close;
use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;

/// Open a closed discussion again
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a name, the beginning of one, or a title
    file: PathBuf,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
}

/// Opens it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    close::set(Some(&args.file), false, args.json, shell)
}

//! `discussions result`

use std::path::PathBuf;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;

/// Show what a discussion came to
///
/// The outcome with its text, votes, dissent, conditions, tasks, what stayed open, and the cost.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
}

/// Shows it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    if args.json {
        shell.ui.json(&workspace.result(&args.file)?);
    } else {
        shell.ui.page(workspace.page(&args.file)?);
    }
    Ok(Exit::Done)
}

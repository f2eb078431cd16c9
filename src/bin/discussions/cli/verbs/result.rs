//! `discussions result`

use std::path::PathBuf;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Show the outcome of a discussion
///
/// Prints the text, votes, dissent, conditions, tasks, open questions and cost.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Shows the result.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion_in_any_state(&workspace, args.file.as_deref())?;
    if args.json {
        shell.ui.json(&workspace.result(&path)?);
    } else {
        shell.ui.page(workspace.page(&path)?);
    }
    // A text written by hand changes the discussion but not its summary file, which contains this result.
    shell.summary(workspace.summarize(&path).as_deref());
    Ok(Exit::Done)
}

//! `discussions advance`

use std::path::PathBuf;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;
use crate::cli::words::next_step;

/// Enter the next phase, or a named one
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a name, the beginning of one, or a title; without it the only open one
    file: Option<PathBuf>,
    /// The phase
    #[arg(long, value_name = "PHASE")]
    to: Option<String>,
}

/// Enters it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    let by = shell.author(&workspace, None)?;
    let written = workspace.advance(&path, args.to.as_deref(), &by)?;
    shell.ui.out(format!("Advanced to phase: {}", written.phase.as_deref().unwrap_or_default()));
    shell.summary(written.summary.as_deref());
    next_step::tell(&mut shell.ui, &written.next);
    Ok(Exit::Done)
}

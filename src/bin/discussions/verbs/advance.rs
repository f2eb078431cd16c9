//! `discussions advance`

use std::path::PathBuf;

use discussions::view::NextStep;

use crate::error::{Exit, Failure};
use crate::shell::Shell;
use crate::words::next_step;

/// Enter the next phase, or a named one
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
    /// The phase
    #[arg(long, value_name = "PHASE")]
    to: Option<String>,
}

/// Enters it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = workspace.find(&args.file)?;
    let by = shell.author(&workspace, None)?;
    let phase = workspace.advance(&path, args.to.as_deref(), &by)?;
    shell.ui.out(format!("Advanced to phase: {phase}"));
    shell.summarize(&workspace, &path);
    let file = shell.shown(&path);
    next_step::tell(&mut shell.ui, &NextStep::all(&workspace.snapshot(&path)?, &file));
    Ok(Exit::Done)
}

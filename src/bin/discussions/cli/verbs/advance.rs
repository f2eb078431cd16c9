//! `discussions advance`

use std::path::PathBuf;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::{CommandHint, Shell};
use crate::cli::words;

/// Enter the next phase, or a phase that you name
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// The phase; by default the next one
    phase: Option<String>,
    /// The phase, if you do not name the discussion
    #[arg(long, value_name = "PHASE", conflicts_with = "phase")]
    to: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Enters the phase.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    let by = shell.author(&workspace, None)?;
    let to = args.phase.as_deref().or(args.to.as_deref());
    let written = workspace.discussions().advance(&path, to, &by).map_err(|error| {
        CommandError::from(error).naming(CommandHint::of(shell, &workspace, &path).name())
    })?;
    if args.json {
        shell.ui.json(&written);
    } else {
        let phase = written.phase_title.as_deref().unwrap_or_default();
        shell.ui.out(format!("Advanced to phase: {phase}"));
    }
    for why in &written.uncounted {
        shell.ui.warning(why.as_str());
    }
    shell.summary(written.summary.as_deref());
    let called = CommandHint::of(shell, &workspace, &path);
    words::steps::tell_next_step(&mut shell.ui, &called, &written.next);
    Ok(Exit::Done)
}

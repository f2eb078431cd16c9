//! `discussions close`

use std::path::PathBuf;

use discussions::workspace::Changed;

use crate::error::{Exit, Failure};
use crate::shell::Shell;

/// Close a discussion: nobody is asked any more
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
}

/// Closes it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = workspace.find(&args.file)?;
    let by = shell.author(&workspace, None)?;
    let file = shell.shown(&path);
    match workspace.set_closed(&path, true, &by)? {
        Changed::Now => shell.ui.out(format!("Closed: {file}")),
        Changed::Already => shell.ui.out(format!("Closed already: {file}")),
    }
    shell.summarize(&workspace, &path);
    Ok(Exit::Done)
}

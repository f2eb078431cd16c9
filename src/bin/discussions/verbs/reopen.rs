//! `discussions reopen`

use std::path::PathBuf;

use discussions::workspace::Changed;

use crate::error::{Exit, Failure};
use crate::shell::Shell;

/// Open a closed discussion again
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
}

/// Opens it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = workspace.find(&args.file)?;
    let by = shell.author(&workspace, None)?;
    let file = shell.shown(&path);
    match workspace.set_closed(&path, false, &by)? {
        Changed::Now => shell.ui.out(format!("Reopened: {file}")),
        Changed::Already => shell.ui.out(format!("Open already: {file}")),
    }
    shell.summarize(&workspace, &path);
    Ok(Exit::Done)
}

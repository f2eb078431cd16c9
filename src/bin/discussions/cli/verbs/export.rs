//! `discussions export`

use std::path::PathBuf;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;

/// Write a discussion in another form: a decision record, or a page to print or send
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["adr", "html"])))]
pub(crate) struct Args {
    /// The discussion: a path, a name, the beginning of one, or a title; without it the only open one
    file: Option<PathBuf>,
    /// A record of the decision, in the form of MADR 4
    #[arg(long)]
    adr: bool,
    /// One page of HTML that needs nothing else
    #[arg(long)]
    html: bool,
}

/// Writes it to standard output.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    debug_assert!(args.adr != args.html, "the group takes exactly one");
    shell.ui.page(match args.adr {
        true => workspace.decision_record(&path)?,
        false => workspace.printed(&path)?,
    });
    Ok(Exit::Done)
}

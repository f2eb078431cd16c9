//! `discussions export`

use std::path::PathBuf;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;

/// Write a decision record, or a page to print or send
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["adr", "html"])))]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
    /// A record of the decision, in the form of MADR 4
    #[arg(long)]
    adr: bool,
    /// One page of HTML that needs nothing else
    #[arg(long)]
    html: bool,
    /// The result as one JSON document, with the text in it
    #[arg(long)]
    json: bool,
}

/// Writes it to standard output.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    debug_assert!(args.adr != args.html, "the group takes exactly one");
    let text = match args.adr {
        true => workspace.decision_record(&args.file)?,
        false => workspace.printed(&args.file)?,
    };
    if args.json {
        shell.ui.json(&text);
    } else {
        shell.ui.page(text.text);
    }
    Ok(Exit::Done)
}

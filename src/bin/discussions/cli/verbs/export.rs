//! `discussions export`

use std::path::PathBuf;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;

/// Write a decision record, or a page to print or send
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
    /// The result as one JSON document, with the text in it
    #[arg(long)]
    json: bool,
}

/// Writes it to standard output.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    debug_assert!(args.adr != args.html, "the group takes exactly one");
    let text = match args.adr {
        true => workspace.decision_record(&path)?,
        false => workspace.printed(&path)?,
    };
    if text.left_out > 0 {
        let lines = if text.left_out == 1 { "1 line" } else { "some lines" };
        shell.ui.warning(format!(
            "left out {lines} of the context that still hold the template's questions; replace them in the discussion"
        ));
    }
    if args.json {
        shell.ui.json(&text);
    } else {
        shell.ui.page(text.text);
    }
    Ok(Exit::Done)
}

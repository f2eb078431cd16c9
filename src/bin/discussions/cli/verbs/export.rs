//! `discussions export`

use std::path::PathBuf;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Export a decision record, or a page to print or send
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["adr", "html"])))]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// A decision record in MADR 4 format
    #[arg(long)]
    adr: bool,
    /// One self-contained HTML page
    #[arg(long)]
    html: bool,
    /// Print the result as JSON, including the text
    #[arg(long)]
    json: bool,
}

/// Writes the export to standard output.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let path = shell.discussion_in_any_state(&workspace, args.file.as_deref())?;
    debug_assert!(args.adr != args.html, "the group takes exactly one");
    let text =
        if args.adr { workspace.decision_record(&path)? } else { workspace.printed(&path)? };
    if text.left_out > 0 {
        let lines = if text.left_out == 1 { "1 line" } else { "some lines" };
        shell.ui.warning(format!(
            "left out {lines} of the context with template placeholders; replace them in the discussion"
        ));
    }
    if args.json {
        shell.ui.json(&text);
    } else {
        shell.ui.page(text.text);
    }
    Ok(Exit::Done)
}

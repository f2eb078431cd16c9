//! `discussions export`

use std::path::{Path, PathBuf};

use discussions::view::visible_line;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Export a decision record, a page to print or send, or a site
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["adr", "html", "site"])))]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// A decision record in MADR 4 format
    #[arg(long)]
    adr: bool,
    /// One self-contained HTML page
    #[arg(long)]
    html: bool,
    /// With --adr: the number of the record; by default the next free one in the folder `adr` of discussions.yaml
    #[arg(long, value_name = "N", conflicts_with = "html")]
    number: Option<u32>,
    /// With --adr: write the record to this new file
    #[arg(long, value_name = "FILE", conflicts_with = "html")]
    out: Option<PathBuf>,
    /// All discussions as a static site in this folder: an index and a page each
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    site: Option<PathBuf>,
    /// Print the result as JSON, including the text
    #[arg(long)]
    json: bool,
}

/// Writes the export to standard output, a decision record to a new file, or a site to its folder.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    if let Some(folder) = &args.site {
        return site(folder, args.json, shell);
    }
    let workspace = shell.workspace()?;
    let path = shell.discussion_in_any_state(&workspace, args.file.as_deref())?;
    debug_assert!(args.adr != args.html, "the group takes exactly one");
    let text = if args.adr {
        workspace.decisions().decision_record(&path, args.number, args.out.as_deref())?
    } else {
        workspace.discussions().printed(&path)?
    };
    if text.left_out > 0 {
        let lines = if text.left_out == 1 { "1 line" } else { "some lines" };
        shell.ui.warning(format!(
            "left out {lines} of the context with template placeholders; replace them in the discussion"
        ));
    }
    let record_file = text.record_file.as_deref().map(visible_line);
    if args.json {
        shell.ui.json(&text);
    } else if args.out.is_some() {
        shell.ui.out(format!("Created: {}", record_file.unwrap_or_default()));
    } else {
        shell.ui.page(text.text);
        if let Some(file) = record_file {
            shell.ui.hint("note", format!("suggested file for this record: {file}"));
        }
    }
    Ok(Exit::Done)
}

/// Writes the site.
#[cfg(feature = "serve")]
fn site(folder: &Path, json: bool, shell: &mut Shell) -> Result<Exit, CommandError> {
    crate::serve::export_site(folder, json, shell)
}

/// Explains how to get a program that writes sites.
#[cfg(not(feature = "serve"))]
fn site(_: &Path, _: bool, _: &mut Shell) -> Result<Exit, CommandError> {
    Err(CommandError::usage("this program was built without the web pages")
        .help("cargo install --path . --features serve"))
}

//! `discussions mcp`

use std::path::PathBuf;

use crate::cli::error::{CommandError, Exit};
use crate::cli::flags::dollars;
use crate::cli::shell::Shell;

/// Serve agents over standard input and output (MCP)
///
/// Claude Code, Codex, Gemini and other agents start it themselves; docs/agents.md shows how to configure them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder to serve; agents cannot read or write anything outside it; default: the working folder
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Only show, search, recall and list; write nothing and ask no models
    #[arg(long)]
    read_only: bool,
    /// Maximum cost of all runs together in US dollars; by default no limit; agents cannot raise it
    #[arg(long, value_name = "X", value_parser = dollars)]
    max_usd: Option<f64>,
    /// Maximum number of model calls per tool call; agents cannot raise it
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_calls: u32,
    /// Also give each result as data, for programs; some agents would then hide the text from their model
    #[arg(long)]
    structured: bool,
}

/// Serves until the agent closes the connection.
#[cfg(feature = "mcp")]
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    use crate::cli::environment::HostEnvironment;
    use crate::mcp::{Allowed, serve};

    let Args { root, read_only, max_usd, max_calls, structured } = args;
    let is_project = root.is_some() || !shell.outside.is_outside_projects();
    let root = root.unwrap_or_else(|| shell.outside.folder.clone());
    let outside = HostEnvironment::look(Some(&root)).map_err(|error| {
        CommandError::input(format!("{}: {error}", root.display()))
            .help("--root names the folder to serve")
    })?;
    if std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        shell.ui.note(
            "This server is for agents, which start it themselves; see docs/agents.md. Ctrl-D ends it.",
        );
    }
    serve(outside, Allowed { read_only, max_usd, max_calls, structured }, is_project)?;
    Ok(Exit::Done)
}

/// Explains how to get a program with this command.
#[cfg(not(feature = "mcp"))]
pub(crate) fn run(_: Args, _: &mut Shell) -> Result<Exit, CommandError> {
    Err(CommandError::usage("this program was built without `mcp`")
        .help("cargo install discussions --features mcp"))
}

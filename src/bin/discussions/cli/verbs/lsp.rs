//! `discussions lsp`

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Serve editors over standard input and output (LSP)
///
/// Editors start it themselves; docs/editors.md shows how to configure them. It checks and completes discussions while you
/// write them. It calls no model and starts no run.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Accepted because some editors add it; it changes nothing
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves until the editor closes the connection.
#[cfg(feature = "lsp")]
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let Args { stdio: _ } = args;
    if std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        shell.ui.note(
            "This server is for editors, which start it themselves; see docs/editors.md. Ctrl-D ends it.",
        );
    }
    let was_shut_down = crate::lsp::serve(shell.outside.clone())?;
    Ok(if was_shut_down { Exit::Done } else { Exit::No })
}

/// Explains how to get a program with this command.
#[cfg(not(feature = "lsp"))]
pub(crate) fn run(args: &Args, _: &mut Shell) -> Result<Exit, CommandError> {
    let Args { stdio: _ } = args;
    Err(CommandError::usage("this program was built without `lsp`")
        .help("cargo install discussions --features lsp"))
}

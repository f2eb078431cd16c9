//! `discussions ui`

use std::path::PathBuf;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Work with discussions in a full-screen terminal view
///
/// Without a file it shows all discussions. It shows each action as the command that does it. ? shows the keys.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion to open: a path, a title, a name or its beginning
    pub(crate) file: Option<PathBuf>,
    /// Use this provider for all participants, in every run started here
    #[arg(long, value_name = "P")]
    pub(crate) provider: Option<String>,
    /// Maximum cost of each run started here, in US dollars
    #[arg(long, value_name = "X", value_parser = crate::cli::flags::dollars)]
    pub(crate) max_usd: Option<f64>,
}

/// Shows the screen until the user leaves it.
#[cfg(feature = "ui")]
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    crate::ui::show(args, shell)
}

/// Explains how to get a program with this command.
#[cfg(not(feature = "ui"))]
pub(crate) fn run(_: Args, _: &mut Shell) -> Result<Exit, CommandError> {
    Err(CommandError::usage("this program was built without the terminal view")
        .help("cargo install --path . --features ui"))
}

//! `discussions ui`

use std::path::PathBuf;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;

/// Work with the discussions on a screen, in the terminal
///
/// Without a file it shows all discussions; whatever is done there is shown as the command that does it. ? shows the keys.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion to begin with: a path, a name, the beginning of one, or a title
    pub(crate) file: Option<PathBuf>,
    /// The provider for everybody, in every run that is started here
    #[arg(long, value_name = "P")]
    pub(crate) provider: Option<String>,
    /// Most US dollars of each run that is started here
    #[arg(long, value_name = "X", value_parser = crate::cli::limits::dollars)]
    pub(crate) max_usd: Option<f64>,
}

/// Shows it until somebody leaves.
#[cfg(feature = "ui")]
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    crate::ui::show(args, shell)
}

/// Says how to get it.
#[cfg(not(feature = "ui"))]
pub(crate) fn run(_: Args, _: &mut Shell) -> Result<Exit, Failure> {
    Err(Failure::usage("this program was built without its screen")
        .help("cargo install --path . --features ui"))
}

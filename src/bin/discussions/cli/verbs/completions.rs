//! `discussions completions`

use clap_complete::Shell as Kind;

use crate::cli::error::{Exit, Failure};
use crate::cli::grammar;
use crate::cli::shell::Shell;

/// Print what completes commands in your shell
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Kind,
}

/// Prints them.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut grammar::command(), "discussions", &mut script);
    shell.ui.page(String::from_utf8_lossy(&script).into_owned());
    Ok(Exit::Done)
}

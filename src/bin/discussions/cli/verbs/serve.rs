//! `discussions serve`

use std::net::{IpAddr, Ipv4Addr};

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;

/// Show the discussions in a browser, and serve programs
///
/// Prints an address with a key. Anyone with the key can read, comment, vote and run models, as on the command line.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The key is new at each start and valid until the server ends. Programs send it as a header:\n\
    Authorization: Bearer KEY. Ctrl-C stops the server and its runs; all answers so far are saved."
)]
pub(crate) struct Args {
    /// The port; by default 8640, or the next free one
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// The address to listen on, to serve other machines; anyone with the key can do all that you can do here
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(crate) listen: IpAddr,
    /// Open the address in your browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Use this provider for all participants, in every run started here
    #[arg(long, value_name = "P")]
    pub(crate) provider: Option<String>,
    /// Maximum cost of each run started here, in US dollars
    #[arg(long, value_name = "X", value_parser = crate::cli::flags::dollars)]
    pub(crate) max_usd: Option<f64>,
}

/// Serves until the user stops it.
#[cfg(feature = "serve")]
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    crate::serve::serve(args, shell)
}

/// Explains how to get a program with this command.
#[cfg(not(feature = "serve"))]
pub(crate) fn run(_: Args, _: &mut Shell) -> Result<Exit, CommandError> {
    Err(CommandError::usage("this program was built without the web server")
        .help("cargo install --path . --features serve"))
}

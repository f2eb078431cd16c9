//! `discussions serve`

use std::net::{IpAddr, Ipv4Addr};

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;

/// Show the discussions in a browser, and serve programs
///
/// It prints an address with a key. Whoever opens it reads, writes, votes and has models asked, as on the command line.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The key is new each time and holds until the server ends. Programs send it as a header:\n\
    Authorization: Bearer KEY. Stop the server with Ctrl-C: what runs is stopped too, and what was answered stays."
)]
pub(crate) struct Args {
    /// The port; without it 8640, or the next one that is free
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// The address to listen at, for other machines than this one: whoever has the key may do all that you may here
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(crate) listen: IpAddr,
    /// Open it in your browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The provider for everybody, in every run that is started here
    #[arg(long, value_name = "P")]
    pub(crate) provider: Option<String>,
    /// Most US dollars of each run that is started here
    #[arg(long, value_name = "X", value_parser = crate::cli::limits::dollars)]
    pub(crate) max_usd: Option<f64>,
}

/// Serves until somebody stops it.
#[cfg(feature = "serve")]
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    crate::serve::serve(args, shell)
}

/// Says how to get it.
#[cfg(not(feature = "serve"))]
pub(crate) fn run(_: Args, _: &mut Shell) -> Result<Exit, Failure> {
    Err(Failure::usage("this program was built without its web server")
        .help("cargo install --path . --features serve"))
}

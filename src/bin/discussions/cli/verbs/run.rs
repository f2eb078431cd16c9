//! `discussions run`

use std::path::PathBuf;
use std::time::Duration;

use discussions::duration::parse;
use discussions::runner::{Ask, RunRequest};

use crate::cli::error::{Exit, Failure};
use crate::cli::limits::dollars;
use crate::cli::live::{self, Form, Work};
use crate::cli::plan::{self, Wanted};
use crate::cli::shell::Shell;
use crate::cli::sight::SightArgs;

/// Go on until there is agreement, or a person is needed
///
/// It asks turn by turn and phase by phase. What was answered once is never asked again.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a name, the beginning of one, or a title; without it the only open one
    file: Option<PathBuf>,
    /// Most turns of this run
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_turns: u32,
    /// Most model calls of this run
    #[arg(long, value_name = "N", default_value_t = 100)]
    max_calls: u32,
    /// Most US dollars of this run
    #[arg(long, value_name = "X", value_parser = dollars)]
    max_usd: Option<f64>,
    /// Where money is limited, also ask providers whose price is not known
    #[arg(long)]
    unpriced: bool,
    /// Longest time of this run, such as 90s, 10m or 1h
    #[arg(long, value_name = "D", value_parser = parse)]
    timeout: Option<Duration>,
    /// Go on where people were asked something and have not answered
    #[arg(long)]
    no_wait: bool,
    /// The provider for everybody
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// Show who would be asked what in the next turn, and what would be written; do nothing
    #[arg(long, conflicts_with = "events")]
    dry_run: bool,
    /// Show every answer whole, as it arrives
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Every event as one line of JSON
    #[arg(long)]
    events: bool,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sight: SightArgs,
}

/// Runs it.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.running_workspace()?;
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    if args.dry_run {
        live::insist_open(shell, &workspace, &path)?;
        let ask = Ask { provider: args.provider, ..Ask::default() };
        return plan::tell(shell, &workspace, &Wanted::Turn(&path, &ask), args.json);
    }
    let request = RunRequest {
        provider: args.provider,
        max_turns: Some(args.max_turns),
        max_calls: Some(args.max_calls),
        max_usd: args.max_usd,
        unpriced: args.unpriced,
        timeout: args.timeout,
        no_wait: args.no_wait,
        ..RunRequest::default()
    };
    let form = Form { json: args.json, events: args.events, verbose: args.verbose };
    let request = args.sight.of_run(request);
    live::go(shell, &workspace, &path, &Work::Run(request), form)
}

//! `discussions turn`

use std::path::{Path, PathBuf};
use std::time::Duration;

use discussions::duration::parse;
use discussions::runner::{TurnOptions, Work};

use crate::cli::error::{CommandError, Exit};
use crate::cli::flags::{SecretArgs, SightArgs, dollars};
use crate::cli::live::{self, OutputForm};
use crate::cli::plan::{self, PlanRequest};
use crate::cli::shell::Shell;

/// Ask each participant once, or those you name
///
/// Without names it asks the participants that have not answered in the last turn. If all have, it starts the next
/// turn.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// The participants to ask, with or without `@`; `@all` asks all of them
    #[arg(value_name = "@ALIAS")]
    who: Vec<String>,
    /// A question to these participants; it is first added as your own comment
    #[arg(long, value_name = "TEXT")]
    ask: Option<String>,
    /// With --ask: your name
    #[arg(long = "as", value_name = "NAME", requires = "ask")]
    asker: Option<String>,
    /// Use this provider for all participants
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// Maximum number of model calls; by default no limit
    #[arg(long, value_name = "N")]
    max_calls: Option<u32>,
    /// Maximum cost in US dollars; by default no limit
    #[arg(long, value_name = "X", value_parser = dollars)]
    max_usd: Option<f64>,
    /// With a money limit, also ask providers whose price is unknown
    #[arg(long)]
    unpriced: bool,
    /// Maximum time, for example 90s, 10m or 1h; by default no limit
    #[arg(long, value_name = "D", value_parser = parse)]
    timeout: Option<Duration>,
    /// Show every answer in full, as it arrives
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Show the prompts, and what would be written; do nothing
    #[arg(long, conflicts_with = "events")]
    dry_run: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Print every event as one line of JSON
    #[arg(long)]
    events: bool,
    #[command(flatten)]
    secrets: SecretArgs,
    #[command(flatten)]
    sight: SightArgs,
}

/// Runs one turn.
pub(crate) fn run(mut args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    args.secrets.learn(shell);
    let workspace = shell.running_workspace()?;
    // No discussion is named like a mention, so this is a participant, and the only open discussion is used.
    if let Some(who) = args.file.as_deref().and_then(Path::to_str).filter(|it| it.starts_with('@'))
    {
        args.who.insert(0, who.to_owned());
        args.file = None;
    }
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    if args.ask.as_deref().is_some_and(|text| text.trim().is_empty()) {
        return Err(CommandError::usage("the question in --ask is empty"));
    }
    let asker = match &args.ask {
        Some(_) => Some(shell.author(&workspace, args.asker.as_deref())?),
        None => None,
    };
    let ask = TurnOptions {
        who: args.who,
        question: args.ask,
        asker,
        provider: args.provider,
        max_usd: args.max_usd,
        unpriced: args.unpriced,
        max_calls: args.max_calls,
        timeout: args.timeout,
        ..TurnOptions::default()
    };
    let ask = args.sight.of_turn(ask);
    if args.dry_run {
        live::insist_open(shell, &workspace, &path)?;
        return plan::tell(shell, &workspace, &PlanRequest::Turn(&path, &ask), args.json);
    }
    let form = OutputForm { json: args.json, events: args.events, verbose: args.verbose };
    live::go(shell, &workspace, &path, &Work::Turn(ask), form)
}

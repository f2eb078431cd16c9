//! `discussions turn`

use std::path::{Path, PathBuf};

use discussions::runner::RunOptions;

use crate::cli::error::{CommandError, Exit};
use crate::cli::flags::{SecretArgs, SightArgs, SpendArgs};
use crate::cli::live::{self, OutputForm};
use crate::cli::plan;
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
    #[command(flatten)]
    spend: SpendArgs,
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
    let options = RunOptions {
        provider: args.provider,
        max_calls: args.max_calls,
        ..RunOptions::turn(args.who)
    };
    let options = match (asker, args.ask) {
        (Some(asker), Some(question)) => options.asking(asker, question),
        _ => options,
    };
    let options = args.sight.of_run(args.spend.of_run(options));
    if args.dry_run {
        let prepared = live::prepare(shell, &workspace, &path, &options)?;
        return plan::tell(shell, &prepared.plan()?, args.json);
    }
    let form = OutputForm { json: args.json, events: args.events, verbose: args.verbose };
    live::go(shell, &workspace, &path, &options, form)
}

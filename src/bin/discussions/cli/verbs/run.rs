//! `discussions run`

use std::path::{Path, PathBuf};

use discussions::runner::RunOptions;
use discussions::view::visible_line;
use discussions::workspace::Workspace;

use crate::cli::error::{CommandError, Exit};
use crate::cli::flags::{SightArgs, SpendArgs};
use crate::cli::live::{self, OutputForm};
use crate::cli::plan;
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Run a discussion until consensus, or until a person is needed
///
/// Asks the participants, turn by turn and phase by phase. Never pays again for an answer that is
/// already in the file.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a title, a name or its beginning; by default the only open one
    file: Option<PathBuf>,
    /// Maximum number of turns
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_turns: u32,
    /// Maximum number of model calls
    #[arg(long, value_name = "N", default_value_t = 100)]
    max_calls: u32,
    #[command(flatten)]
    spend: SpendArgs,
    /// Continue even if people have not answered their questions
    #[arg(long)]
    no_wait: bool,
    /// Add answers that an earlier run kept because it could not record them
    #[arg(long, conflicts_with = "dry_run")]
    take_in: bool,
    /// Use this provider for all participants
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// Show the prompts of the next turn, and what would be written; do nothing
    #[arg(long, conflicts_with = "events")]
    dry_run: bool,
    /// Show every answer in full, as it arrives
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Print every event as one line of JSON
    #[arg(long)]
    events: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sight: SightArgs,
}

/// Adds answers that an earlier run kept, if the user agrees. Otherwise names the participants that wrote them.
fn take_in(
    wanted: bool,
    shell: &mut Shell,
    workspace: &Workspace,
    path: &Path,
) -> Result<(), CommandError> {
    let kept = workspace.discussions().kept_answers(path)?;
    if kept.is_empty() {
        if wanted {
            shell.ui.note("there are no kept answers");
        }
        return Ok(());
    }
    let names = kept.iter().flat_map(|one| one.authors.iter().map(String::as_str));
    let names = names.collect::<Vec<_>>().join(", ");
    let question = format!("Add the answers of {names} that an earlier run kept?");
    // The user can read the answers before agreeing.
    for one in &kept {
        let file = visible_line(&one.file.display().to_string());
        shell.ui.note(format!("kept answers of {}: {file}", one.authors.join(", ")));
    }
    let is_agreed = wanted || shell.ui.can_ask() && shell.ui.ask(Line::from(question.as_str()));
    if !is_agreed {
        let told =
            format!("answers of {names} are kept outside the file; `run --take-in` adds them");
        shell.ui.note(told);
        return Ok(());
    }
    let (added, refused) = workspace.discussions().take_in(path)?;
    if !added.is_empty() {
        shell.ui.note(format!("Added the kept answers of {}", added.join(", ")));
    }
    for why in refused {
        shell.ui.warning(format!("not added: {why}"));
    }
    Ok(())
}

/// Runs the discussion.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.running_workspace()?;
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    if args.dry_run {
        let ask = RunOptions { provider: args.provider, ..RunOptions::next_turn() };
        let prepared = live::prepare(shell, &workspace, &path, &ask)?;
        return plan::tell(shell, &prepared.plan()?, args.json);
    }
    take_in(args.take_in, shell, &workspace, &path)?;
    shell.merge_driver(&workspace, Some(&path));
    let request = RunOptions {
        provider: args.provider,
        max_turns: Some(args.max_turns),
        max_calls: Some(args.max_calls),
        no_wait: args.no_wait,
        ..RunOptions::default()
    };
    let form = OutputForm { json: args.json, events: args.events, verbose: args.verbose };
    let request = args.sight.of_run(args.spend.of_run(request));
    live::go(shell, &workspace, &path, &request, form)
}

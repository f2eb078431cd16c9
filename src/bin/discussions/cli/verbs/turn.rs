//! `discussions turn`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use discussions::runner::Ask;
use discussions::workspace::Workspace;

use crate::cli::error::{Exit, Failure};
use crate::cli::limits::dollars;
use crate::cli::live::{self, Form, Work};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Ask each participant once: whoever is missing in the last turn, else those of the next
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion: a path, a name, the beginning of one, or a title; without it the only open one
    file: Option<PathBuf>,
    /// Whom to ask, with or without `@`; `@all` asks every participant
    #[arg(value_name = "@ALIAS")]
    who: Vec<String>,
    /// A question to them, written as your own comment first
    #[arg(long, value_name = "TEXT")]
    ask: Option<String>,
    /// Who asks, with --ask
    #[arg(long = "as", value_name = "NAME", requires = "ask")]
    asker: Option<String>,
    /// The provider for everybody
    #[arg(long, value_name = "P")]
    provider: Option<String>,
    /// Most US dollars of this turn
    #[arg(long, value_name = "X", value_parser = dollars)]
    max_usd: Option<f64>,
    /// With --max-usd, also ask providers whose price is not known
    #[arg(long, requires = "max_usd")]
    unpriced: bool,
    /// Show who would be asked what, and what would be written; do nothing
    #[arg(long, conflicts_with = "events")]
    dry_run: bool,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
    /// Every event as one line of JSON
    #[arg(long)]
    events: bool,
}

/// Runs one turn.
pub(crate) fn run(mut args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    // No discussion is called so: the only open one is meant.
    if let Some(who) = args.file.as_deref().and_then(Path::to_str).filter(|it| it.starts_with('@'))
    {
        args.who.insert(0, who.to_owned());
        args.file = None;
    }
    let path = shell.discussion(&workspace, args.file.as_deref())?;
    if args.ask.as_deref().is_some_and(|text| text.trim().is_empty()) {
        return Err(Failure::usage("the question of --ask is empty"));
    }
    let asker = match &args.ask {
        Some(_) => Some(shell.author(&workspace, args.asker.as_deref())?),
        None => None,
    };
    let ask = Ask {
        who: args.who,
        question: args.ask,
        asker,
        provider: args.provider,
        max_usd: args.max_usd,
        unpriced: args.unpriced,
    };
    if args.dry_run {
        workspace.insist_open(&path)?;
        return plan(shell, &workspace, &path, &ask, args.json);
    }
    let form = Form { json: args.json, events: args.events };
    live::go(shell, &workspace, &path, &Work::Turn(ask), form)
}

/// Tells what would be done, and whom others would stand in for.
fn plan(
    shell: &mut Shell,
    workspace: &Arc<Workspace>,
    path: &Path,
    ask: &Ask,
    json: bool,
) -> Result<Exit, Failure> {
    let plan = workspace.plan(path, ask)?;
    for call in &plan.asks {
        let first = call.providers.first().map_or("", String::as_str);
        let Some(missing) = &call.passed_over else { continue };
        let line = shell.notices.passed_over(&missing.provider, &missing.why(), first);
        line.into_iter().for_each(|line| shell.ui.note(line));
    }
    if json {
        shell.ui.json(&plan);
        return Ok(Exit::Done);
    }
    let file = workspace.shown(path);
    if plan.asks.is_empty() {
        shell.ui.out("Nobody would be asked.");
    }
    for call in &plan.asks {
        let providers = call.providers.join(", then ");
        shell.ui.out(
            Line::default()
                .text("Would ask ")
                .strong(format!("@{}", call.participant))
                .text(format!(" through {providers}; the prompt, {} bytes:", call.prompt.len())),
        );
        shell.ui.out("");
        shell.ui.page(indented(&call.prompt));
        shell.ui.out("");
    }
    if plan.appends.is_empty() {
        shell.ui.out(format!("Nothing would be written to {file} before the answers."));
        return Ok(Exit::Done);
    }
    shell.ui.out(format!("Would be written to {file} now:"));
    shell.ui.out("");
    for line in plan.appends.lines() {
        shell.ui.out(Line::default().colour(anstyle::AnsiColor::Green, format!("+{line}")));
    }
    Ok(Exit::Done)
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
        .collect()
}

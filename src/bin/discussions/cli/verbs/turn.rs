//! `discussions turn`

use std::path::PathBuf;

use discussions::engine::{Snapshot, TurnRequest};
use discussions::runner::{CallOptions, Plan, Runner, TurnOptions};
use discussions::transcript::Alias;

use crate::cli::error::{Exit, Failure, nobody};
use crate::cli::live::{self, Form, Work};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;

/// Ask each participant once: whoever is missing in the last turn, else those of the next
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The discussion
    file: PathBuf,
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
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let path = workspace.find(&args.file)?;
    let named = named(&workspace.snapshot(&path)?, &args.who)?;
    if args.ask.as_deref().is_some_and(|text| text.trim().is_empty()) {
        return Err(Failure::usage("the question of --ask is empty"));
    }
    let asker = match &args.ask {
        Some(_) => Some(shell.author(&workspace, args.asker.as_deref())?),
        None => None,
    };
    let options = TurnOptions {
        request: TurnRequest { named, ask: args.ask },
        asker,
        calls: CallOptions { provider: args.provider, ..CallOptions::default() },
    };
    if args.dry_run {
        live::refuse_closed(&workspace, &path)?;
        let plan = Runner::new(workspace).plan(&path, &options)?;
        warn(shell, &plan);
        if args.json {
            shell.ui.json(&plan.view(shell.exact(&path)));
        } else {
            show(shell, &plan, &path);
        }
        return Ok(Exit::Done);
    }
    let form = Form { json: args.json, events: args.events };
    live::go(shell, &workspace, &path, &Work::Turn(options), form)
}

/// The aliases of whoever is named.
fn named(snapshot: &Snapshot, who: &[String]) -> Result<Vec<Alias>, Failure> {
    let config = &snapshot.config;
    let mut named: Vec<Alias> = Vec::new();
    for word in who {
        let bare = word.trim().trim_start_matches('@');
        let found = if bare.eq_ignore_ascii_case("all") {
            config.seats().cloned().collect()
        } else {
            vec![alias(snapshot, bare)?]
        };
        for alias in found {
            if !named.contains(&alias) {
                named.push(alias);
            }
        }
    }
    Ok(named)
}

fn alias(snapshot: &Snapshot, word: &str) -> Result<Alias, Failure> {
    let config = &snapshot.config;
    // The head may name personas that this machine has no file for.
    let seated = config.seats().find(|alias| {
        alias.as_str().eq_ignore_ascii_case(word)
            || config.name_of(alias).eq_ignore_ascii_case(word)
    });
    match seated {
        Some(alias) => Ok(alias.clone()),
        None => match config.roster().resolve(word) {
            Ok(member) => Ok(member.persona.alias.clone()),
            Err(discussions::participant::ResolveError::Unknown { nearest, .. }) => {
                Err(nobody(word, &nearest))
            }
            Err(error) => Err(error.into()),
        },
    }
}

/// Tells whom others would stand in for.
fn warn(shell: &mut Shell, plan: &Plan) {
    for call in &plan.calls {
        let first = call.providers.first().map_or("", String::as_str);
        let missing = call.passed_over.as_ref();
        if let Some(line) = missing.and_then(|it| shell.notices.passed_over(it, first)) {
            shell.ui.note(line);
        }
    }
}

fn show(shell: &mut Shell, plan: &Plan, path: &std::path::Path) {
    let file = shell.shown(path);
    if plan.calls.is_empty() {
        shell.ui.out("Nobody would be asked.");
    }
    for call in &plan.calls {
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
    if plan.appended.is_empty() {
        shell.ui.out(format!("Nothing would be written to {file} before the answers."));
        return;
    }
    shell.ui.out(format!("Would be written to {file} now:"));
    shell.ui.out("");
    for line in plan.appended.lines() {
        shell.ui.out(Line::default().colour(anstyle::AnsiColor::Green, format!("+{line}")));
    }
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
        .collect()
}

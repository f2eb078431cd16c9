//! `discussions doctor`

use crate::cli::error::{CommandError, Exit};
use crate::cli::interrupt;
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::trust;
use crate::cli::words;
use crate::cli::words::typed;

/// Show what is installed, logged in, configured and wrong
///
/// The command makes no model call and runs no command of the project. It exits with 3 if no model can answer. Its
/// output contains no key, so you can paste it into an issue.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also show what is missing and not needed
    #[arg(long)]
    all: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Shows the state of everything that discussions need.
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    // Other commands print the lines of a broken file, which may hold a key.
    let Ok(workspace) = shell.outside.open() else {
        return Err(CommandError::input("the configuration cannot be read")
            .help("`discussions list` shows the line"));
    };
    let trusted = trust::trusted_so_far(shell, &workspace);
    let Some(mut all) = interrupt::droppable(workspace.providers().diagnose(&trusted))? else {
        return Ok(Exit::Interrupted);
    };
    for one in &mut all {
        one.fix = one.fix.take().or_else(|| fix(one.topic, one.state, &one.name));
    }
    let can_answer = all.iter().any(|one| one.answers);
    let exit = if can_answer { Exit::Done } else { Exit::Input };
    if args.json {
        shell.ui.json(&all);
        return Ok(exit);
    }
    let (missing, shown): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| one.state == "missing" && !args.all);
    let rows = shown.into_iter().map(|one| {
        let fix = one.fix.map(|fix| format!("; {fix}")).unwrap_or_default();
        vec![one.name, one.state.to_owned(), one.details + &fix]
    });
    shell.ui.rows(&COLUMNS, rows.collect());
    if !missing.is_empty() {
        shell.ui.note(format!(
            "{} more are missing and may not be needed; --all shows them",
            missing.len()
        ));
    }
    if can_answer {
        return Ok(exit);
    }
    let ways = words::THREE_WAYS.map(|way| format!("\n  - {way}")).concat();
    Err(CommandError::input("no model can answer").help(format!(
        "any one of these will do:{ways}\n  - to try it with made-up answers: --provider mock"
    )))
}

/// Returns the command that fixes or tests a thing.
fn fix(topic: &str, state: &str, name: &str) -> Option<String> {
    let name = typed(name);
    Some(match (topic, state) {
        (_, "ok") => return None,
        (_, "untrusted") | ("trust", _) => "`discussions trust` shows it and asks you".to_owned(),
        (_, "ignored") => "`discussions init` makes it one".to_owned(),
        ("mergeDriver", _) => "`discussions init` sets it up".to_owned(),
        ("participant", _) => "`discussions participants list` shows the error".to_owned(),
        ("template", _) => "`discussions templates list` shows the error".to_owned(),
        ("provider", _) if name.ends_with(".yaml") => {
            "`discussions providers list` shows the error".to_owned()
        }
        (_, "unknown") => format!("`discussions providers check {name} --ping` tests it"),
        ("service" | "provider", _) => {
            format!("`discussions providers check {name}` says what it needs")
        }
        _ => return None,
    })
}

const COLUMNS: [Column; 3] =
    [Column::fixed("NAME"), Column::fixed("STATE"), Column::flowing("DETAILS")];

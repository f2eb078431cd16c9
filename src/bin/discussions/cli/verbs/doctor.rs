//! `discussions doctor`, which `discussions providers check` starts too

use discussions::view::{ProviderState, visible_line};

use crate::cli::error::{CommandError, Exit};
use crate::cli::interrupt;
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::snippet::clip;
use crate::cli::trust;
use crate::cli::ui::Ui;
use crate::cli::words;
use crate::cli::words::typed;

/// The maximum number of characters of details that are printed after a call.
const MAX_DETAILS_CHARS: usize = 200;

/// Show what is installed, logged in, configured and wrong
///
/// Without --ping, the command makes no model call and runs no command of the project. It exits with 3 if no model can
/// answer, and with 4 if the named provider cannot. Its output contains no key, so you can paste it into an issue.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this provider, and what it needs
    #[arg(value_name = "PROVIDER")]
    name: Option<String>,
    /// Also show what is missing and not needed
    #[arg(long)]
    all: bool,
    /// Send each provider a one-line prompt, at the cost of one small call
    #[arg(long)]
    ping: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Shows the state of everything that discussions need, or of providers.
pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let is_of_providers = args.ping || args.name.is_some();
    let all = if is_of_providers {
        let workspace = shell.asking_workspace()?;
        let (providers, only) = (workspace.providers(), args.name.as_deref());
        match only {
            Some(name) if !args.ping => {
                let trusted = trust::trusted_so_far(shell, &workspace);
                Some(vec![providers.diagnose_provider(name, &trusted)?])
            }
            only => {
                let needed = providers.needed_for_ping(only)?;
                let consents = trust::ask_for(shell, &workspace, &needed)?;
                let pinged = providers.diagnose_by_ping(only, &consents, |of| {
                    let is_asked = |state| matches!(state, &ProviderState::Ready { .. });
                    let asked = of.iter().filter(|one| is_asked(&one.state));
                    tell_asked(&mut shell.ui, asked.map(|one| one.name.as_str()).collect());
                    for one in of {
                        if let Some(line) = one.called_line() {
                            tell_called(&mut shell.ui, &one.name, &line);
                        }
                    }
                });
                interrupt::droppable(pinged)?.transpose()?
            }
        }
    } else {
        // Other commands print the lines of a broken file, which may hold a key.
        let Ok(workspace) = shell.outside.open() else {
            return Err(CommandError::input("the configuration cannot be read")
                .help("`discussions list` shows the line"));
        };
        let trusted = trust::trusted_so_far(shell, &workspace);
        interrupt::droppable(workspace.providers().diagnose(&trusted))?
    };
    let Some(mut all) = all else { return Ok(Exit::Interrupted) };
    let usable: &[&str] = if args.ping { &["answers"] } else { &["ok", "unknown"] };
    let can_answer = if is_of_providers {
        all.sort_by_key(|one| !usable.contains(&one.state));
        all.iter().any(|one| usable.contains(&one.state))
    } else {
        all.iter().any(|one| one.answers)
    };
    for one in &mut all {
        one.fix = one.fix.take().or_else(|| fix(one.topic, one.state, &one.name));
    }
    let exit = match (can_answer, is_of_providers) {
        (true, _) => Exit::Done,
        (false, true) => Exit::NoAnswer,
        (false, false) => Exit::Input,
    };
    if args.json {
        shell.ui.json(&all);
        return Ok(exit);
    }
    let shows_missing = args.all || args.name.is_some();
    let (missing, shown): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| one.state == "missing" && !shows_missing);
    let rows = shown.into_iter().map(|one| {
        let fix = one.fix.map(|fix| format!("; {fix}")).unwrap_or_default();
        let was_called = ["answers", "fails"].contains(&one.state);
        let details = if was_called { clip(&one.details, MAX_DETAILS_CHARS) } else { one.details };
        vec![one.name, one.state.to_owned(), details + &fix]
    });
    shell.ui.rows(&COLUMNS, rows.collect());
    if !missing.is_empty() {
        shell.ui.note(format!(
            "{} more are missing and may not be needed; --all shows them",
            missing.len()
        ));
    }
    if can_answer || is_of_providers {
        return Ok(exit);
    }
    let ways = words::THREE_WAYS.map(|way| format!("\n  - {way}")).concat();
    Err(CommandError::input("no model can answer").help(format!(
        "any one of these will do:{ways}\n  - to try it with made-up answers: --provider mock"
    )))
}

/// Prints the providers that were called.
fn tell_asked(ui: &mut Ui, names: Vec<&str>) {
    if !names.is_empty() {
        ui.note_wrapped(format!("Asking {}...", names.join(", ")).into());
    }
}

/// Prints an answer when it arrives.
fn tell_called(ui: &mut Ui, name: &str, line: &str) {
    let line = visible_line(&clip(line, MAX_DETAILS_CHARS));
    ui.note_wrapped(format!("  {name}: {line}").into());
}

/// Returns the command that fixes or tests a thing.
fn fix(topic: &str, state: &str, name: &str) -> Option<String> {
    let name = typed(name);
    Some(match (topic, state) {
        (_, "ok" | "answers" | "fails") => return None,
        (_, "untrusted") | ("trust", _) => "`discussions trust` shows it and asks you".to_owned(),
        (_, "ignored") => "`discussions init` makes it one".to_owned(),
        ("mergeDriver", _) => "`discussions init` sets it up".to_owned(),
        ("participant", _) => "`discussions participants list` shows the error".to_owned(),
        ("template", _) => "`discussions templates list` shows the error".to_owned(),
        ("provider", _) if name.ends_with(".yaml") => {
            "`discussions providers list` shows the error".to_owned()
        }
        (_, "unknown") => format!("`discussions doctor {name} --ping` tests it"),
        _ => return None,
    })
}

const COLUMNS: [Column; 3] =
    [Column::fixed("NAME"), Column::fixed("STATE"), Column::flowing("DETAILS")];

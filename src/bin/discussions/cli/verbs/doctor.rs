//! `discussions doctor`, which `discussions providers check` starts too

use discussions::view::{CheckedProvider, Diagnosis, ProviderState, visible_line};

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
    if args.ping || args.name.is_some() {
        return diagnose_providers(args, shell);
    }
    // Other commands print the lines of a broken file, which may hold a key.
    let Ok(workspace) = shell.outside.open() else {
        return Err(CommandError::input("the configuration cannot be read")
            .help("`discussions list` shows the line"));
    };
    let trusted = trust::trusted_so_far(shell, &workspace);
    let Some(all) = interrupt::droppable(workspace.providers().diagnose(&trusted))? else {
        return Ok(Exit::Interrupted);
    };
    let can_answer = all.iter().any(|one| one.answers);
    print(all, args, shell);
    if can_answer || args.json {
        return Ok(if can_answer { Exit::Done } else { Exit::Input });
    }
    let ways = words::THREE_WAYS.map(|way| format!("\n  - {way}")).concat();
    Err(CommandError::input("no model can answer").help(format!(
        "any one of these will do:{ways}\n  - to try it with made-up answers: --provider mock"
    )))
}

/// Shows the state of one provider, or calls all of them.
fn diagnose_providers(args: &Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.asking_workspace()?;
    let (providers, only) = (workspace.providers(), args.name.as_deref());
    let mut all = match only {
        Some(name) if !args.ping => {
            let trusted = trust::trusted_so_far(shell, &workspace);
            vec![providers.diagnose_provider(name, &trusted)?]
        }
        only => {
            let consents = trust::ask_for(shell, &workspace, &providers.needed_for_ping(only)?)?;
            let pinged = providers.diagnose_by_ping(only, &consents, |of| tell(&mut shell.ui, of));
            match interrupt::droppable(pinged)? {
                Some(all) => all?,
                None => return Ok(Exit::Interrupted),
            }
        }
    };
    let usable: &[&str] = if args.ping { &["answers"] } else { &["ok", "unknown"] };
    let can_answer = all.iter().any(|one| usable.contains(&one.state));
    let exit = if can_answer { Exit::Done } else { Exit::NoAnswer };
    all.sort_by_key(|one| !usable.contains(&one.state));
    print(all, args, shell);
    Ok(exit)
}

/// Prints diagnoses, as JSON or in rows.
fn print(mut all: Vec<Diagnosis>, args: &Args, shell: &mut Shell) {
    for one in &mut all {
        one.fix = one.fix.take().or_else(|| fix(one.topic, one.state, &one.name));
    }
    if args.json {
        shell.ui.json(&all);
        return;
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
}

/// Prints the providers that were called, and each answer when it arrives.
fn tell(ui: &mut Ui, of: &[CheckedProvider]) {
    let is_asked = |one: &&CheckedProvider| matches!(one.state, ProviderState::Ready { .. });
    let asked: Vec<&str> = of.iter().filter(is_asked).map(|one| one.name.as_str()).collect();
    if !asked.is_empty() {
        ui.note_wrapped(format!("Asking {}...", asked.join(", ")).into());
    }
    for one in of {
        if let Some(line) = one.called_line() {
            let line = visible_line(&clip(&line, MAX_DETAILS_CHARS));
            ui.note_wrapped(format!("  {}: {line}", one.name).into());
        }
    }
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

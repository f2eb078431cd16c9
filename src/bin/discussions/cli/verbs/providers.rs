//! `discussions providers`

use discussions::view::{ProviderState, visible_line};
use discussions::workspace::{Consents, Workspace};

use crate::cli::error::{CommandError, Exit};
use crate::cli::interrupt;
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::snippet::clip;
use crate::cli::trust;
use crate::cli::ui::Ui;

/// List and check providers of models, add or remove your own
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<ProvidersVerb>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum ProvidersVerb {
    /// List all providers
    List {
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show which providers are ready
    Check {
        /// Only this provider
        name: Option<String>,
        /// Also show missing providers, and what each one needs
        #[arg(long)]
        all: bool,
        /// Also send each provider a one-line prompt, at the cost of one small call
        #[arg(long)]
        ping: bool,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Add a provider to your configuration folder
    Add {
        /// The name of the provider
        name: String,
        /// The service, for example openai, anthropic or ollama; by default the provider's name
        #[arg(long, conflicts_with = "command")]
        api: Option<String>,
        /// The model
        #[arg(long, conflicts_with = "command")]
        model: Option<String>,
        /// The address, if it is not the service's default
        #[arg(long, conflicts_with = "command")]
        url: Option<String>,
        /// The environment variable that holds the key
        #[arg(long, value_name = "VARIABLE", conflicts_with = "command")]
        key: Option<String>,
        /// A command that reads the prompt from standard input
        #[arg(long, value_name = "LINE")]
        command: Option<String>,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a provider from your configuration folder
    Remove {
        /// The name of the provider
        name: String,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Lists, checks, adds or removes providers.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.asking_workspace()?;
    match args.verb.unwrap_or(ProvidersVerb::List { json: args.json }) {
        ProvidersVerb::List { json } => {
            let trusted = trust::trusted_so_far(shell, &workspace);
            let all = workspace.providers().list_providers(&trusted);
            if json {
                shell.ui.json(&all);
                return Ok(Exit::Done);
            }
            // If the FROM column marks a provider as not trusted, keep the column on narrow
            // terminals.
            let from = if all.iter().all(|one| one.trusted) {
                Column::whole("FROM", 3)
            } else {
                Column::fixed("FROM")
            };
            let rows = all.into_iter().map(|one| {
                let runs = clip(&visible_line(&one.runs), 48);
                let ours = if one.trusted { "" } else { " (not trusted)" };
                let description = clip(&visible_line(&one.description), 72);
                vec![visible_line(&one.name), runs, description, one.origin + ours]
            });
            shell.ui.rows(&[NAME, RUNS, DESCRIPTION, from], rows.collect());
            Ok(Exit::Done)
        }
        ProvidersVerb::Check { name, all, ping, json } => {
            let form = if json { ProviderForm::Json } else { ProviderForm::Rows { all } };
            check(&workspace, name.as_deref(), ping, form, shell)
        }
        ProvidersVerb::Add { name, api, model, url, key, command, json } => {
            let keys = match command {
                Some(line) => vec![("command", line)],
                None => {
                    let api = api.unwrap_or_else(|| name.clone());
                    let more = [("model", model), ("url", url), ("key", key)];
                    let more = more.into_iter().filter_map(|(key, value)| Some((key, value?)));
                    [("api", api)].into_iter().chain(more).collect()
                }
            };
            let is_guess = keys.first().is_some_and(|(key, value)| *key == "api" && *value == name);
            let added = workspace.providers().add_provider(&name, keys).map_err(|error| {
                let failure = CommandError::from(error);
                if is_guess { failure.help_unless_known(SERVICE) } else { failure }
            })?;
            if json {
                shell.ui.json(&added);
            } else {
                shell.ui.out(format!("Added {name}: {}", added.file));
            }
            // A new workspace reads the changed configuration. A provider that the user adds needs no trust.
            let trusted = Consents::all();
            for one in
                shell.asking_workspace()?.providers().check_providers(Some(&name), &trusted)?
            {
                if let ProviderState::Missing { reason, fix } = one.state {
                    shell.ui.warning(format!("the provider is not ready yet: {reason}; {fix}"));
                }
            }
            Ok(Exit::Done)
        }
        ProvidersVerb::Remove { name, json } => {
            let removed = workspace.providers().remove_provider(&name)?;
            if json {
                shell.ui.json(&removed);
            } else {
                shell.ui.out(format!("Removed {name}: {}", removed.file));
            }
            // The removed definition may have replaced another one. A new workspace reads the changed configuration.
            let trusted = trust::trusted_so_far(shell, &workspace);
            let all = shell.asking_workspace()?.providers().list_providers(&trusted).into_iter();
            if let Some(other) = all.into_iter().find(|it| it.name.eq_ignore_ascii_case(&name)) {
                shell.ui.hint(
                    "note",
                    format!("`{}` is now the one that is {}", other.name, other.origin),
                );
            }
            Ok(Exit::Done)
        }
    }
}

/// The form in which the states of providers are printed.
enum ProviderForm {
    Json,
    /// Print rows; with `all`, also missing built-in providers.
    Rows {
        all: bool,
    },
}

fn check(
    workspace: &Workspace,
    only: Option<&str>,
    ping: bool,
    form: ProviderForm,
    shell: &mut Shell,
) -> Result<Exit, CommandError> {
    let all = if ping {
        let providers = workspace.providers();
        let consents = trust::ask_for(shell, workspace, &providers.needed_for_ping(only)?)?;
        let pinged = providers.ping_providers(only, &consents, |of| {
            tell(&mut shell.ui, of.iter().map(|one| (one.name.as_str(), &one.state)));
        });
        match interrupt::droppable(pinged)? {
            Some(all) => all?,
            None => return Ok(Exit::Interrupted),
        }
    } else {
        let trusted = trust::trusted_so_far(shell, workspace);
        workspace.providers().check_providers(only, &trusted)?
    };
    let answers = |state: &ProviderState| matches!(state, ProviderState::Answers { .. });
    // If the user names a provider, the exit code says if that provider can be used.
    let usable = |state: &ProviderState| {
        if ping { answers(state) } else { matches!(state, ProviderState::Ready { .. }) }
    };
    let answered = match only {
        Some(_) => all.iter().all(|one| usable(&one.state)),
        None => !ping || all.iter().any(|one| usable(&one.state)),
    };
    let exit = if answered { Exit::Done } else { Exit::NoAnswer };
    let shows_all = match form {
        ProviderForm::Json => {
            shell.ui.json(&all);
            return Ok(exit);
        }
        ProviderForm::Rows { all } => all || only.is_some(),
    };
    // Users want to know what their own providers lack.
    let own = own_names(workspace, shell);
    let (missing, mut shown): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| matches!(one.state, ProviderState::Missing { .. }));
    let (own, others): (Vec<_>, Vec<_>) =
        missing.into_iter().partition(|one| own.contains(&one.name));
    shown.sort_by_key(|one| !usable(&one.state));
    shown.extend(own);
    let left = if shows_all { 0 } else { others.len() };
    shown.extend(others.into_iter().filter(|_| shows_all));
    let row = |name: String, state| {
        let (word, details) = describe_state(&name, state);
        vec![name, word.to_owned(), details]
    };
    let rows = shown.into_iter().map(|one| row(one.name, one.state)).collect();
    shell.ui.rows(&CHECKED, rows);
    if left > 0 {
        shell.ui.note(format!("{left} more are missing; --all shows them"));
    }
    Ok(exit)
}

/// Returns the names of the providers that are not built in.
fn own_names(workspace: &Workspace, shell: &mut Shell) -> Vec<String> {
    let trusted = trust::trusted_so_far(shell, workspace);
    let all = workspace.providers().list_providers(&trusted).into_iter();
    all.filter(|one| one.origin != BUILT_IN).map(|one| one.name).collect()
}

/// Prints the providers that were called, and each answer when it arrives.
fn tell<'a>(ui: &mut Ui, of: impl Iterator<Item = (&'a str, &'a ProviderState)>) {
    let mut asked = Vec::new();
    for (name, state) in of {
        if let ProviderState::Ready { .. } = state {
            asked.push(name);
        } else {
            let (_, words) = describe_state(name, state.clone());
            ui.note_wrapped(format!("  {name}: {}", visible_line(&words)).into());
        }
    }
    if !asked.is_empty() {
        ui.note_wrapped(format!("Asking {}...", asked.join(", ")).into());
    }
}

/// Returns the state of a provider in a word, and its details.
fn describe_state(name: &str, state: ProviderState) -> (&'static str, String) {
    match state {
        ProviderState::Broken { reason } => ("broken", reason),
        ProviderState::Ready { through, tested } => {
            let through = through.map_or("built in".to_owned(), |it| visible_line(&it));
            if tested {
                ("ready", through)
            } else {
                ("not checked", format!("{through} (a check would cost a call: --ping)"))
            }
        }
        ProviderState::Missing { reason, fix } => ("missing", format!("{reason}; {fix}")),
        ProviderState::NotTrusted => {
            ("not trusted", "to review and trust it: `discussions trust`".to_owned())
        }
        ProviderState::Answers { text, ms } => {
            let seconds = std::time::Duration::from_millis(ms).as_secs_f64();
            ("answers", format!("{seconds:.1} s: {}", clip(&text, 40)))
        }
        ProviderState::Fails { message } => {
            // The row already begins with the provider's name.
            let words = message.strip_prefix(name).and_then(|it| it.strip_prefix(' '));
            ("fails", clip(words.unwrap_or(&message), 200))
        }
    }
}

/// The help on naming the service or program of a new provider.
const SERVICE: &str =
    "--api names the service, for example openai or ollama; --command names a program instead";

/// The origin of built-in providers.
const BUILT_IN: &str = "built in";

const NAME: Column = Column::fixed("PROVIDER");
const RUNS: Column = Column::words("RUNS", 2, 48);
const DESCRIPTION: Column = Column::words("DESCRIPTION", 1, 72);

const CHECKED: [Column; 3] = [NAME, Column::fixed("STATE"), Column::flowing("DETAILS")];

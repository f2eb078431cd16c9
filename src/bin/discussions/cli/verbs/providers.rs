//! `discussions providers`

use discussions::view::{ProviderState, visible_line};
use discussions::workspace::Consents;

use crate::cli::error::{CommandError, Exit};
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::snippet::clip;
use crate::cli::trust;
use crate::cli::verbs::doctor;

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
    /// The same as `discussions doctor`
    Check(doctor::Args),
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
    // The doctor opens the project itself, so that a broken definition is named once.
    if let Some(ProvidersVerb::Check(args)) = &args.verb {
        return doctor::run(args, shell);
    }
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
        ProvidersVerb::Check(args) => doctor::run(&args, shell),
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

/// The help on naming the service or program of a new provider.
const SERVICE: &str =
    "--api names the service, for example openai or ollama; --command names a program instead";

const NAME: Column = Column::fixed("PROVIDER");
const RUNS: Column = Column::words("RUNS", 2, 48);
const DESCRIPTION: Column = Column::words("DESCRIPTION", 1, 72);

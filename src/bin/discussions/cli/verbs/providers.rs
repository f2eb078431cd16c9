//! `discussions providers`

use std::sync::Arc;
use std::time::Duration;

use discussions::provider::{
    Availability, Entry, Foreign, NewProvider, Provider, Timeout, TrustError, ping,
};
use discussions::transcript::{Alias, visible_line};
use discussions::workspace::Workspace;

use crate::cli::error::{Exit, Failure};
use crate::cli::interrupt;
use crate::cli::shell::Shell;
use crate::cli::snippet::clip;
use crate::cli::trust::{self, Trusted};

/// How long a ping may take at most, whatever longer time a provider has for real questions.
const PATIENCE: Duration = Duration::from_secs(60);

/// See the model programs that can answer
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List all providers
    List,
    /// Say which are installed
    Check {
        /// Only this one
        name: Option<String>,
        /// Also send each a one-line prompt, which costs what one small call costs
        #[arg(long)]
        ping: bool,
    },
    /// Define one of your own, in your configuration folder
    Add {
        /// What it is called
        name: String,
        /// The service it speaks to, such as openai, anthropic or ollama; its name where that is one
        #[arg(long, conflicts_with = "command")]
        api: Option<String>,
        /// The model
        #[arg(long, conflicts_with = "command")]
        model: Option<String>,
        /// The address, where it is not the service's own
        #[arg(long, conflicts_with = "command")]
        url: Option<String>,
        /// The name of the variable that holds the key
        #[arg(long, value_name = "VARIABLE", conflicts_with = "command")]
        key: Option<String>,
        /// A program that takes the prompt on standard input
        #[arg(long, value_name = "LINE")]
        command: Option<String>,
    },
}

/// Lists or checks them.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    match args.verb {
        Verb::List => {
            let trusted = trust::known(shell, &workspace);
            let rows =
                workspace.registry.entries().iter().map(|entry| row(entry, &trusted)).collect();
            shell.ui.table(&["provider", "runs", "description", "from"], rows);
            Ok(Exit::Done)
        }
        Verb::Check { name, ping } => check(&workspace, name.as_deref(), ping, shell),
        Verb::Add { name, api, model, url, key, command } => {
            let keys = match command {
                Some(line) => vec![("command", line)],
                None => {
                    let api = api.unwrap_or_else(|| name.clone());
                    let more = [("model", model), ("url", url), ("key", key)];
                    let more = more.into_iter().filter_map(|(key, value)| Some((key, value?)));
                    [("api", api)].into_iter().chain(more).collect()
                }
            };
            add(&name, keys, shell)
        }
    }
}

/// Writes a definition where all of the user's projects see it.
fn add(name: &str, keys: Vec<(&'static str, String)>, shell: &mut Shell) -> Result<Exit, Failure> {
    let new = NewProvider::named(name, keys).map_err(Failure::input)?;
    let path = shell.outside.providers().ok_or_else(|| {
        Failure::io("there is no folder for your configuration; set DISCUSSIONS_CONFIG_DIR")
    })?;
    let failed = |error: std::io::Error| Failure::io(format!("{}: {error}", path.display()));
    let before = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.map_err(failed)?,
    };
    let text = new.added_to(&before, &path.display().to_string())?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(&path, text).map_err(failed)?;
    shell.ui.out(format!("Added {name}: {}", shell.shown(&path)));
    let workspace = shell.workspace()?;
    let entry = workspace.registry.find(name)?;
    if let Ok(Availability::Missing { reason, fix }) =
        entry.availability(&workspace.environment, workspace.setup.base())
    {
        shell.ui.warning(format!("it cannot be asked yet: {reason}; {fix}"));
    }
    Ok(Exit::Done)
}

fn row(entry: &Entry, trusted: &Trusted) -> Vec<String> {
    let definition = &entry.definition;
    let runs = visible_line(&definition.kind.written());
    vec![
        definition.common.name.to_string(),
        clip(&runs, 48),
        definition.common.description.clone(),
        match trusted.covers(entry) {
            true => entry.origin.to_string(),
            false => format!("{} (not trusted)", entry.origin),
        },
    ]
}

fn check(
    workspace: &Arc<Workspace>,
    name: Option<&str>,
    ping: bool,
    shell: &mut Shell,
) -> Result<Exit, Failure> {
    let named = name.map(|name| workspace.registry.find(name)).transpose()?;
    let named = named.map(|entry| vec![entry.into_owned()]);
    let entries = named.as_deref().unwrap_or(workspace.registry.entries());
    let (environment, base) = (&workspace.environment, workspace.setup.base());
    let mut rows = Vec::new();
    let mut ready = Vec::new();
    for entry in entries {
        let name = entry.definition.common.name.to_string();
        match entry.availability(environment, base) {
            Err(error) => rows.push(vec![name, "broken".to_owned(), error.to_string()]),
            Ok(Availability::Ready { through }) => {
                let through = through.map_or("built in".to_owned(), |it| visible_line(&it));
                ready.push((rows.len(), entry));
                rows.push(vec![name, "ready".to_owned(), through]);
            }
            Ok(Availability::Missing { reason, fix }) => {
                rows.push(vec![name, "missing".to_owned(), format!("{reason}; {fix}")]);
            }
        }
    }
    let mut answered = true;
    if ping {
        answered = false;
        let foreign: Vec<Foreign> = ready
            .iter()
            .filter_map(|(_, entry)| entry.foreign(environment, base).ok().flatten())
            .collect();
        let consents = trust::ask_for(shell, workspace, &foreign.iter().collect::<Vec<_>>())?;
        let mut asked = Vec::new();
        for (row, entry) in ready {
            let opened = consents
                .trust(entry, environment, base)
                .and_then(|trusted| trusted.open(environment).map_err(TrustError::from));
            match opened {
                Ok(provider) => {
                    asked.push(Ready {
                        row,
                        name: rows[row][0].clone(),
                        provider,
                        patience: patience(entry.definition.common.timeout),
                    });
                }
                Err(TrustError::NotTrusted(_)) => {
                    rows[row][1] = "not trusted".to_owned();
                    rows[row][2] = "`discussions trust` shows what it runs, and asks".to_owned();
                }
                Err(error) => {
                    rows[row][1] = "broken".to_owned();
                    rows[row][2] = error.to_string();
                }
            }
        }
        let Some(pinged) = ping_all(asked, shell)? else { return Ok(Exit::Interrupted) };
        for (row, result) in pinged {
            match result {
                Ok(said) => {
                    answered = true;
                    rows[row][1] = "answers".to_owned();
                    rows[row][2] = said;
                }
                Err(error) => {
                    rows[row][1] = "fails".to_owned();
                    rows[row][2] = error;
                }
            }
        }
    }
    shell.ui.table(&["provider", "state", "details"], rows);
    Ok(if answered { Exit::Done } else { Exit::NoAnswer })
}

fn patience(timeout: Timeout) -> Duration {
    timeout.get().min(PATIENCE)
}

/// A provider that can be asked.
struct Ready {
    /// Its row in the table.
    row: usize,
    name: String,
    provider: Arc<dyn Provider>,
    patience: Duration,
}

/// The row of a provider, and what came back from it.
type Pinged = (usize, Result<String, String>);

/// Asks all at once, and tells of each when it has answered.
fn ping_all(ready: Vec<Ready>, shell: &mut Shell) -> Result<Option<Vec<Pinged>>, Failure> {
    let who = Alias::parse("ping").map_err(|error| Failure::input(error.to_string()))?;
    let names: Vec<&str> = ready.iter().map(|it| it.name.as_str()).collect();
    shell.ui.note(format!("Asking {}...", names.join(", ")));
    interrupt::droppable(async {
        let mut running = tokio::task::JoinSet::new();
        for Ready { row, name, provider, patience } in ready {
            let who = who.clone();
            running.spawn(async move {
                let result = ping(provider.as_ref(), who, patience).await;
                let told = result
                    .map(|ping| {
                        let said = clip(&ping.reply.text, 40);
                        format!("{:.1} s: {said}", ping.took.as_secs_f64())
                    })
                    .map_err(|error| clip(&error.message, 200));
                (name, (row, told))
            });
        }
        let mut pinged = Vec::new();
        while let Some(done) = running.join_next().await {
            let Ok((name, (row, told))) = done else { continue };
            let (Ok(words) | Err(words)) = &told;
            shell.ui.note(format!("  {name}: {}", visible_line(words)));
            pinged.push((row, told));
        }
        pinged
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ping_waits_no_longer_than_the_provider_allows() {
        assert_eq!(patience(Timeout::parse("5s").unwrap()), Duration::from_secs(5));
        assert_eq!(patience(Timeout::parse("300s").unwrap()), PATIENCE);
    }
}

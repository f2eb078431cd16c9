//! `discussions providers`

use std::sync::Arc;
use std::time::Duration;

use discussions::provider::{Availability, Entry, Foreign, Provider, Timeout, TrustError, ping};
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
        /// Also send each a one-line prompt, which costs what one small call costs
        #[arg(long)]
        ping: bool,
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
        Verb::Check { ping } => check(&workspace, ping, shell),
    }
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

fn check(workspace: &Arc<Workspace>, ping: bool, shell: &mut Shell) -> Result<Exit, Failure> {
    let (environment, base) = (&workspace.environment, workspace.setup.base());
    let mut rows = Vec::new();
    let mut ready = Vec::new();
    for entry in workspace.registry.entries() {
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
        let Some(pinged) = ping_all(asked)? else { return Ok(Exit::Interrupted) };
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
    provider: Arc<dyn Provider>,
    patience: Duration,
}

/// The row of a provider, and what came back from it.
type Pinged = (usize, Result<String, String>);

/// Asks all at once.
fn ping_all(ready: Vec<Ready>) -> Result<Option<Vec<Pinged>>, Failure> {
    let who = Alias::parse("ping").map_err(|error| Failure::input(error.to_string()))?;
    interrupt::droppable(async {
        let mut running = tokio::task::JoinSet::new();
        for Ready { row, provider, patience } in ready {
            let who = who.clone();
            running.spawn(async move {
                let result = ping(provider.as_ref(), who, patience).await;
                let told = result
                    .map(|ping| {
                        let said = clip(&ping.reply.text, 40);
                        format!("{:.1} s: {said}", ping.took.as_secs_f64())
                    })
                    .map_err(|error| clip(&error.message, 200));
                (row, told)
            });
        }
        running.join_all().await
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

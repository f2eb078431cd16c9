//! `discussions providers`

use discussions::transcript::visible_line;
use discussions::view::ProviderState;
use discussions::workspace::Workspace;

use crate::cli::error::{Exit, Failure};
use crate::cli::interrupt;
use crate::cli::shell::Shell;
use crate::cli::snippet::clip;
use crate::cli::trust;

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
            let rows = workspace.providers(&trusted).into_iter().map(|one| {
                let runs = clip(&visible_line(&one.runs), 48);
                let ours = if one.trusted { "" } else { " (not trusted)" };
                vec![one.name, runs, one.description, one.origin + ours]
            });
            shell.ui.table(&["provider", "runs", "description", "from"], rows.collect());
            Ok(Exit::Done)
        }
        Verb::Check { ping } => check(&workspace, ping, shell),
    }
}

fn check(workspace: &Workspace, ping: bool, shell: &mut Shell) -> Result<Exit, Failure> {
    let all = if ping {
        let consents = trust::ask_for(shell, workspace, &workspace.needed_for_ping())?;
        match interrupt::droppable(workspace.ping_providers(&consents))? {
            Some(all) => all,
            None => return Ok(Exit::Interrupted),
        }
    } else {
        workspace.check_providers()
    };
    let answers = |state: &ProviderState| matches!(state, ProviderState::Answers { .. });
    let answered = !ping || all.iter().any(|one| answers(&one.state));
    let row = |name, state| {
        let (word, details) = told(state);
        vec![name, word.to_owned(), details]
    };
    let rows = all.into_iter().map(|one| row(one.name, one.state)).collect();
    shell.ui.table(&["provider", "state", "details"], rows);
    Ok(if answered { Exit::Done } else { Exit::NoAnswer })
}

/// A state in a word, and more about it.
fn told(state: ProviderState) -> (&'static str, String) {
    match state {
        ProviderState::Broken { reason } => ("broken", reason),
        ProviderState::Ready { through } => {
            ("ready", through.map_or("built in".to_owned(), |it| visible_line(&it)))
        }
        ProviderState::Missing { reason, fix } => ("missing", format!("{reason}; {fix}")),
        ProviderState::NotTrusted => {
            ("not trusted", "`discussions trust` shows what it runs, and asks".to_owned())
        }
        ProviderState::Answers { text, ms } => {
            let seconds = std::time::Duration::from_millis(ms).as_secs_f64();
            ("answers", format!("{seconds:.1} s: {}", clip(&text, 40)))
        }
        ProviderState::Fails { message } => ("fails", clip(&message, 200)),
    }
}

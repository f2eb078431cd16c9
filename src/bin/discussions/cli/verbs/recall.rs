//! `discussions recall`

use discussions::view::visible_line;

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;
use crate::cli::words::{outcome, typed};

/// Find past decisions similar to a question
///
/// Shows the most similar first, only decisions in force and answers. Exits with code 1 if it finds none.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The question can use other words than the decision. To include past decisions in a new discussion, \
                  use `discussions new --recall`, or `recall: 3` in discussions.yaml or a template."
)]
pub(crate) struct Args {
    /// The question, or some of its words
    #[arg(required = true, value_name = "TOPIC")]
    topic: Vec<String>,
    /// Only decisions since a day or within a period, for example 2026-11-20, 30d or 2w
    #[arg(long, value_name = "D")]
    since: Option<String>,
    /// Also what was replaced, withdrawn or not adopted, and verdicts
    #[arg(long)]
    all: bool,
    /// Maximum number of decisions; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: usize,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Shows the decisions.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    let since = args
        .since
        .map(|at| workspace.discussions().moment(&at))
        .transpose()
        .map_err(CommandError::usage)?;
    let topic = args.topic.join(" ");
    let found = if args.all {
        workspace.decisions().recall_all(&topic, args.limit, since)?
    } else {
        workspace.decisions().recall(&topic, args.limit, since)?
    };
    if args.json {
        shell.ui.json(&found);
    } else if found.is_empty() {
        shell.ui.note("no similar decision found");
    } else {
        if found.iter().all(|one| !one.is_near) {
            shell.ui.note("no decision is close to this question; these share words with it");
        }
        for one in &found {
            let title = Line::default()
                .strong(visible_line(&one.title))
                .faint(format!("  {}", one.at.get(..10).unwrap_or_default()));
            shell.ui.wrapped("", title);
            shell.ui.wrapped("  ", visible_line(&outcome(&one.marked_sentence())));
            shell.ui.wrapped("  ", Line::default().faint(typed(&one.name).to_string()));
        }
    }
    Ok(if found.is_empty() { Exit::No } else { Exit::Done })
}

/// Prints notes about earlier decisions that a new discussion may repeat: the names of their discussions, and the
/// decisions.
pub(crate) fn note<'a>(shell: &mut Shell, before: impl Iterator<Item = (&'a str, &'a str)>) {
    for (name, decision) in before {
        let line = Line::from(format!("{}: {}", typed(name), visible_line(decision)));
        shell.ui.note_wrapped(Line::hint("decided before", line));
    }
}

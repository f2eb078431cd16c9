//! `discussions list`

use std::path::PathBuf;

use clap::ValueEnum;

use discussions::transcript::visible_line;

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;
use crate::cli::snippet::clip;
use crate::cli::ui::spelt;
use crate::cli::words;

/// Most characters of a title in a table.
const TITLE: usize = 60;

/// List discussions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder; without one, where discussions are kept
    dir: Option<PathBuf>,
    /// Only those with this status
    #[arg(long, value_name = "S", ignore_case = true)]
    status: Option<Wanted>,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Wanted {
    Open,
    Consensus,
    Blocked,
    Closed,
}

impl Wanted {
    fn word(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Consensus => "CONSENSUS",
            Self::Blocked => "BLOCKED",
            Self::Closed => "CLOSED",
        }
    }
}

/// Lists them.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    if let Some(dir) = args.dir.as_ref().filter(|dir| !shell.outside.folder.join(dir).is_dir()) {
        return Err(Failure::input(format!("{}: no such folder", spelt(dir))));
    }
    let mut found = workspace.list(args.dir.as_deref())?;
    let folder = visible_line(&found.folder);
    let empty = found.discussions.is_empty() && found.unreadable.is_empty();
    for reason in found.unreadable {
        shell.ui.warning(words::mended(&reason.message, reason.fix));
    }
    let list = &mut found.discussions;
    list.retain(|one| args.status.is_none_or(|it| it.word() == one.status.as_str()));
    if args.json {
        shell.ui.json(list);
    } else if list.is_empty() {
        match args.status {
            _ if empty => shell
                .ui
                .note(format!("no discussions in {folder}; `discussions new TITLE` makes one")),
            Some(wanted) => {
                shell.ui.note(format!("no discussion in {folder} has the status {}", wanted.word()))
            }
            // Each that cannot be read was told above.
            None => {}
        }
    } else {
        let rows = list.iter().map(|one| {
            let votes = one.tally.iter().filter(|(_, count)| **count > 0);
            let votes: Vec<String> =
                votes.map(|(option, count)| format!("{option}: {count}")).collect();
            vec![
                one.file.clone(),
                clip(&one.title, TITLE),
                one.phase.clone(),
                one.turn.to_string(),
                one.status.as_str().to_owned(),
                votes.join(", "),
            ]
        });
        shell.ui.table(&["file", "title", "phase", "turn", "status", "votes"], rows.collect());
    }
    Ok(Exit::Done)
}

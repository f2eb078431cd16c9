//! `discussions list`

use std::path::PathBuf;

use clap::ValueEnum;
use discussions::store;
use discussions::workspace::WorkspaceError;

use discussions::view::Listed;

use crate::error::{Exit, Failure};
use crate::files::{self, Found};
use crate::shell::Shell;
use crate::snippet::clip;
use crate::ui::spelt;
use crate::words;

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
    let folder = match &args.dir {
        Some(dir) => {
            let folder = shell.outside.folder.join(dir);
            if !folder.is_dir() {
                return Err(Failure::input(format!("{}: no such folder", spelt(dir))));
            }
            folder
        }
        None => workspace.output_directory(),
    };
    workspace.setup.insist_inside(&folder).map_err(WorkspaceError::from)?;
    let paths = if folder.is_dir() { files::below(&folder)? } else { Vec::new() };
    let read = files::each(&paths, |Found { path, is_link }| {
        let file = shell.exact(path);
        // A file that is no link cannot lead out of a folder that does not.
        let snapshot = match is_link {
            true => workspace.snapshot(path)?,
            false => workspace.snapshot_of(&store::read(path)?)?,
        };
        Ok::<_, WorkspaceError>(Listed::of(&snapshot, file))
    });
    let mut list = Vec::new();
    for found in read {
        match found {
            Ok(one) if args.status.is_none_or(|wanted| wanted.word() == one.status.as_str()) => {
                list.push(one);
            }
            Ok(_) => {}
            Err(error) => shell.ui.warning(words::workspace(&error)),
        }
    }
    if args.json {
        shell.ui.json(&list);
    } else if list.is_empty() {
        let folder = shell.shown(&folder);
        match args.status {
            _ if paths.is_empty() => shell
                .ui
                .note(format!("no discussions in {folder}; `discussions new TITLE` makes one")),
            Some(wanted) => {
                shell.ui.note(format!("no discussion in {folder} has the status {}", wanted.word()))
            }
            // Each that cannot be read was told above.
            None => {}
        }
    } else {
        let rows = list.iter().map(row).collect();
        shell.ui.table(&["file", "title", "phase", "turn", "status", "votes"], rows);
    }
    Ok(Exit::Done)
}

fn row(one: &Listed) -> Vec<String> {
    let votes = one.tally.iter().filter(|(_, count)| **count > 0);
    let votes: Vec<String> = votes.map(|(option, count)| format!("{option}: {count}")).collect();
    vec![
        one.file.clone(),
        clip(&one.title, TITLE),
        one.phase.clone(),
        one.turn.to_string(),
        one.status.as_str().to_owned(),
        votes.join(", "),
    ]
}

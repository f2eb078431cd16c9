//! `discussions list`

use std::path::PathBuf;

use clap::ValueEnum;

use discussions::view::{DecisionStatus, visible_line};

use crate::cli::error::{CommandError, Exit};
use crate::cli::rows::Column;
use crate::cli::shell::Shell;
use crate::cli::snippet::clip;
use crate::cli::ui::{Line, spelt};
use crate::cli::words;
use crate::cli::words::{ago, typed};

/// The maximum number of characters of a title or an outcome in a table.
const LONGEST: usize = 90;

/// List discussions, most recently changed first
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder; by default the folder of discussions
    dir: Option<PathBuf>,
    /// Only discussions with this status
    #[arg(long, value_name = "S", ignore_case = true)]
    status: Option<ListFilter>,
    /// Only discussions that wait for a person
    #[arg(long)]
    waiting: bool,
    /// Sort by last change, by creation, by name, or by status (open first)
    #[arg(long, value_name = "S", value_enum, default_value = "updated")]
    sort: Sort,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ListFilter {
    Open,
    Consensus,
    Answered,
    Blocked,
    Closed,
}

impl ListFilter {
    pub(crate) fn standing(self) -> DecisionStatus {
        match self {
            Self::Open => DecisionStatus::Open,
            Self::Consensus => DecisionStatus::Consensus,
            Self::Answered => DecisionStatus::Answered,
            Self::Blocked => DecisionStatus::Blocked,
            Self::Closed => DecisionStatus::Closed,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Consensus => "CONSENSUS",
            Self::Answered => "ANSWERED",
            Self::Blocked => "BLOCKED",
            Self::Closed => "CLOSED",
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Sort {
    Updated,
    Created,
    Name,
    Status,
}

/// Returns the position of a status in the sort order.
fn place(status: DecisionStatus) -> Option<usize> {
    ListFilter::value_variants().iter().position(|wanted| wanted.standing() == status)
}

/// Lists the discussions.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    if let Some(dir) = args.dir.as_ref().filter(|dir| !shell.outside.folder.join(dir).is_dir()) {
        return Err(CommandError::input(format!("{}: no such folder", spelt(dir))));
    }
    let mut found = workspace.discussions().list(args.dir.as_deref())?;
    let folder = visible_line(&found.folder);
    let empty = found.discussions.is_empty() && found.unreadable.is_empty();
    for reason in found.unreadable {
        shell.ui.warning(words::help::mended(&reason.message, reason.fix));
    }
    let list = &mut found.discussions;
    list.retain(|one| args.status.is_none_or(|it| it.word() == one.status.as_str()));
    list.retain(|one| !args.waiting || one.waits_for_people);
    match args.sort {
        // The list is already in this order.
        Sort::Updated => {}
        Sort::Created => list.sort_by(|a, b| b.created.cmp(&a.created)),
        Sort::Name => list.sort_by(|a, b| a.name.cmp(&b.name)),
        Sort::Status => list.sort_by_key(|one| place(one.status)),
    }
    if args.json {
        shell.ui.json(list);
    } else if list.is_empty() {
        match args.status {
            _ if empty => shell.ui.note(format!(
                "no discussions yet (folder {folder}); `discussions new TITLE` creates one"
            )),
            Some(wanted) => {
                let none = format!("no discussion in {folder} has the status {}", wanted.word());
                // A discussion that was closed later still has its decision.
                let more = match wanted {
                    ListFilter::Consensus | ListFilter::Answered => {
                        "; `discussions decisions` lists all decisions, also of closed discussions"
                    }
                    _ => "",
                };
                shell.ui.note_wrapped(Line::with_commands(none + more));
            }
            None if args.waiting => {
                shell.ui.note(format!("no discussion in {folder} waits for a person"))
            }
            // Unreadable discussions were reported above.
            None => {}
        }
    } else {
        let rows = list.iter().map(|one| {
            let votes = one.tally.iter().filter(|(_, count)| **count > 0);
            let is_open = one.decided.is_open();
            let outcome = Some(words::outcome(&one.decided.summary())).filter(|_| !is_open);
            let votes = votes.map(|(option, count)| format!("{option}: {count}"));
            vec![
                typed(&one.name).into_owned(),
                titled(&one.title, one.parent.as_ref().map(|parent| parent.name.as_str())),
                visible_line(&one.phase_title),
                one.status.as_str().to_owned(),
                outcome
                    .map_or_else(|| votes.collect::<Vec<_>>().join(", "), |it| clip(&it, LONGEST)),
                waits_for(one.running, &one.waiting_for),
                ago(one.age, one.updated.as_deref().unwrap_or_default()),
            ]
        });
        shell.ui.rows(&COLUMNS, rows.collect());
    }
    Ok(Exit::Done)
}

const COLUMNS: [Column; 7] = [
    Column::fixed("NAME"),
    Column::words("TITLE", 4, 48),
    Column::words("PHASE", 5, 24),
    Column::fixed("STATUS"),
    Column::words("RESULT", 3, 48),
    Column::words("WAITS FOR", 2, 32),
    Column::whole("CHANGED", 1),
];

/// Returns the title, with the parent's name for a sub-discussion.
fn titled(title: &str, parent: Option<&str>) -> String {
    let title = clip(title, LONGEST);
    match parent {
        Some(parent) => format!("{title} (sub-discussion of {})", typed(parent)),
        None => title,
    }
}

/// Returns the names that a discussion waits for, in a few words.
pub(crate) fn waits_for(running: bool, who: &[String]) -> String {
    if running {
        return "a run in progress".to_owned();
    }
    who.iter().map(|who| words::mention(who)).collect::<Vec<_>>().join(" ")
}

//! `discussions decisions`

use std::path::PathBuf;

use anstyle::AnsiColor;
use discussions::view::{Standing, visible_line};

use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;
use crate::cli::ui::{Line, spelt};
use crate::cli::words;
use crate::cli::words::{ago, typed};

/// List the decisions of this project, newest first
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder; by default the folder of discussions
    dir: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Shows the decisions.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    if let Some(dir) = args.dir.as_ref().filter(|dir| !shell.outside.folder.join(dir).is_dir()) {
        return Err(CommandError::input(format!("{}: no such folder", spelt(dir))));
    }
    let log = workspace.decisions(args.dir.as_deref())?;
    for reason in log.unreadable {
        shell.ui.warning(words::mended(&reason.message, reason.fix));
    }
    if args.json {
        shell.ui.json(&log.decided);
    } else if log.decided.is_empty() {
        shell.ui.note(format!("no decisions yet (folder {})", visible_line(&log.folder)));
    }
    for one in log.decided.iter().filter(|_| !args.json) {
        let when = ago(one.age, &one.at);
        let title = Line::default().strong(visible_line(&one.title)).faint(format!("  {when}"));
        shell.ui.wrapped("", title);
        let alone = one.status == Standing::Closed && !one.reached;
        let alone = if alone { " without consensus" } else { "" };
        let unvoted = if one.status == Standing::Answered { ", not voted on" } else { "" };
        let mut how: Vec<String> = vec![format!("{}{alone}{unvoted}", one.status.as_str())];
        how.extend(one.votes.iter().map(|(option, count)| format!("{option}: {count}")));
        let decision = one.decision.as_deref().or(one.outcome.as_deref());
        if let Some(decision) = decision.filter(|_| !one.repeats_parent) {
            shell.ui.wrapped("  ", visible_line(&words::outcome(decision)));
        }
        for stated in one.decisions.iter().filter(|stated| Some(stated.text.as_str()) != decision) {
            let text = format!("D{}: {}", stated.number, stated.text);
            shell.ui.wrapped("  ", visible_line(&text));
        }
        let dissent: Vec<String> = one
            .dissent
            .iter()
            .map(|it| {
                if it.afterwards {
                    format!("{} (afterwards)", it.participant)
                } else {
                    it.participant.clone()
                }
            })
            .collect();
        if !dissent.is_empty() {
            how.push(format!("dissent: {}", dissent.join(", ")));
        }
        if !one.conditions.is_empty() {
            how.push(format!("{} to be met", plural(one.conditions.len())));
        }
        for link in &one.replaces {
            shell.ui.wrapped(
                "  ",
                Line::default()
                    .faint(format!("replaces {}", linked(&link.name, link.decision.as_deref()))),
            );
        }
        for link in &one.replaced_by {
            let what = link.own.as_deref().map(|own| format!("{own} is ")).unwrap_or_default();
            let line =
                format!("{what}replaced by {}", linked(&link.name, link.decision.as_deref()));
            shell.ui.wrapped("  ", Line::default().colour(AnsiColor::Yellow, line));
        }
        if !one.in_force {
            how.push("not in force".to_owned());
        }
        if let Some(parent) = &one.parent {
            let same = if one.repeats_parent { ", which made this decision" } else { "" };
            how.push(format!("sub-discussion of {}{same}", typed(&parent.name)));
        }
        let how = Line::default().faint(format!("{}; {}", how.join(", "), typed(&one.name)));
        shell.ui.wrapped("  ", how);
    }
    Ok(Exit::Done)
}

/// Returns the decision that replaces another or is replaced: its discussion and, if known, its label.
fn linked(name: &str, decision: Option<&str>) -> String {
    let decision = decision.map(|one| format!(" {one}")).unwrap_or_default();
    format!("{}{decision}", typed(name))
}

fn plural(count: usize) -> String {
    if count == 1 { "1 condition".to_owned() } else { format!("{count} conditions") }
}

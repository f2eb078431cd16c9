//! `discussions decisions`

use std::path::PathBuf;

use anstyle::AnsiColor;
use discussions::view::visible_line;
use discussions::workspace::Workspace;

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
    /// Only decisions whose `REVIEW-BY:` day has come; the earliest first
    #[arg(long, conflicts_with = "at")]
    due: bool,
    /// With --due: also the days of the next period, for example 30d or 2w
    #[arg(long, value_name = "D", requires = "due")]
    within: Option<String>,
    /// Only decisions in force whose `AFFECTS:` patterns match these files
    #[arg(long = "for", value_name = "PATH", num_args = 1..)]
    files: Vec<PathBuf>,
    /// Only decisions in force about files that these commits change, for example main...HEAD
    #[arg(long, value_name = "RANGE")]
    diff: Option<String>,
    /// Only decisions that were in force at a commit
    #[arg(long, value_name = "REV")]
    at: Option<String>,
    /// Also what was not adopted, and the verdicts of reviews
    #[arg(long, conflicts_with_all = ["due", "files", "diff", "at", "write_readme"])]
    all: bool,
    /// Write them as a table into the README.md of the folder, between two marks
    #[arg(long, conflicts_with_all = ["due", "files", "diff", "at"])]
    write_readme: bool,
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
    if args.write_readme {
        return write_readme(&args, &workspace, shell);
    }
    let mut filter = workspace.decisions().decision_filter();
    if args.due {
        let day = workspace
            .decisions()
            .day_within(args.within.as_deref())
            .map_err(CommandError::usage)?;
        filter.due_by = Some(day);
    }
    let is_filtered =
        args.due || !args.files.is_empty() || args.diff.is_some() || args.at.is_some();
    (filter.folder, filter.files) = (args.dir, args.files);
    (filter.changes, filter.at, filter.all) = (args.diff, args.at, args.all);
    let log = workspace.decisions().filtered_decisions(&filter)?;
    for reason in log.unreadable {
        shell.ui.warning(words::help::mended(&reason.message, reason.fix));
    }
    if args.json {
        shell.ui.json(&log.decided);
    } else if log.decided.is_empty() && is_filtered {
        let what = if args.due { "no decision is due" } else { "no decision in force matches" };
        shell.ui.note(format!("{what} (folder {})", visible_line(&log.folder)));
    } else if log.decided.is_empty() {
        shell.ui.note(format!("no decisions yet (folder {})", visible_line(&log.folder)));
    }
    for one in log.decided.iter().filter(|_| !args.json) {
        // A record has a day and no hour.
        let when = ago(one.age.filter(|_| one.record.is_none()), &one.at);
        let title = Line::default().strong(visible_line(&one.title)).faint(format!("  {when}"));
        shell.ui.wrapped("", title);
        let facts = &one.facts;
        let mut how: Vec<String> = vec![visible_line(facts.words())];
        if let Some(status) = one.record.as_ref().and_then(|record| record.status.as_deref()) {
            how.push(format!("status {}", visible_line(status)));
        }
        how.extend(one.votes.iter().map(|(option, count)| format!("{option}: {count}")));
        let shown: Vec<_> = if args.all {
            facts.decisions.iter().collect()
        } else {
            facts.ever_decided().collect()
        };
        for stated in shown.iter().filter(|_| !one.repeats_parent) {
            let state = match (stated.stands(), stated.number) {
                (true, _) => String::new(),
                // The words of the discussion say it.
                (false, None) => String::new(),
                (false, Some(_)) => format!(" ({})", visible_line(stated.words())),
            };
            let text = if shown.len() > 1 || !stated.stands() {
                stated.labelled()
            } else {
                stated.text.clone()
            };
            let text = format!("{}{state}", words::outcome(&text));
            shell.ui.wrapped("  ", visible_line(&text));
        }
        if shown.is_empty()
            && let Some(text) = &facts.verdict
        {
            shell.ui.wrapped("  ", visible_line(text));
        }
        for review in one.reviews.iter().filter(|_| args.due) {
            let what = review.decision.as_deref().unwrap_or("outcome");
            let line = format!("{what}: {}", words::review_day(&review.review_by, review.days));
            shell.ui.wrapped("  ", Line::default().colour(AnsiColor::Yellow, line));
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
        // The days are shown with the time that is left.
        let is_shown = |note: &String| !(args.due && note.starts_with("review by "));
        for note in one.notes.lines().into_iter().filter(is_shown) {
            shell.ui.wrapped("  ", Line::default().faint(note));
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
        if facts.is_past() {
            how.push("not in force".to_owned());
        }
        if let Some(parent) = &one.parent {
            let same = if one.repeats_parent { ", which made this decision" } else { "" };
            how.push(format!("sub-discussion of {}{same}", typed(&parent.name)));
        }
        let how = Line::default().faint(format!("{}; {}", how.join(", "), typed(&one.name)));
        shell.ui.wrapped("  ", how);
    }
    if log.open_proposals > 0 && !args.json {
        let many = match log.open_proposals {
            1 => "1 open proposal is".to_owned(),
            many => format!("{many} open proposals are"),
        };
        shell
            .ui
            .note(format!("{many} not decided yet; closing their discussions decides about them"));
    }
    Ok(Exit::Done)
}

/// Writes the table of decisions into the README of the folder.
fn write_readme(
    args: &Args,
    workspace: &Workspace,
    shell: &mut Shell,
) -> Result<Exit, CommandError> {
    let folder = workspace.output_directory();
    if args.dir.is_none() && !folder.is_dir() {
        let message = format!("{}: no such folder", workspace.shown_path(&folder));
        return Err(CommandError::input(message).help("`discussions new TITLE` creates it"));
    }
    let written = workspace.decisions().write_decision_table(args.dir.as_deref())?;
    if args.json {
        shell.ui.json(&written);
    } else {
        let what = if written.changed { "Updated" } else { "Unchanged" };
        shell.ui.out(format!("{what}: {}", visible_line(&written.file)));
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

//! `discussions check`

use std::cmp::Reverse;
use std::path::PathBuf;

use discussions::codes::Fix;
use discussions::view::{Checked, Severity, visible_line};

use crate::cli::annotations::{self, ReportFormat};
use crate::cli::error::{CommandError, Exit};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;
use crate::cli::words;

/// The maximum number of printed findings of one file.
const MOST: usize = 100;

/// Check for ignored lines, lost comments and changed text
///
/// Exits with code 1 if there are errors.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Discussions, or folders of discussions; by default the folder of discussions
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Restore lost comments
    #[arg(long)]
    restore: bool,
    /// Accept changes to older text; shows them first and stops reporting them
    #[arg(long)]
    accept: bool,
    /// Fix formatting slips: malformed names, a missing `---`, lowercase markers; shows the changes first
    #[arg(long, conflicts_with_all = ["accept", "restore"])]
    fix: bool,
    /// With --accept or --fix: do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// With --accept or --fix: your name
    #[arg(long = "as", value_name = "NAME")]
    author: Option<String>,
    /// Also compare every committed version with the one before
    #[arg(long)]
    git: bool,
    /// With --git: check only what this branch adds to REV
    #[arg(long, value_name = "REV", requires = "git", conflicts_with = "staged")]
    since: Option<String>,
    /// With --git: accept a shallow clone, and check the history that it has
    #[arg(long, requires = "git")]
    allow_shallow: bool,
    /// With --git: also report decisions whose `REVIEW-BY:` day is over, as errors
    #[arg(long, requires = "git")]
    due: bool,
    /// Check what is staged for commit, instead of the files
    #[arg(long, conflicts_with_all = ["accept", "fix", "restore"])]
    staged: bool,
    /// Print the findings for a forge: as annotations or as a code quality report
    #[arg(long, value_name = "FORGE", value_enum, conflicts_with = "json")]
    format: Option<ReportFormat>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Checks the discussions.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, CommandError> {
    let workspace = shell.workspace()?;
    if args.restore {
        for restored in workspace.check().restore(&args.paths)? {
            let done = restored?;
            let file = visible_line(&done.file);
            if done.head_restored {
                shell.ui.note(format!("{file}: restored the beginning from the last commit"));
            }
            if done.head_lost {
                shell.ui.warning(format!(
                    "{file}: the beginning is lost, with the head if there was one: git has no copy; write title and \
                     topic again"
                ));
            }
            put_back(&file, (done.reframed, done.restored, done.given_up), shell);
            for why in &done.displaced {
                shell.ui.note(format!("{file}: {why}"));
            }
            left_as_is(&file, &done.unframed, done.edited, shell);
            shell.summary(done.summary.as_deref());
        }
    }
    if args.accept || args.fix {
        let by = shell.author(&workspace, args.author.as_deref())?;
        let shown = if args.accept {
            workspace.check().acceptable_since(&args.paths, args.since.as_deref())?
        } else {
            workspace.check().mendable(&args.paths, &by)?
        };
        let lines = if args.accept && args.git {
            workspace.check().lines_for_message(&args.paths, args.since.as_deref())?
        } else {
            Vec::new()
        };
        if shown.is_empty() && lines.is_empty() {
            let what = if args.accept { "accept" } else { "fix" };
            shell.ui.note(format!("there is nothing to {what}"));
        }
        for proposal in &shown {
            let file = visible_line(&proposal.file);
            proposal.diff.lines().for_each(|line| shell.ui.note(Line::of_diff(line)));
            if proposal.ends > 0 {
                shell.ui.note(format!("{file}: this makes all line ends the same"));
            }
            for vote in &proposal.votes {
                shell.ui.note(format!(
                    "{file}: after this change, a vote counts: {}",
                    visible_line(vote)
                ));
            }
            for vote in &proposal.earlier_votes {
                shell.ui.note(format!(
                    "{file}: this vote does not count, because a later one replaces it: {}",
                    visible_line(vote)
                ));
            }
            // If no change is left to accept, this only removes local copies, so it needs no confirmation.
            let asked = args.fix || proposal.changes > 0;
            if asked && !args.yes && !agrees(args.accept, &file, shell)? {
                continue;
            }
            let done = if args.accept {
                workspace.check().accept(proposal, &by)?
            } else {
                workspace.check().mend(proposal, &by)?
            };
            match (args.accept, proposal.changes) {
                (false, _) => shell.ui.note(format!("{file}: fixed")),
                (true, 0) => shell.ui.note(format!(
                    "{file}: deleted the local copy of text that others agreed to remove"
                )),
                (true, changes) => {
                    shell.ui.note(format!("{file}: accepted {}", many(changes, "change")))
                }
            }
            if proposal.removed > 0 || args.accept && proposal.changes == 0 {
                shell.ui.hint(
                    "note",
                    "the local copy of the removed text is deleted; git history and other clones may still have it, \
                     so change any password that was in it",
                );
            }
            shell.summary(done.summary.as_deref());
        }
        if args.git && args.accept && !(shown.is_empty() && lines.is_empty()) {
            shell.ui.note(format!(
                "commit this, so that it counts for everyone: `{}`",
                commit_command(&lines)
            ));
        }
    }
    let mut all = match &args.since {
        Some(commit) => workspace.check().check_since(&args.paths, commit)?,
        None if args.staged => workspace.check().check_staged(&args.paths, args.git)?,
        None => workspace.check().check_files(&args.paths, args.git)?,
    };
    if !args.allow_shallow {
        all.iter_mut().for_each(Checked::refuse_cut_history);
    }
    if args.due {
        workspace.check().check_reviews(&mut all);
    }
    let severities = all.iter().flat_map(|one| one.problems.iter().map(|problem| problem.severity));
    let gravest = severities.max();
    let least = if args.strict { Severity::Warning } else { Severity::Error };
    let folder = shell.outside.folder.clone();
    match args.format {
        Some(ReportFormat::Github) => {
            let commands = annotations::workflow_commands(&all, &folder);
            commands.into_iter().for_each(|command| shell.ui.out(command));
            tell_counts(&all, shell);
        }
        Some(ReportFormat::Gitlab) => {
            shell.ui.json(&annotations::quality_report(&all, &folder));
            tell_counts(&all, shell);
        }
        None if args.json => shell.ui.json(&all),
        None => tell(&all, args.staged, args.since.as_deref(), shell),
    }
    shell.merge_driver(
        &workspace,
        args.paths.first().and_then(|path| workspace.find(path).ok()).as_deref(),
    );
    let is_cut = all.iter().any(Checked::is_history_cut);
    let is_wrong = gravest >= Some(least) || is_cut && !args.allow_shallow;
    Ok(if is_wrong { Exit::No } else { Exit::Done })
}

/// Returns the command that commits the accepted changes, with the lines that only a message can hold.
fn commit_command(lines: &[String]) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let mut command =
        "git commit --all --allow-empty -m 'Accept changes of discussions'".to_owned();
    if !lines.is_empty() {
        // `$'..'` is no word of every shell, so each line is a paragraph of its own.
        for line in lines {
            command.push_str(" -m ");
            command.push_str(&quoted(line));
        }
    }
    command
}

/// Returns true if the user confirms. Fails without a user, and then nothing is done.
fn agrees(accept: bool, file: &str, shell: &mut Shell) -> Result<bool, CommandError> {
    let (question, done) =
        if accept { ("Accept this for everyone?", "accepted") } else { ("Write this?", "fixed") };
    if !shell.ui.can_ask() {
        let failure = CommandError::usage(format!(
            "{file}: nothing was {done}: confirmation needs a terminal"
        ));
        return Err(failure.help("--yes accepts what is shown"));
    }
    let agrees = shell.ui.ask(Line::default().strong(format!("{file}: {question}")));
    if !agrees {
        shell.ui.note(format!("{file}: nothing was {done}"));
    }
    Ok(agrees)
}

/// Says how many entries are back in their place, how many at the end, and how many not at all.
fn put_back(file: &str, (reframed, restored, given_up): (usize, usize, usize), shell: &mut Shell) {
    let entries = |count: usize| match count {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    };
    if reframed > 0 {
        let around = entries(reframed);
        shell.ui.note(format!("{file}: put back the missing `---` around {around}, in place"));
    }
    if restored > 0 {
        let restored = entries(restored);
        shell.ui.note(format!("{file}: restored {restored} at the end of the file"));
    }
    if given_up > 0 {
        shell.ui.warning(format!(
            "{file}: did not restore {} about phases and turns, because that would change later text",
            entries(given_up)
        ));
    }
}

/// Lists the text that stays unchanged: edited entries, and lines around which no `---` can be put back.
fn left_as_is(file: &str, unframed: &[usize], edited: usize, shell: &mut Shell) {
    for line in unframed {
        shell.ui.warning(format!(
            "{file}:{line}: the text is still here, so it was not restored; write `---` above and below it"
        ));
    }
    if edited > 0 {
        let (what, stay) = match edited {
            1 => ("1 edited entry".to_owned(), "stays"),
            count => (format!("{count} edited entries"), "stay"),
        };
        shell.ui.note(format!(
            "{file}: {what} {stay} as edited; `discussions check --accept` shows the old text before it asks"
        ));
    }
}

fn tell(all: &[Checked], staged: bool, since: Option<&str>, shell: &mut Shell) {
    for found in all {
        let lines: Vec<&str> = found.text.lines().collect();
        for at in printed(found.problems.iter().map(|problem| problem.severity)) {
            let problem = &found.problems[at];
            let line = problem.line.checked_sub(1).and_then(|nth| lines.get(nth));
            let mut message = words::help::mended(&problem.message, problem.fix);
            if let (Some(since), Some(Fix::AcceptPublished | Fix::ExplainInMessage)) =
                (since, problem.fix)
            {
                // The command has to compare with the commit that this check compares with.
                let with = format!("--git --since {} --accept", visible_line(since));
                message = message.replace("--git --accept", &with);
            }
            let (file, line) = (visible_line(&found.file), line.copied().unwrap_or_default());
            shell.ui.out_wrapped(Line::with_commands(problem.located(&message, &file, line)));
        }
        if found.problems.len() > MOST {
            let more = many(found.problems.len() - MOST, "more finding");
            let file = visible_line(&found.file);
            shell.ui.out_wrapped(format!("{file}: {more}; --json prints all"));
        }
        for rewrite in &found.diffs {
            shell.ui.out("");
            diff(rewrite, shell);
        }
    }
    if all.is_empty() && !staged {
        shell.ui.hint("help", words::CHECK);
    }
    tell_counts(all, shell);
}

/// Says how many discussions were checked, and how many findings there are of each severity.
fn tell_counts(all: &[Checked], shell: &mut Shell) {
    let mut counts = [0; 3];
    for problem in all.iter().flat_map(|one| &one.problems) {
        counts[problem.severity as usize] += 1;
    }
    let [notes, warnings, errors] = counts;
    let sum = format!(
        "{} checked: {}, {}, {}",
        many(all.iter().filter(|one| one.is_discussion).count(), "discussion"),
        many(errors, "error"),
        many(warnings, "warning"),
        many(notes, "note"),
    );
    shell.ui.note_wrapped(sum.into());
}

/// Returns the findings of one file to print, in their order: if there are too many, the gravest.
fn printed(severities: impl Iterator<Item = Severity>) -> Vec<usize> {
    let mut kept: Vec<(usize, Severity)> = severities.enumerate().collect();
    kept.sort_by_key(|(at, severity)| (Reverse(*severity), *at));
    kept.truncate(MOST);
    let mut kept: Vec<usize> = kept.into_iter().map(|(at, _)| at).collect();
    kept.sort_unstable();
    kept
}

fn many(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

fn diff(diff: &str, shell: &mut Shell) {
    diff.lines().for_each(|line| shell.ui.out(Line::of_diff(line)));
}

//! `discussions check`

use std::path::PathBuf;

use anstyle::AnsiColor;
use discussions::transcript::visible_line;
use discussions::view::{Checked, Severity};

use crate::cli::error::{Exit, Failure};
use crate::cli::shell::Shell;
use crate::cli::ui::Line;
use crate::cli::words;

/// Find what does not count, what was lost, and what was changed
///
/// It ends with exit code 1 where there are errors.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Discussions or folders of them; without any, where discussions are kept
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Warnings count as errors
    #[arg(long)]
    strict: bool,
    /// Put back the comments that were lost
    #[arg(long)]
    restore: bool,
    /// Also compare every committed version with the one before
    #[arg(long)]
    git: bool,
    /// The result as one JSON document
    #[arg(long)]
    json: bool,
}

/// Checks them.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    if args.restore {
        for restored in workspace.restore(&args.paths)? {
            let done = restored?;
            put_back(&done.file, done.restored, done.given_up, shell);
            shell.summary(done.summary.as_deref());
        }
    }
    let all = workspace.check(&args.paths, args.git)?;
    let severities = all.iter().flat_map(|one| one.problems.iter().map(|problem| problem.severity));
    let gravest = severities.max();
    let least = if args.strict { Severity::Warning } else { Severity::Error };
    if args.json {
        shell.ui.json(&all);
    } else {
        tell(&all, shell);
    }
    Ok(if gravest >= Some(least) { Exit::No } else { Exit::Done })
}

fn put_back(file: &str, restored: usize, given_up: usize, shell: &mut Shell) {
    let blocks =
        |count: usize| if count == 1 { "1 block".to_owned() } else { format!("{count} blocks") };
    if restored > 0 {
        shell.ui.note(format!("{}: put back {}", visible_line(file), blocks(restored)));
    }
    if given_up > 0 {
        shell.ui.warning(format!(
            "{}: {} of control lines were not put back, for that would change what stands below them",
            visible_line(file),
            blocks(given_up)
        ));
    }
}

fn tell(all: &[Checked], shell: &mut Shell) {
    let mut counts = [0; 3];
    for found in all {
        let lines: Vec<&str> = found.text.lines().collect();
        for problem in &found.problems {
            counts[problem.severity as usize] += 1;
            let line = problem.line.checked_sub(1).and_then(|nth| lines.get(nth));
            let message = words::mended(&problem.message, problem.fix);
            let (file, line) = (visible_line(&found.file), line.copied().unwrap_or_default());
            shell.ui.out(problem.located(&message, &file, line));
        }
        for rewrite in &found.diffs {
            shell.ui.out("");
            diff(rewrite, shell);
        }
    }
    if all.is_empty() {
        shell.ui.hint("help", words::CHECK);
    }
    let many = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    let [notes, warnings, errors] = counts;
    shell.ui.note(format!(
        "{} checked: {}, {}, {}",
        many(all.len(), "discussion"),
        many(errors, "error"),
        many(warnings, "warning"),
        many(notes, "note"),
    ));
}

fn diff(diff: &str, shell: &mut Shell) {
    for line in diff.lines() {
        shell.ui.out(match line.as_bytes().first() {
            Some(b'+') => Line::default().colour(AnsiColor::Green, line),
            Some(b'-') => Line::default().colour(AnsiColor::Red, line),
            _ => Line::from(line),
        });
    }
}

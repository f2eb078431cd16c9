//! `discussions check`

use std::path::{Path, PathBuf};

use anstyle::AnsiColor;
use discussions::codes::ProblemCode;
use discussions::problem::{Problem, Severity};
use discussions::store::{self, Rewrite, RewriteKind};
use discussions::transcript::Text;
use discussions::view::{self, Checked};
use discussions::workspace::{Workspace, WorkspaceError};

use crate::error::{Exit, Failure};
use crate::files;
use crate::shell::Shell;
use crate::snippet::located;
use crate::ui::{Line, spelt};
use crate::words;

/// Say what does not count, what was lost, and what was changed; ends with 1 where there are errors
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

/// What was found in one file.
struct Found {
    file: String,
    text: Text,
    problems: Vec<Problem>,
    rewrites: Vec<Rewrite>,
}

/// Checks them.
pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Exit, Failure> {
    let workspace = shell.workspace()?;
    let paths = paths(&args.paths, &workspace, shell)?;
    if args.restore {
        restore(&paths, &workspace, shell)?;
    }
    let checked = files::each(&paths, |path| check(path, args.git, &workspace, shell.exact(path)));
    let mut all = Vec::new();
    for found in checked {
        all.push(found?);
    }
    let gravest =
        all.iter().flat_map(|found| found.problems.iter().map(|problem| problem.severity)).max();
    let least = if args.strict { Severity::Warning } else { Severity::Error };
    if args.json {
        let documents: Vec<Checked> = all.iter().map(document).collect();
        shell.ui.json(&documents);
    } else {
        tell(&all, shell);
    }
    Ok(if gravest >= Some(least) { Exit::No } else { Exit::Done })
}

/// The files that are meant.
fn paths(given: &[PathBuf], workspace: &Workspace, shell: &Shell) -> Result<Vec<PathBuf>, Failure> {
    if given.is_empty() {
        let folder = workspace.output_directory();
        return if folder.is_dir() { below(&folder, workspace) } else { Ok(Vec::new()) };
    }
    let mut paths = Vec::new();
    for path in given {
        let folder = shell.outside.folder.join(path);
        if folder.is_dir() {
            paths.extend(below(&folder, workspace)?);
        } else {
            paths.push(workspace.find(path)?);
        }
    }
    Ok(paths)
}

fn below(folder: &Path, workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    workspace.setup.insist_inside(folder).map_err(WorkspaceError::from)?;
    Ok(files::below(folder)?.into_iter().map(|found| found.path).collect())
}

fn check(path: &Path, git: bool, workspace: &Workspace, file: String) -> Result<Found, Failure> {
    let snapshot = match workspace.snapshot(path) {
        Ok(snapshot) => snapshot,
        // One file that cannot be read must not hide what is wrong with the others.
        Err(error) => {
            let problem = failed(ProblemCode::Unreadable, &words::workspace(&error), path);
            return Ok(Found {
                file,
                text: Text::default(),
                problems: vec![problem],
                rewrites: Vec::new(),
            });
        }
    };
    let text = snapshot.transcript.text.clone();
    let mut problems = snapshot.state.problems.clone();
    // A link in place of one's journal, or a history that is not here, must not hide what is wrong with the others.
    match store::check(path, &text) {
        Ok(findings) => problems.extend(findings.iter().map(store::Finding::problem)),
        Err(error) => problems.push(failed(ProblemCode::Unchecked, &error.to_string(), path)),
    }
    let rewrites = match git.then(|| store::history(path)) {
        Some(Ok(history)) => history.unwrap_or_default(),
        Some(Err(error)) => {
            problems.push(failed(ProblemCode::Unchecked, &error.to_string(), path));
            Vec::new()
        }
        None => Vec::new(),
    };
    problems.extend(rewrites.iter().map(rewrite));
    Ok(Found { file, text, problems, rewrites })
}

/// What could not be done with a file, without its path, which stands before every problem.
fn failed(code: ProblemCode, message: &str, path: &Path) -> Problem {
    let message = message.strip_prefix(&format!("{}: ", spelt(path))).unwrap_or(message);
    Problem::new(Severity::Error, code, (0, 0), message)
}

fn rewrite(rewrite: &Rewrite) -> Problem {
    let rewritten = (Severity::Error, ProblemCode::HistoryRewritten);
    let ((severity, code), what) = match rewrite.kind {
        RewriteKind::Changed => (rewritten, "changed or removed older text"),
        RewriteKind::Merge => (rewritten, "is a merge that lost or changed a side's blocks"),
        RewriteKind::Deleted => (rewritten, "removed the file"),
        RewriteKind::Inserted => (
            (Severity::Note, ProblemCode::HistoryInserted),
            "put blocks between older ones, which stand as they stood; a rebase or a squash does so",
        ),
        RewriteKind::Renumbered => (
            (Severity::Warning, ProblemCode::AnswerMoved),
            "put blocks between others, so that a number names something else than was meant; say it again with the \
             right number",
        ),
    };
    let message = match &rewrite.commit {
        Some(commit) => format!(
            "commit {} by {} ({}) {what}",
            commit.get(..12).unwrap_or(commit),
            rewrite.author,
            rewrite.subject
        ),
        None => format!("the file as it stands, not committed yet, {what}"),
    };
    Problem::new(severity, code, (0, 0), message)
}

fn restore(paths: &[PathBuf], workspace: &Workspace, shell: &mut Shell) -> Result<(), Failure> {
    for path in paths {
        workspace.setup.insist_inside(path).map_err(WorkspaceError::from)?;
        let done = store::restore(path, workspace.lock_wait)?;
        let file = shell.shown(path);
        let blocks = |count: usize| {
            if count == 1 { "1 block".to_owned() } else { format!("{count} blocks") }
        };
        if !done.restored.is_empty() {
            shell.ui.note(format!("{file}: put back {}", blocks(done.restored.len())));
            shell.summarize(workspace, path);
        }
        if !done.given_up.is_empty() {
            let lines = blocks(done.given_up.len());
            shell.ui.warning(format!(
                "{file}: {lines} of control lines were not put back, for that would change what stands below them"
            ));
        }
    }
    Ok(())
}

fn document(found: &Found) -> Checked {
    Checked {
        file: found.file.clone(),
        problems: found.problems.iter().map(view::Problem::from).collect(),
        gravest: found.problems.iter().map(|problem| problem.severity).max(),
        text: found.text.clone(),
        diffs: Vec::new(),
    }
}

fn tell(all: &[Found], shell: &mut Shell) {
    let mut counts = [0; 3];
    for found in all {
        for problem in &found.problems {
            counts[problem.severity as usize] += 1;
            shell.ui.out(located(problem, &found.file, &found.text));
        }
        for rewrite in &found.rewrites {
            shell.ui.out("");
            diff(&rewrite.diff, shell);
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

//! Checking discussions: what does not count, what was lost, what was changed; and putting back what was lost.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Workspace;
use super::error::WorkspaceError;
use super::folder::{below, each};
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::store::{self, Rewrite, RewriteKind};
use crate::transcript::{Text, visible_line};
use crate::view::{self, Checked};

impl Workspace {
    /// Checks discussions and folders of them; without any, all where new ones are made. With `history`, also every
    /// committed version against the one before. What is wrong with one hides nothing of the others.
    ///
    /// # Errors
    /// A discussion that does not exist, and a folder that cannot be read.
    pub fn check(&self, names: &[PathBuf], history: bool) -> Result<Vec<Checked>, WorkspaceError> {
        let all = each(&self.meant(names)?, |(path, named)| self.check_one(path, history, *named));
        Ok(all.into_iter().flatten().collect())
    }

    /// Puts back what was dropped from discussions and folders of them, one after the other as the result is gone through.
    ///
    /// # Errors
    /// As [`Workspace::check`]; for each file, one that cannot be written, or in which a conflict stands.
    pub fn restore(
        &self,
        names: &[PathBuf],
    ) -> Result<impl Iterator<Item = Result<view::Restored, WorkspaceError>>, WorkspaceError> {
        Ok(self.meant(names)?.into_iter().map(|(path, _)| {
            self.setup.insist_inside(&path)?;
            let done = store::restore(&path, self.lock_wait)?;
            let summary = if done.restored.is_empty() { None } else { self.summarize(&path) };
            Ok(view::Restored {
                file: self.exactly(&path),
                restored: done.restored.len(),
                given_up: done.given_up.len(),
                summary,
            })
        }))
    }

    /// The files that are meant, and whether each was named itself: of a folder only discussions are meant.
    fn meant(&self, names: &[PathBuf]) -> Result<Vec<(PathBuf, bool)>, WorkspaceError> {
        if names.is_empty() {
            let folder = self.output_directory();
            return if folder.is_dir() { self.below(&folder) } else { Ok(Vec::new()) };
        }
        let mut paths = Vec::new();
        for name in names {
            let folder = self.setup.cwd.join(name);
            if folder.is_dir() {
                paths.extend(self.below(&folder)?);
            } else {
                paths.push((self.find(name)?, true));
            }
        }
        Ok(paths)
    }

    fn below(&self, folder: &Path) -> Result<Vec<(PathBuf, bool)>, WorkspaceError> {
        self.setup.insist_inside(folder)?;
        Ok(below(folder)?.into_iter().map(|found| (found.path, false)).collect())
    }

    /// None for a page that is no discussion, where nobody named it.
    fn check_one(&self, path: &Path, history: bool, named: bool) -> Option<Checked> {
        let (mut problems, mut rewrites) = (Vec::new(), Vec::new());
        let mut text = Text::default();
        match self.snapshot(path) {
            // One file that cannot be read must not hide what is wrong with the others.
            Err(error) => {
                let fix = error.fix();
                problems.push(Problem { fix, ..failed(ProblemCode::Unreadable, &error, path) });
            }
            Ok(snapshot) => {
                text = snapshot.transcript.text.clone();
                problems.clone_from(&snapshot.state.problems);
                let found = store::check(path, &text);
                let lost = !matches!(&found, Ok(found) if found.is_empty());
                let broken = problems.iter().any(|problem| problem.code.is_of_bytes());
                if !(named || lost || broken || snapshot.transcript.is_discussion()) {
                    return None;
                }
                match found {
                    Ok(found) => problems.extend(found.iter().map(store::Finding::problem)),
                    Err(error) => problems.push(failed(ProblemCode::Unchecked, &error, path)),
                }
                match history.then(|| store::history(path)) {
                    Some(Ok(found)) => rewrites = found.unwrap_or_default(),
                    Some(Err(error)) => problems.push(failed(ProblemCode::Unchecked, &error, path)),
                    None => {}
                }
                problems.extend(rewrites.iter().map(rewrite));
            }
        }
        Some(Checked {
            file: self.exactly(path),
            problems: problems.iter().map(view::Problem::from).collect(),
            text,
            diffs: rewrites.into_iter().map(|rewrite| rewrite.diff).collect(),
        })
    }
}

fn failed(code: ProblemCode, error: &dyn Display, path: &Path) -> Problem {
    let message = error.to_string();
    let named = visible_line(&path.display().to_string());
    let message = message.strip_prefix(&format!("{named}: ")).unwrap_or(&message);
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

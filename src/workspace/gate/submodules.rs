//! Discussions in submodules: the check runs inside of them, from the commit that the base names.

use std::path::{Path, PathBuf};

use super::judge::Finding;
use super::sides::Side;
use super::{GateReport, GateScope, HeadDiscussion};
use crate::codes::ProblemCode;
use crate::problem::Severity;
use crate::store::{self, FileMode, HistoryReader, ObjectId};
use crate::transcript::visible_line;

/// A submodule with discussions that can be checked inside.
#[derive(Clone, Debug)]
pub(in crate::workspace) struct CheckedModule {
    /// The folder of the discussions.
    pub(in crate::workspace) folder: PathBuf,
    /// The commit that the base names.
    pub(in crate::workspace) since: String,
}

/// Finds the submodules to check inside. Warns about those whose commits are not here.
pub(super) fn judge_submodules(
    base: &Side,
    head: &Side,
    history: &HistoryReader,
    report: &mut GateReport,
) {
    for (path, now) in head.tree.0.iter().filter(|(_, file)| file.mode == FileMode::Submodule) {
        let below = [path.as_slice(), b"/"].concat();
        let holds = |folder: &&Vec<u8>| folder.starts_with(&below) || path.starts_with(folder);
        let Some(folder) = head.folders.iter().find(holds) else { continue };
        let before = base.tree.get(path).filter(|file| file.mode == FileMode::Submodule);
        let place = history.path_of(path);
        let commit_here = commit_of(&place);
        let shown = visible_line(&String::from_utf8_lossy(path));
        let message = match (before.map(|file| &file.object), commit_here) {
            (Some(old), Some((inner, here)))
                if inner.has_commit(old) && (*here == *now.object || *old == now.object) =>
            {
                let folder =
                    if folder.starts_with(&below) { history.path_of(folder) } else { place };
                report.modules.push(CheckedModule { folder, since: old.to_string() });
                continue;
            }
            (Some(old), _) if *old == now.object => continue,
            (Some(old), _) => format!(
                "{shown} is a submodule that moved from commit {} to {}, which are not both here, so what changed \
                 was not checked; get them with `git submodule update`, and their whole history",
                short(old),
                short(&now.object),
            ),
            // What it took the place of is reported as removed.
            (None, _) if base.tree.below(&below).next().is_some() => continue,
            (None, _) => format!(
                "{shown} is a new submodule, so the words in its discussions were not compared; check it inside of \
                 that folder, too"
            ),
        };
        let finding = Finding::new(Severity::Warning, ProblemCode::Unchecked, 0, message);
        report.add(history.path_of(path), finding);
    }
}

impl GateReport {
    /// Adds the files of submodules that are not checked inside: as they are, without their history.
    pub(super) fn add_files_of_submodules(
        &mut self,
        head: &Side,
        (history, scope): (&HistoryReader, &GateScope),
    ) {
        for path in head.of_submodules.iter().filter(|path| scope.has(history, path)) {
            let path = history.path_of(path);
            if !self.modules.iter().any(|module| path.starts_with(&module.folder)) {
                let (text, base, is_skipped) = (None, None, false);
                self.discussions.push(HeadDiscussion {
                    path,
                    text,
                    base,
                    is_skipped,
                    is_unchanged: false,
                });
            }
        }
    }
}

fn short(commit: &ObjectId) -> &str {
    commit.get(..12).unwrap_or(commit)
}

/// Returns the repository in a folder with its last commit, if the folder is the top of one.
fn commit_of(folder: &Path) -> Option<(HistoryReader, String)> {
    let inner = HistoryReader::of(folder)?;
    let is_top = inner.top() == super::super::history::real(folder);
    let commit = is_top.then(|| store::revision(folder, "HEAD").ok())??;
    Some((inner, commit))
}

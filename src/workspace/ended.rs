//! Discussions that a branch replaced by something else, or moved out of the folder of discussions.

use super::Workspace;
use super::error::WorkspaceError;
use super::gate::Gate;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::store::{self, DeletedDiscussion, DiscussionEnding, Ended, Present};
use crate::transcript::visible_line;
use crate::view::Checked;

impl Workspace {
    /// Reports earlier discussions that something else replaced, or that left the folders of discussions.
    ///
    /// # Errors
    /// Fails if git cannot read a tree.
    pub(super) fn judge_ends(
        &self,
        gate: &Gate,
        present: Present<'_>,
        all: &mut Vec<Checked>,
    ) -> Result<(), WorkspaceError> {
        for ended in gate.range.ended_in_range(&gate.earlier, present)? {
            let own = self.exactly(&self.as_named(&ended.earlier.path));
            let mut others = all.iter().filter(|other| other.file != own);
            let goes_on = others.any(|other| store::goes_on(&ended.earlier.text, &other.text));
            if !goes_on {
                self.add_problems(all, &ended.earlier.path, &[ended_problem(&ended)]);
            }
        }
        for one in gate.earlier.iter().filter(|one| !gate.holds(&one.path)) {
            if one.path.is_file() {
                self.add_problems(all, &one.path, &[moved_out(&one.in_tree, false)]);
            }
        }
        Ok(())
    }
}

fn ended_problem(ended: &Ended<'_>) -> Problem {
    let what = match ended.ending {
        DiscussionEnding::Emptied => "emptied this discussion",
        DiscussionEnding::Page => "turned this discussion into a page without a comment",
        DiscussionEnding::Pointer => "replaced this discussion with a Git LFS pointer",
        DiscussionEnding::Link => "replaced this discussion with a link",
        DiscussionEnding::Folder => "replaced this discussion with a folder or submodule",
    };
    let by = ended.commit.as_deref().map_or("an uncommitted change", |commit| commit);
    let by = visible_line(by);
    if ended.is_meant {
        let message = format!("{by} {what}, as its message says");
        return Problem::new(Severity::Note, ProblemCode::DiscussionGone, (0, 0), message);
    }
    let message = format!(
        "{by} {what}; put it back, or end the commit message with the line `{}: {}`",
        DeletedDiscussion::TRAILER,
        visible_line(&ended.earlier.in_tree)
    );
    Problem::new(Severity::Error, ProblemCode::DiscussionGone, (0, 0), message)
}

/// Returns the problem of a discussion that was moved out of the folder of discussions, so that readers no longer find
/// it.
pub(super) fn moved_out(in_tree: &str, is_meant: bool) -> Problem {
    let in_tree = visible_line(in_tree);
    if is_meant {
        let message = format!(
            "{in_tree} was moved out of the discussions folder, as the commit message says"
        );
        return Problem::new(Severity::Note, ProblemCode::DiscussionGone, (0, 0), message);
    }
    let message = format!(
        "this discussion is no longer in the discussions folder ({in_tree} was in it before); change \
         `output.directory`, put it back, or end the commit message with the line `{}: {in_tree}`",
        DeletedDiscussion::TRAILER,
    );
    Problem::new(Severity::Error, ProblemCode::DiscussionGone, (0, 0), message)
}

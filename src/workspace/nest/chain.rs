//! The chain of a discussion's parents.

use std::path::{Component, Path, PathBuf};

use super::make::child_path;
use crate::codes::ErrorCode;
use crate::engine::{ChildSpec, Snapshot};
use crate::similarity::same_question;
use crate::state::{Child, Turn};
use crate::transcript::{ChildLine, Depth};
use crate::workspace::{Workspace, WorkspaceError};

/// The similarity above which two questions count as equal (INV-DISC-601).
const SAME: f64 = 0.9;

/// A discussion in the chain: the discussion itself or one of its parents.
pub(crate) struct Ancestor {
    pub(crate) path: PathBuf,
    pub(crate) snapshot: Snapshot,
}

impl Ancestor {
    /// Returns the line with which this discussion opened a sub-discussion that has not ended yet.
    pub(crate) fn line_of(&self, child: &Self) -> Option<&ChildLine> {
        let is_its = |one: &&Child| {
            let path = child_path(&self.path, &one.line.file);
            let (name, folder) = (child.path.file_name(), child.path.parent());
            one.end.is_none() && path.file_name() == name && path.parent() == folder
        };
        self.snapshot.state.children.iter().find(is_its).map(|one| &one.line)
    }

    /// Returns true if a participant opened the sub-discussion in the current turn and has not answered yet.
    pub(crate) fn waits_for(&self, child: &Self) -> bool {
        let Some(line) = self.line_of(child) else { return false };
        let is_theirs = |turn: &Turn| {
            Some(turn.line.number) == line.turn
                && turn.missing().any(|alias| Some(alias) == line.by.as_ref())
        };
        self.snapshot.state.unfinished().is_some_and(is_theirs)
    }
}

impl Workspace {
    /// Returns a discussion and its parents: the discussion first, the one without a parent last.
    ///
    /// # Errors
    /// Fails if a parent is missing or cannot be read, if the chain leads back to itself, or if it is too long.
    pub(crate) fn chain(
        &self,
        path: &Path,
        snapshot: &Snapshot,
    ) -> Result<Vec<Ancestor>, WorkspaceError> {
        let mut chain = vec![Ancestor { path: path.to_owned(), snapshot: snapshot.clone() }];
        let mut depth = Some(Depth::ROOT);
        loop {
            let Ancestor { path, snapshot } = &chain[chain.len() - 1];
            let head = snapshot.transcript.head.as_ref();
            let Some(parent) = head.and_then(|head| head.parent.as_deref()) else {
                return Ok(chain);
            };
            depth = depth.and_then(Depth::next);
            let above = parent_file(path, parent).filter(|above| above.is_file());
            let above = above.ok_or_else(|| {
                let file = self.shown_path(path);
                WorkspaceError::refuse(format!(
                    "{file}: its parent {parent} is missing, and its budget is counted there"
                ))
                .with_code(ErrorCode::InvalidState)
            })?;
            let known = |link: &Ancestor| same_file(&link.path, &above);
            if depth.is_none() || chain.iter().any(known) {
                // INV-DISC-601.
                let file = self.shown_path(&above);
                return Err(WorkspaceError::refuse(format!(
                    "{file}: this discussion is its own parent: its chain of parents leads back to it"
                ))
                .with_code(ErrorCode::CircularDiscussion));
            }
            let snapshot = self.exact_at(&above)?;
            chain.push(Ancestor { path: above, snapshot });
        }
    }

    /// Returns the depth that a sub-discussion of the first discussion in a chain would have.
    ///
    /// # Errors
    /// Fails if it would be too deep, or if it repeats the question of a parent.
    pub(super) fn depth_within(
        &self,
        chain: &[Ancestor],
        spec: &ChildSpec,
    ) -> Result<Depth, WorkspaceError> {
        let most = chain.iter().map(|link| nesting(&link.snapshot).depth).min().unwrap_or_default();
        let above = u32::try_from(chain.len()).unwrap_or(u32::MAX) - 1;
        let depth = Depth::try_from(above + 1).ok().filter(|depth| *depth <= most);
        // INV-DISC-600.
        let depth = depth.ok_or_else(|| {
            let (file, depth, most) = (self.shown_path(&chain[0].path), above + 1, most.get());
            WorkspaceError::refuse(format!(
                "{file}: cannot open a sub-discussion: depth {depth} exceeds the limit of {most}"
            ))
        })?;
        for link in chain {
            // A phase that passes its own question to another pattern is a step of its template and not a circle. It
            // cannot repeat forever, because the number of templates is limited.
            let own_step = spec.by.is_none() && link.snapshot.template().id != spec.template;
            let title = &link.snapshot.state.title;
            if !own_step && same_question(title, &spec.topic) > SAME {
                // INV-DISC-601.
                let file = self.shown_path(&link.path);
                return Err(WorkspaceError::refuse(format!(
                    "{file}: this discussion already asks almost the same question, so no sub-discussion was opened: \
                     {title}"
                ))
                .with_code(ErrorCode::CircularDiscussion));
            }
        }
        Ok(depth)
    }
}

/// Returns the limits for sub-discussions of a discussion.
pub(super) fn nesting(snapshot: &Snapshot) -> crate::transcript::Nesting {
    let head = snapshot.transcript.head.as_ref().and_then(|head| head.nesting.clone());
    let by_template = || snapshot.template().nesting.clone().unwrap_or_default().of_template();
    head.unwrap_or_else(by_template)
}

/// Returns the file that a head names as its parent. The parent must be one folder up, because the program creates
/// sub-discussions one folder below it.
pub(in crate::workspace) fn parent_file(path: &Path, parent: &str) -> Option<PathBuf> {
    let mut parts = Path::new(parent).components();
    let (Some(Component::ParentDir), Some(Component::Normal(name)), None) =
        (parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    Some(path.parent()?.parent()?.join(name))
}

/// Returns true if two paths lead to one file.
fn same_file(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    a == b || real(a) == real(b)
}

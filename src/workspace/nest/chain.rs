//! The chain of parents.

use std::path::{Component, Path, PathBuf};

use super::NestError;
use super::make::child_path;
use crate::engine::{ChildSpec, Snapshot};
use crate::similarity::same_question;
use crate::state::{Child, Turn};
use crate::transcript::{ChildLine, Depth};
use crate::workspace::{Workspace, WorkspaceError};

/// From here on two questions are taken to be the same (INV-DISC-601).
const SAME: f64 = 0.9;

/// A discussion within which another one stands, or that one itself.
pub(crate) struct Ancestor {
    pub(crate) path: PathBuf,
    pub(crate) snapshot: Snapshot,
}

impl Ancestor {
    /// The line with which a discussion within this one began, where that has no end yet.
    pub(crate) fn line_of(&self, child: &Self) -> Option<&ChildLine> {
        let is_its = |one: &&Child| {
            let path = child_path(&self.path, &one.line.file);
            let (name, folder) = (child.path.file_name(), child.path.parent());
            one.end.is_none() && path.file_name() == name && path.parent() == folder
        };
        self.snapshot.state.children.iter().find(is_its).map(|one| &one.line)
    }

    /// Whether somebody opened a discussion within this one who is asked here at this moment.
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
    /// A discussion and all within which it stands: itself first, the one that stands in no other last.
    ///
    /// # Errors
    /// A parent that is not there or cannot be read, a chain that leads back to itself or is longer than any may be.
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
            let file = self.shown(path);
            depth = depth.and_then(Depth::below);
            let above = above(path, parent).filter(|above| above.is_file());
            let above =
                above.ok_or_else(|| NestError::NoParent { file, parent: parent.to_owned() })?;
            let known = |link: &Ancestor| same_file(&link.path, &above);
            if depth.is_none() || chain.iter().any(known) {
                return Err(NestError::Circle { file: self.shown(&above) }.into());
            }
            let snapshot = self.exact_at(&above)?;
            chain.push(Ancestor { path: above, snapshot });
        }
    }

    /// How many parents a discussion would have that is opened within the first of a chain.
    ///
    /// # Errors
    /// When it may have none so deep, or asks what is asked above it.
    pub(super) fn depth_within(
        &self,
        chain: &[Ancestor],
        spec: &ChildSpec,
    ) -> Result<Depth, NestError> {
        let most = chain.iter().map(|link| nesting(&link.snapshot).depth).min().unwrap_or_default();
        let above = u32::try_from(chain.len()).unwrap_or(u32::MAX) - 1;
        let depth = Depth::try_from(above + 1).ok().filter(|depth| *depth <= most);
        let depth = depth.ok_or_else(|| NestError::TooDeep {
            file: self.shown(&chain[0].path),
            depth: above,
            most: most.get(),
        })?;
        for link in chain {
            // A phase that hands its own question to another pattern is a step of its template, and no circle: templates
            // are as many as there are.
            let own_step = spec.by.is_none() && link.snapshot.template().id != spec.template;
            let title = &link.snapshot.state.title;
            if !own_step && same_question(title, &spec.topic) > SAME {
                let (file, question) = (self.shown(&link.path), title.clone());
                return Err(NestError::SameQuestion { file, question });
            }
        }
        Ok(depth)
    }
}

/// How far discussions may be opened within one.
pub(super) fn nesting(snapshot: &Snapshot) -> crate::transcript::Nesting {
    let head = snapshot.transcript.head.as_ref().and_then(|head| head.nesting.clone());
    let by_template = || snapshot.template().nesting.clone().unwrap_or_default().of_template();
    head.unwrap_or_else(by_template)
}

/// The file that a head names as its parent: one folder up, as such heads are written.
pub(in crate::workspace) fn above(path: &Path, parent: &str) -> Option<PathBuf> {
    let mut parts = Path::new(parent).components();
    let (Some(Component::ParentDir), Some(Component::Normal(name)), None) =
        (parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    Some(path.parent()?.parent()?.join(name))
}

/// Whether two paths lead to the same file.
fn same_file(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    a == b || real(a) == real(b)
}

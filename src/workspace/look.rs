//! Looking at discussions: where one stands, what is in it, what there is. Nothing is changed, and nobody is asked.

use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use super::folder::{Found, below, each};
use crate::store;
use crate::view;

impl Workspace {
    /// Where a discussion stands. `name` is a path or a bare name, as [`Workspace::find`] takes it.
    ///
    /// # Errors
    /// When there is none of that name, or it cannot be read.
    pub fn status(&self, name: &Path) -> Result<view::Status, WorkspaceError> {
        let path = self.find(name)?;
        Ok(view::Status::of(&self.snapshot(&path)?, self.exactly(&path)))
    }

    /// Whether nobody was asked yet and the text still stands as its template wrote it for want of a context: the first
    /// line that asks for something, from 1, and how many do.
    ///
    /// # Errors
    /// As [`Workspace::status`].
    pub fn unwritten(&self, name: &Path) -> Result<Option<(usize, usize)>, WorkspaceError> {
        let snapshot = self.snapshot(&self.find(name)?)?;
        let placeholders = match snapshot.state.turns.is_empty() {
            true => snapshot.placeholders(),
            false => Vec::new(),
        };
        Ok(placeholders.first().map(|first| (first.line, placeholders.len())))
    }

    /// A discussion, entry by entry.
    ///
    /// # Errors
    /// As [`Workspace::status`].
    pub fn show(&self, name: &Path) -> Result<view::Shown, WorkspaceError> {
        let path = self.find(name)?;
        Ok(view::Shown::of(&self.snapshot(&path)?, self.exactly(&path)))
    }

    /// What a discussion came to, as far as its file tells.
    ///
    /// # Errors
    /// As [`Workspace::status`].
    pub fn result(&self, name: &Path) -> Result<view::DiscussionResult, WorkspaceError> {
        let path = self.find(name)?;
        let (snapshot, file) = (self.snapshot(&path)?, self.exactly(&path));
        Ok(view::discussion_result(&snapshot, &file, view::Ending::ByItself))
    }

    /// All discussions below a folder, by path; none: those where new ones are made. One that cannot be read hides no
    /// other.
    ///
    /// # Errors
    /// A folder that cannot be read, or that lies behind a link out of its project. One that is not there is empty.
    pub fn list(&self, folder: Option<&Path>) -> Result<view::List, WorkspaceError> {
        let folder = folder.map_or_else(|| self.output_directory(), |it| self.setup.cwd.join(it));
        self.setup.insist_inside(&folder)?;
        let found = if folder.is_dir() { below(&folder)? } else { Vec::new() };
        let read = each(&found, |Found { path, is_link }| {
            // A file that is no link cannot lead out of a folder that does not.
            let snapshot = match is_link {
                true => self.snapshot(path)?,
                false => self.snapshot_of(&store::read(path)?)?,
            };
            Ok::<_, WorkspaceError>(view::Listed::of(&snapshot, self.exactly(path)))
        });
        let mut list = view::List { folder: self.exactly(&folder), ..view::List::default() };
        for one in read {
            match one {
                Ok(listed) => list.discussions.push(listed),
                Err(error) => {
                    let (message, fix) = (error.to_string(), error.fix());
                    list.unreadable.push(view::Unreadable { message, fix });
                }
            }
        }
        Ok(list)
    }
}

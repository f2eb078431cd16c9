//! The one way in which a workspace writes to a discussion.

use std::path::Path;

use super::Workspace;
use super::error::WorkspaceError;
use crate::store::{Receipt, Writer};
use crate::transcript::Draft;

impl Workspace {
    /// Waits for other writers, then lets one read, decide and append.
    ///
    /// # Errors
    /// When the lock cannot be had, and when the file lies behind a link out of its project.
    pub(crate) fn writer(&self, path: &Path) -> Result<Writer, WorkspaceError> {
        self.setup.insist_inside(path)?;
        Ok(Writer::lock(path, self.lock_wait)?)
    }

    /// Appends blocks, all or none.
    ///
    /// # Errors
    /// When the file cannot be written; then nothing of them is in it.
    pub fn append(&self, path: &Path, drafts: &[Draft]) -> Result<Receipt, WorkspaceError> {
        Ok(self.writer(path)?.append(drafts)?)
    }
}

//! The one way in which a workspace writes to a discussion.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Workspace;
use super::error::WorkspaceError;
use crate::store::{Patience, Receipt, Writer};
use crate::transcript::Draft;

impl Workspace {
    /// Waits for other writers, then lets one read, decide and append.
    ///
    /// # Errors
    /// When the lock cannot be had, and when the file lies behind a link out of its project.
    pub(crate) fn writer(&self, path: &Path) -> Result<Writer, WorkspaceError> {
        self.patient_writer(path, self.lock_wait.into())
    }

    /// [`Self::writer`] for who may give up waiting.
    pub(crate) fn patient_writer(
        &self,
        path: &Path,
        patience: Patience,
    ) -> Result<Writer, WorkspaceError> {
        self.setup.insist_inside(path)?;
        Ok(Writer::lock(path, patience)?)
    }

    /// The patience of a run's writers: as long as others', unless it is given up.
    pub(crate) fn patience(&self, given_up: &Arc<AtomicBool>) -> Patience {
        Patience::unless(self.lock_wait, Arc::clone(given_up))
    }

    /// Appends blocks, all or none.
    ///
    /// # Errors
    /// When the file cannot be written; then nothing of them is in it.
    pub fn append(&self, path: &Path, drafts: &[Draft]) -> Result<Receipt, WorkspaceError> {
        Ok(self.writer(path)?.append(drafts)?)
    }
}

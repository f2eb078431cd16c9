//! The functions with which a workspace writes to a discussion.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Workspace;
use super::error::WorkspaceError;
use crate::boundary::ProjectPlace;
use crate::store::{self, Patience, Receipt, Redaction, StoreError, Writer};
use crate::transcript::{Draft, parse};

impl Workspace {
    /// Waits for other writers, then returns the writer that may read and append.
    ///
    /// # Errors
    /// Fails if the file cannot be locked, for a link out of its project, if it contains a merge conflict, or if it
    /// needs a newer version of the program.
    pub(crate) fn writer(&self, path: &Path) -> Result<Writer, WorkspaceError> {
        self.patient_writer(path, self.lock_wait.into())
    }

    /// Returns a [`Self::writer`] with its own limit for the wait.
    pub(crate) fn patient_writer(
        &self,
        path: &Path,
        patience: Patience,
    ) -> Result<Writer, WorkspaceError> {
        let environment = self.environment.clone();
        let redaction = Redaction::new(move |text| environment.redact(text).into_owned());
        let lock = |place: &ProjectPlace| Writer::lock_at(place, patience.clone());
        let writer = self.open_with(path, lock)?.at(self.now()).redacting(redaction);
        // Between conflict marks, it is uncertain to which author a block belongs, and if it counts.
        match writer.conflict()? {
            Some(line) => Err(StoreError::Conflict { path: path.to_owned(), line }.into()),
            None => Ok(writer),
        }
    }

    /// Returns the patience of a run's writers: the usual time, unless the run gives up.
    pub(crate) fn patience(&self, given_up: &Arc<AtomicBool>) -> Patience {
        Patience::unless(self.lock_wait, Arc::clone(given_up))
    }

    /// Removes a discussion that has no comments yet, for example if its run could not begin. It stays if it was
    /// changed in the meantime. Returns true if it was removed.
    ///
    /// # Errors
    /// Fails, and leaves the file, if it cannot be read or locked.
    pub fn take_back(&self, path: &Path) -> Result<bool, WorkspaceError> {
        let document = self.document(path)?;
        if !parse(&document.text).entries.is_empty() {
            return Ok(false);
        }
        self.open_with(path, |place| store::take_back(place, &document.text, self.lock_wait))
    }

    /// Appends blocks, all or none.
    ///
    /// # Errors
    /// Fails if the file cannot be written; then it contains none of them.
    pub(crate) fn append(&self, path: &Path, drafts: &[Draft]) -> Result<Receipt, WorkspaceError> {
        Ok(self.writer(path)?.append(drafts)?)
    }
}

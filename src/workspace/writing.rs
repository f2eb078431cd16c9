//! The one way in which a workspace writes to a discussion.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::Workspace;
use super::error::WorkspaceError;
use crate::boundary::Place;
use crate::store::{self, Patience, Receipt, Redaction, StoreError, Writer};
use crate::transcript::{Draft, parse};

impl Workspace {
    /// Waits for other writers, then lets one read, decide and append.
    ///
    /// # Errors
    /// When the lock cannot be had, when the file lies behind a link out of its project, and when a merge conflict stands in
    /// it or a newer version of the program is needed.
    pub(crate) fn writer(&self, path: &Path) -> Result<Writer, WorkspaceError> {
        self.patient_writer(path, self.lock_wait.into())
    }

    /// [`Self::writer`] for who may give up waiting.
    pub(crate) fn patient_writer(
        &self,
        path: &Path,
        patience: Patience,
    ) -> Result<Writer, WorkspaceError> {
        let environment = self.environment.clone();
        let redaction = Redaction::new(move |text| environment.redact(text).into_owned());
        let lock = |place: &Place| Writer::lock_at(place, patience.clone());
        let writer = self.open_with(path, lock)?.at(self.now()).redacting(redaction);
        // Between conflict marks nobody can say whose words a block holds, or whether it counts.
        match writer.conflict()? {
            Some(line) => Err(StoreError::Conflict { path: path.to_owned(), line }.into()),
            None => Ok(writer),
        }
    }

    /// The patience of a run's writers: as long as others', unless it is given up.
    pub(crate) fn patience(&self, given_up: &Arc<AtomicBool>) -> Patience {
        Patience::unless(self.lock_wait, Arc::clone(given_up))
    }

    /// Takes a discussion away again in which nothing was said yet, as for a run that could not begin. It stays when
    /// anybody has added to it meanwhile. Gives whether it is gone.
    ///
    /// # Errors
    /// When it cannot be read, or its lock cannot be had; then it stays.
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
    /// When the file cannot be written; then nothing of them is in it.
    pub(crate) fn append(&self, path: &Path, drafts: &[Draft]) -> Result<Receipt, WorkspaceError> {
        Ok(self.writer(path)?.append(drafts)?)
    }
}

//! The kinds of failure, so that a front end knows how to end.

use super::error::WorkspaceError;
use crate::store::StoreError;

impl WorkspaceError {
    /// Returns whether nothing can be written to the file as it is now: a merge conflict stands in it, or it needs a newer
    /// version of the program.
    pub fn refuses_writes(&self) -> bool {
        matches!(self, Self::Store(StoreError::Conflict { .. } | StoreError::NewerFormat { .. }))
    }
}

/// What kind of failure an error is, so that a program knows how to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was asked for, or a file, is not as it should be.
    Input,
    /// Nobody could be asked.
    NoAnswer,
    /// A limit that the user set does not allow it.
    Limit,
    /// The system refused.
    System,
}

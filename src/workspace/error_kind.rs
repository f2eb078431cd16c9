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

/// How many reasons are told one by one.
const TOLD: usize = 6;

/// That no model can be asked. Of many that were looked for nobody reads why each is missing.
pub(super) fn no_model(tried: &[String]) -> String {
    let first = "no model is available".to_owned();
    match tried.len() {
        0..=TOLD => tried.iter().fold(first, |all, line| format!("{all}\n  {line}")),
        _ => format!("{first}: no model program is installed and no key is set"),
    }
}

/// Names lost or kept answers by their number.
pub(super) fn answers(count: usize) -> String {
    if count == 1 { "the answer".to_owned() } else { format!("{count} answers") }
}

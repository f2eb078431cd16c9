//! The kinds of failure, so that a front end knows how to end.

use super::error::WorkspaceError;
use crate::store::StoreError;
use crate::transcript::visible_line;

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

/// How many of several names are told.
const NAMED: usize = 6;

/// Lists the first of several names, and says how many more there are.
pub(super) fn listed(names: &[String]) -> String {
    let first: Vec<String> = names.iter().take(NAMED).map(|name| visible_line(name)).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", first.join(", "))
}

/// Says that no model, or none of the chosen ones, can be asked: `ready` are other providers that could be.
pub(super) fn unavailable(ready: &[String]) -> &'static str {
    if ready.is_empty() { "no model is available" } else { "the chosen model is not available" }
}

/// Says that no model can be asked. Nobody reads a long list of reasons, so it is left out.
pub(super) fn no_model(tried: &[String], ready: &[String]) -> String {
    let first = unavailable(ready).to_owned();
    match tried.len() {
        0..=TOLD => tried.iter().fold(first, |all, line| format!("{all}\n  {line}")),
        _ => format!("{first}: no model program is installed and no key is set"),
    }
}

/// Names lost or kept answers by their number.
pub(super) fn answers(count: usize) -> String {
    if count == 1 { "the answer".to_owned() } else { format!("{count} answers") }
}

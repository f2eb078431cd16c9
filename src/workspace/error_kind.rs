//! The kinds of failure, from which a front end derives its exit code.

use super::error::WorkspaceError;
use crate::store::StoreError;
use crate::transcript::visible_line;

impl WorkspaceError {
    /// Returns true if the file cannot be written as it is now: it contains a merge conflict, or needs a newer version
    /// of the program.
    pub fn refuses_writes(&self) -> bool {
        matches!(self, Self::Store(StoreError::Conflict { .. } | StoreError::NewerFormat { .. }))
    }
}

/// The kind of a failure, from which a program derives its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request or a file is wrong.
    Input,
    /// No model was available.
    NoAnswer,
    /// A limit that the user set prevents it.
    Limit,
    /// The system failed.
    System,
}

/// The maximum number of reasons in the message.
const TOLD: usize = 6;

/// The maximum number of names that a message lists.
const NAMED: usize = 6;

/// Lists the first of several names, and says how many more there are.
pub(super) fn listed(names: &[String]) -> String {
    let first: Vec<String> = names.iter().take(NAMED).map(|name| visible_line(name)).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", first.join(", "))
}

/// Says that no model is available or, if other providers are `ready`, that none of the chosen ones is.
pub(super) fn unavailable(ready: &[String]) -> &'static str {
    if ready.is_empty() { "no model is available" } else { "the chosen model is not available" }
}

/// Says that no model can be asked. Leaves out the reasons if their list is long, because users would not read it.
pub(super) fn no_model(tried: &[String], ready: &[String]) -> String {
    let first = unavailable(ready).to_owned();
    match tried.len() {
        0..=TOLD => tried.iter().fold(first, |all, line| format!("{all}\n  {line}")),
        _ => format!("{first}: no model program is installed and no key is set"),
    }
}

/// Describes lost or kept answers by their number.
pub(super) fn answers(count: usize) -> String {
    if count == 1 { "the answer".to_owned() } else { format!("{count} answers") }
}

//! Texts that somebody brings along.

use std::path::Path;

use discussions::workspace::{Workspace, WorkspaceError, bounded};

use crate::cli::error::Failure;

/// A text from a file or standard input.
pub(crate) fn read_text(workspace: &Workspace, path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") { standard_input("-:") } else { Ok(workspace.material(path)?) }
}

/// A text from standard input, as far as it is of use; `what` is what a failure calls it.
pub(crate) fn standard_input(what: &str) -> Result<String, Failure> {
    bounded(std::io::stdin(), "standard input").map_err(|error| match error {
        WorkspaceError::Io(error) => Failure::input(format!("{what} cannot be read: {error}")),
        other => other.into(),
    })
}

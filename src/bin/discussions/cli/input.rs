//! Reads texts that the user passes.

use std::path::Path;

use discussions::workspace::{Workspace, WorkspaceError, bounded};

use crate::cli::error::CommandError;

/// Reads a text from a file or from standard input.
pub(crate) fn read_text(workspace: &Workspace, path: &Path) -> Result<String, CommandError> {
    if path == Path::new("-") {
        Ok(workspace.clear("standard input", &standard_input("-:")?)?)
    } else {
        Ok(workspace.material(path)?)
    }
}

/// Returns true if standard input has a text now: the rest of a file, or data in a pipe. Reads nothing and does not
/// wait.
#[cfg(unix)]
pub(crate) fn text_waits() -> bool {
    use std::io::Seek as _;
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::FileTypeExt as _;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let input = std::io::stdin();
    let Ok(copy) = input.as_fd().try_clone_to_owned() else { return false };
    let mut file = std::fs::File::from(copy);
    let Ok(about) = file.metadata() else { return false };
    let kind = about.file_type();
    if kind.is_file() {
        return file.stream_position().is_ok_and(|at| at < about.len());
    }
    let mut ready = [PollFd::new(file.as_fd(), PollFlags::POLLIN)];
    let is_pipe = kind.is_fifo() || kind.is_socket();
    is_pipe
        && poll(&mut ready, PollTimeout::ZERO).is_ok()
        && ready[0].revents().is_some_and(|told| told.contains(PollFlags::POLLIN))
}

/// Returns false, because this system cannot tell.
#[cfg(not(unix))]
pub(crate) fn text_waits() -> bool {
    false
}

/// Reads a text from standard input, up to a limit. Error messages call the text `what`.
pub(crate) fn standard_input(what: &str) -> Result<String, CommandError> {
    bounded(std::io::stdin(), "standard input").map_err(|error| match error {
        WorkspaceError::Io(error) => CommandError::input(format!("{what} cannot be read: {error}")),
        other => other.into(),
    })
}

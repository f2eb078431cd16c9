//! Texts that somebody brings along.

use std::path::Path;

use discussions::workspace::{Workspace, WorkspaceError, bounded};

use crate::cli::error::Failure;

/// A text from a file or standard input.
pub(crate) fn read_text(workspace: &Workspace, path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        Ok(workspace.clear("standard input", &standard_input("-:")?)?)
    } else {
        Ok(workspace.material(path)?)
    }
}

/// Whether a text is there on standard input now: more of a file, or what somebody sent through a pipe. Nothing is taken of
/// it, and nothing is waited for.
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

/// Nobody can tell here.
#[cfg(not(unix))]
pub(crate) fn text_waits() -> bool {
    false
}

/// A text from standard input, as far as it is of use; `what` is what a failure calls it.
pub(crate) fn standard_input(what: &str) -> Result<String, Failure> {
    bounded(std::io::stdin(), "standard input").map_err(|error| match error {
        WorkspaceError::Io(error) => Failure::input(format!("{what} cannot be read: {error}")),
        other => other.into(),
    })
}

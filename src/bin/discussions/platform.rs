//! The only place of the program that knows the operating system. `system` is one of two modules with the same
//! functions; the second one is for systems without signals and poll, such as Windows.
//!
//! With `--cfg discussions_portable`, the second one is compiled on Unix.

#[cfg(feature = "serve")]
pub(crate) use self::system::open_file_limit;
#[cfg(any(feature = "lsp", feature = "mcp"))]
pub(crate) use self::system::use_shared_permissions;
pub(crate) use self::system::{
    outlive_interrupts, outlive_size_limits, text_waits, until_shutdown,
};

/// True if a path begins with a drive, and its parts are separated by backslashes.
#[cfg(feature = "lsp")]
pub(crate) const PATHS_HAVE_DRIVES: bool = cfg!(windows);

/// Returns the program that opens a web address in the browser, and its first arguments.
#[cfg(feature = "serve")]
pub(crate) fn browser_opener() -> (&'static str, &'static [&'static str]) {
    if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // `start` belongs to a shell, which would interpret the address.
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    }
}

#[cfg(all(unix, not(discussions_portable)))]
mod system {
    use std::fs::File;
    use std::io::Seek as _;
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::FileTypeExt as _;
    use std::sync::Arc;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use signal_hook::consts::{SIGINT, SIGXFSZ};
    use tokio::signal::unix::{SignalKind, signal};

    /// Returns true if standard input has a text now: the rest of a file, or data in a pipe. Reads nothing and does
    /// not wait.
    pub(crate) fn text_waits() -> bool {
        let input = std::io::stdin();
        let Ok(copy) = input.as_fd().try_clone_to_owned() else { return false };
        let mut file = File::from(copy);
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

    /// Waits for the signals of a closing terminal or a shutdown. Waits forever if they cannot be received.
    pub(crate) async fn until_shutdown() {
        let kinds = [SignalKind::terminate(), SignalKind::hangup()].map(signal);
        if let [Ok(mut terminate), Ok(mut hangup)] = kinds {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = hangup.recv() => return,
            }
        }
        std::future::pending::<()>().await;
    }

    /// Ignores Ctrl-C from now on.
    pub(crate) fn outlive_interrupts() {
        let _ = signal_hook::flag::register(SIGINT, Arc::default());
    }

    /// Makes a write that exceeds a file size limit return an error, like a full disk, instead of ending the process in
    /// the middle of its work.
    pub(crate) fn outlive_size_limits() {
        // Any handler works. Model programs do not inherit a handler, but they would inherit an ignored signal.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    }

    /// Returns the number of files and connections that this process may have open; none if it is unknown.
    #[cfg(feature = "serve")]
    pub(crate) fn open_file_limit() -> Option<usize> {
        use nix::sys::resource::{Resource, getrlimit};
        let (soft, _) = getrlimit(Resource::RLIMIT_NOFILE).ok()?;
        usize::try_from(soft).ok()
    }

    /// Lets others in the project read a new file. A temporary file has stricter permissions.
    #[cfg(any(feature = "lsp", feature = "mcp"))]
    pub(crate) fn use_shared_permissions(builder: &mut tempfile::Builder<'_, '_>) {
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        builder.permissions(readable);
    }
}

#[cfg(any(not(unix), discussions_portable))]
mod system {
    /// Returns false, because the system cannot tell without reading. A text is read if the user names `-`.
    pub(crate) fn text_waits() -> bool {
        false
    }

    /// Waits forever, because only Ctrl-C is reported.
    pub(crate) async fn until_shutdown() {
        std::future::pending::<()>().await;
    }

    /// Does nothing: Ctrl-C ends this program together with the pager.
    pub(crate) fn outlive_interrupts() {}

    /// Does nothing: such a write returns an error anyway.
    pub(crate) fn outlive_size_limits() {}

    /// Returns none, because the limit is unknown.
    #[cfg(feature = "serve")]
    pub(crate) fn open_file_limit() -> Option<usize> {
        None
    }

    /// Does nothing: a new file has the permissions of its folder.
    #[cfg(any(feature = "lsp", feature = "mcp"))]
    pub(crate) fn use_shared_permissions(_builder: &mut tempfile::Builder<'_, '_>) {}
}

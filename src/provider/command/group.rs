//! A child process with all that it starts.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

#[cfg(unix)]
use process_wrap::tokio::ProcessGroup;
use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::timeout;

/// The same number on every Unix.
#[cfg(unix)]
const SIGTERM: i32 = 15;
/// How long a program that was asked to end may take to tidy up.
const MANNERS: Duration = Duration::from_millis(200);
/// How long the system may take to bury what was killed.
const BURIAL: Duration = Duration::from_millis(200);

/// A running program in a process group of its own; dropping it kills the whole group.
#[derive(Debug)]
pub(super) struct Group {
    child: Box<dyn ChildWrapper>,
    killed: bool,
}

impl Group {
    /// Starts a program with exactly these variables and pipes on all three streams.
    pub(super) fn start<'e>(
        program: &Path,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
        vars: impl IntoIterator<Item = (&'e OsStr, &'e OsStr)>,
        folder: &Path,
    ) -> io::Result<Self> {
        let mut command = CommandWrap::with_new(program, |command| {
            command
                .args(args)
                .env_clear()
                .envs(vars)
                .current_dir(folder)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        command.wrap(KillOnDrop);
        #[cfg(unix)]
        command.wrap(ProcessGroup::leader());
        Ok(Self { child: command.spawn()?, killed: false })
    }

    /// The number of the group; none once the program is known to have ended.
    pub(super) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// The three pipes; each can be taken once.
    pub(super) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.child.stdin().take()?, self.child.stdout().take()?, self.child.stderr().take()?))
    }

    /// Waits until the program itself has ended; what it started may go on.
    pub(super) async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Kills all that is left of the group, at once.
    pub(super) fn kill(&mut self) {
        if !self.killed {
            self.killed = true;
            // The only failure is that nobody is left to kill.
            let _ = self.child.start_kill();
        }
    }

    /// Asks the group to end, waits a moment, then kills it.
    pub(super) async fn stop(&mut self) {
        #[cfg(unix)]
        if self.child.signal(SIGTERM).is_ok() {
            let _ = timeout(MANNERS, self.ended()).await;
        }
        self.kill();
        let _ = timeout(BURIAL, self.ended()).await;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

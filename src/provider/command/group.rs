//! A child process together with all processes that it starts.

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

/// SIGTERM is 15 on every Unix; defined here so that no libc crate is needed.
#[cfg(unix)]
const SIGTERM: i32 = 15;
/// The time that a program gets to clean up after SIGTERM.
const MANNERS: Duration = Duration::from_millis(200);
/// The time that the system gets to reap a killed process.
const BURIAL: Duration = Duration::from_millis(200);

/// A running program in its own process group. Dropping it kills the whole group.
#[derive(Debug)]
pub(super) struct CommandGroup {
    child: Box<dyn ChildWrapper>,
    killed: bool,
}

impl CommandGroup {
    /// Starts a program with exactly these variables, and with pipes for all three standard streams.
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

    /// Returns the number of the group, or `None` if the program is known to have ended.
    pub(super) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Takes the three pipes, which is possible only once.
    pub(super) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.child.stdin().take()?, self.child.stdout().take()?, self.child.stderr().take()?))
    }

    /// Waits until the program itself has ended. Processes that it started may still run.
    pub(super) async fn wait_ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Kills all processes that are left in the group, immediately.
    pub(super) fn kill(&mut self) {
        if !self.killed {
            self.killed = true;
            // The only possible failure is that no process is left.
            let _ = self.child.start_kill();
        }
    }

    /// Sends SIGTERM to the group, waits a moment, then kills it.
    pub(super) async fn stop(&mut self) {
        #[cfg(unix)]
        if self.child.signal(SIGTERM).is_ok() {
            let _ = timeout(MANNERS, self.wait_ended()).await;
        }
        self.kill();
        let _ = timeout(BURIAL, self.wait_ended()).await;
    }
}

impl Drop for CommandGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

//! A child process together with all processes that it starts, as far as the system can end them. On Linux, this
//! includes processes that left its group (`setsid`): they are found by a variable in their environment or by the pipe
//! that they hold. On other systems they are not found.

use std::ffi::OsStr;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::timeout;

use crate::platform::{self, Process};

/// The time that a program gets to clean up after it was asked to end.
const MANNERS: Duration = Duration::from_millis(200);
/// The time that the system gets to reap a killed process.
const BURIAL: Duration = Duration::from_millis(200);

/// A running program in its own process group. Dropping it kills the whole group; the program alone if the system has
/// no groups.
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
        platform::lead_group(&mut command);
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

    /// Asks the group to end, waits a moment, then kills it.
    pub(super) async fn stop(&mut self) {
        if platform::ask_to_end(self.child.as_ref()) {
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

/// The variable that marks every process of a call.
pub(super) const MARK: &str = "DISCUSSIONS_CALL";

/// The number of hexadecimal digits of the random part of a mark.
const RANDOM_DIGITS: usize = 16;

/// The beginning of every mark that this process gives. Two processes can have the same number in two containers; the
/// random part keeps their marks apart.
static RUN: LazyLock<String> = LazyLock::new(|| {
    let random = std::hash::RandomState::new().build_hasher().finish();
    format!("{}-{random:016x}-", std::process::id())
});

/// Returns true if a text is all that the marks of one run begin with.
pub(super) fn is_run_mark(text: &str) -> bool {
    let mut parts = text.split('-');
    let is = |part: Option<&str>, fits: fn(u8) -> bool| part.is_some_and(|it| it.bytes().all(fits));
    text.len() > RANDOM_DIGITS + 2
        && is(parts.next(), |it| it.is_ascii_digit())
        && parts.next().is_some_and(|it| {
            it.len() == RANDOM_DIGITS && it.bytes().all(|it| it.is_ascii_hexdigit())
        })
        && parts.next() == Some("")
        && parts.next().is_none()
}

/// Returns the beginning of every mark that this process gives.
pub(super) fn run_mark() -> &'static str {
    &RUN
}

/// Returns a mark that no other call has.
pub(super) fn new_mark() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    format!("{}{}", *RUN, LAST.fetch_add(1, Ordering::Relaxed))
}

/// Kills the processes of the call `mark` that are not in its process group, and returns them.
pub(super) fn end_detached(mark: &str, group: Option<u32>) -> Vec<Process> {
    let variable = format!("{MARK}={mark}");
    platform::end_marked(group, |one| one == variable.as_bytes())
}

/// Kills all processes that have a call's mark beginning with `run`, and returns them.
pub(super) fn end_run(run: &str) -> Vec<Process> {
    let variable = format!("{MARK}={run}");
    platform::end_marked(None, |one| one.starts_with(variable.as_bytes()))
}

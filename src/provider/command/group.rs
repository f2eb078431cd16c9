//! A child process together with all processes that it starts. On Linux, this includes processes
//! that left its group (`setsid`): they are found by a variable in their environment or by the pipe
//! that they hold. On other systems they are not found.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
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

/// The variable that marks every process of a call.
pub(super) const MARK: &str = "DISCUSSIONS_CALL";

/// The number of times that the processes are listed. A process can start another one while the list is read.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 5;

/// The beginning of every mark that this process gives. Two processes can have the same number in two containers; the
/// random part keeps their marks apart.
static RUN: LazyLock<String> = LazyLock::new(|| {
    let random = std::hash::RandomState::new().build_hasher().finish();
    format!("{}-{random:x}-", std::process::id())
});

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
#[cfg(target_os = "linux")]
pub(super) fn end_detached(mark: &str, group: Option<u32>) -> Vec<Process> {
    let variable = format!("{MARK}={mark}");
    end_marked(group, |one| one == variable.as_bytes())
}

/// Kills all processes that have a call's mark beginning with `run`, and returns them.
#[cfg(target_os = "linux")]
pub(super) fn end_run(run: &str) -> Vec<Process> {
    let variable = format!("{MARK}={run}");
    end_marked(None, |one| one.starts_with(variable.as_bytes()))
}

#[cfg(target_os = "linux")]
fn end_marked(group: Option<u32>, is_mark: impl Fn(&[u8]) -> bool) -> Vec<Process> {
    let is_ours = |pid| {
        let own_group = process_group(pid);
        own_group.is_some() && own_group != group && has_variable(pid, &is_mark)
    };
    let mut ended = Vec::new();
    for _ in 0..ROUNDS {
        let found = find_processes(is_ours);
        if found.is_empty() {
            break;
        }
        for process in found {
            if kill(process.pid, is_ours) && !ended.contains(&process) {
                ended.push(process);
            }
        }
    }
    ended
}

/// Kills a process if it still is the process that was found. By now the system may have given its number to another
/// process.
#[cfg(target_os = "linux")]
fn kill(pid: u32, is_ours: impl Fn(u32) -> bool) -> bool {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return false };
    let Ok(handle) = pidfd_open(process, PidfdFlags::empty()) else { return false };
    is_ours(pid) && pidfd_send_signal(handle, Signal::KILL).is_ok()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn end_detached(_mark: &str, _group: Option<u32>) -> Vec<Process> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn end_run(_run: &str) -> Vec<Process> {
    Vec::new()
}

/// A process, by its number and the name that the system gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: u32,
    name: String,
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` (process {})", self.name, self.pid)
    }
}

#[cfg(target_os = "linux")]
/// Returns the processes for which `is_wanted` is true, except this process.
fn find_processes(is_wanted: impl Fn(u32) -> bool) -> Vec<Process> {
    let own = std::process::id();
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != own && is_wanted(*pid))
        .map(|pid| {
            let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            Process { pid, name: name.trim().to_owned() }
        })
        .collect()
}

/// Returns the process group of a process, if the process still runs.
pub(super) fn process_group(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name may contain parentheses, so search from the end. After the name come state, parent and group.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    // A zombie has ended; only its parent has not noticed yet.
    if fields.next() == Some("Z") {
        return None;
    }
    fields.nth(1)?.parse().ok()
}

/// Returns whether a process was started with an environment variable that satisfies `is_wanted`.
fn has_variable(pid: u32, is_wanted: impl Fn(&[u8]) -> bool) -> bool {
    let variables = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    variables.split(|byte| *byte == 0).any(is_wanted)
}

/// Returns the other processes that have this pipe open, by name and number. Empty if the system does not report them.
#[cfg(target_os = "linux")]
pub(super) fn holders(pipe: &impl std::os::fd::AsRawFd) -> Vec<String> {
    use std::fs;

    let Ok(target) = fs::read_link(format!("/proc/self/fd/{}", pipe.as_raw_fd())) else {
        return Vec::new();
    };
    let holds = |pid: u32| {
        fs::read_dir(format!("/proc/{pid}/fd"))
            .into_iter()
            .flatten()
            .flatten()
            .any(|fd| fs::read_link(fd.path()).is_ok_and(|link| link == target))
    };
    find_processes(holds).into_iter().map(|process| process.to_string()).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn holders<P>(_pipe: &P) -> Vec<String> {
    Vec::new()
}

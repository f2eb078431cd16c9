//! Processes that left the process group of their call (`setsid`). Ending the group does not end them, so they are
//! found by a variable in their environment. A process that removed the variable is not found.

use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(target_os = "linux")]
use super::processes;
use super::processes::Process;

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
        let own_group = processes::group(pid);
        own_group.is_some() && own_group != group && processes::has_variable(pid, &is_mark)
    };
    let mut ended = Vec::new();
    for _ in 0..ROUNDS {
        let found = processes::find(is_ours);
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

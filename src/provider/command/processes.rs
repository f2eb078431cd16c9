//! The processes of this machine, as Linux lists them. On other systems every list is empty.

use std::fmt;
use std::fs;

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
pub(super) fn find(is_wanted: impl Fn(u32) -> bool) -> Vec<Process> {
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
pub(super) fn group(pid: u32) -> Option<u32> {
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
pub(super) fn has_variable(pid: u32, is_wanted: impl Fn(&[u8]) -> bool) -> bool {
    let variables = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    variables.split(|byte| *byte == 0).any(is_wanted)
}

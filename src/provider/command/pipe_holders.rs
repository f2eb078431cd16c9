//! What a program left running: who still holds the other end of a pipe, and who was started in a call.

/// The variable that marks all processes of one call.
pub(super) const MARK: &str = "DISCUSSIONS_CALL";

/// A mark that no other call has.
pub(super) fn new_mark() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static LAST: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), LAST.fetch_add(1, Ordering::Relaxed))
}

/// The processes besides ours that have this pipe open, as people know them; empty where the
/// system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn holders(pipe: &impl std::os::fd::AsRawFd) -> Vec<String> {
    use std::fs;

    let Ok(target) = fs::read_link(format!("/proc/self/fd/{}", pipe.as_raw_fd())) else {
        return Vec::new();
    };
    let holds = |pid: &str| {
        fs::read_dir(format!("/proc/{pid}/fd"))
            .into_iter()
            .flatten()
            .flatten()
            .any(|fd| fs::read_link(fd.path()).is_ok_and(|link| link == target))
    };
    processes(holds)
}

/// The processes of a call that have left its group, so that they were not ended with it. One that took the mark out of
/// its environment is not found.
#[cfg(target_os = "linux")]
pub(super) fn escaped(mark: &str, group: Option<u32>) -> Vec<String> {
    use std::fs;

    let mark = format!("{MARK}={mark}");
    let is_in_group = |pid: &str| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The name of a process may hold brackets. Behind it: state, parent, group.
        let of = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(2));
        of.is_none_or(|of| of.parse().ok() == group)
    };
    let is_marked = |pid: &str| {
        let vars = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        vars.split(|byte| *byte == 0).any(|var| var == mark.as_bytes())
    };
    processes(|pid| is_marked(pid) && !is_in_group(pid))
}

/// Processes besides ours of which something is true, as people know them.
#[cfg(target_os = "linux")]
fn processes(is_so: impl Fn(&str) -> bool) -> Vec<String> {
    use std::fs;

    let ours = std::process::id().to_string();
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|pid| pid.bytes().all(|b| b.is_ascii_digit()) && *pid != ours && is_so(pid))
        .map(|pid| {
            let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            format!("`{}` (process {pid})", name.trim())
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn escaped(_mark: &str, _group: Option<u32>) -> Vec<String> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn holders<P>(_pipe: &P) -> Vec<String> {
    Vec::new()
}

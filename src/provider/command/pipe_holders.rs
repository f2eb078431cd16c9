//! Finds the processes that still hold the other end of a pipe.

/// Returns the other processes that have this pipe open, by name and number. Empty if the system does not report them.
#[cfg(target_os = "linux")]
pub(super) fn holders(pipe: &impl std::os::fd::AsRawFd) -> Vec<String> {
    use std::fs;

    use super::processes::find;

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
    find(holds).into_iter().map(|process| process.to_string()).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn holders<P>(_pipe: &P) -> Vec<String> {
    Vec::new()
}

//! Who still holds the other end of a pipe?

/// The processes besides ours that have this pipe open, as people know them; empty where the
/// system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn holders(pipe: &impl std::os::fd::AsRawFd) -> Vec<String> {
    use std::fs;

    let Ok(target) = fs::read_link(format!("/proc/self/fd/{}", pipe.as_raw_fd())) else {
        return Vec::new();
    };
    let ours = std::process::id().to_string();
    let holds = |pid: &str| {
        fs::read_dir(format!("/proc/{pid}/fd"))
            .into_iter()
            .flatten()
            .flatten()
            .any(|fd| fs::read_link(fd.path()).is_ok_and(|link| link == target))
    };
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|pid| pid.bytes().all(|b| b.is_ascii_digit()) && *pid != ours && holds(pid))
        .map(|pid| {
            let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            format!("`{}` (process {pid})", name.trim())
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn holders<P>(_pipe: &P) -> Vec<String> {
    Vec::new()
}

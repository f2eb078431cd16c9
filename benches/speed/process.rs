//! Child processes: the program, and those that it is compared with; their processor time and their memory.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::measure::timed;

/// The measured program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_discussions");

/// The argument that makes this bench start a program, wait for it and print its peak memory.
pub(crate) const LAUNCH: &str = "--launch";

/// Runs a command to its end, without its output.
pub(crate) fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?} failed");
}

/// Returns true if a program can be started.
pub(crate) fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Runs git in a folder, with an author and without signatures. Returns true if it succeeded.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=R", "-c", "user.email=r@example.org"]);
    command.args(["-c", "commit.gpgsign=false"]).args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs a command to its end. Returns the processor time of all its threads, in user and system mode, or the elapsed
/// time if the system does not tell.
pub(crate) fn processor_time(command: &mut Command) -> Duration {
    let before = children_time();
    let elapsed = timed(|| run(command));
    before.zip(children_time()).map_or(elapsed, |(before, after)| after.saturating_sub(before))
}

/// Returns the processor time of all children that ended.
#[cfg(unix)]
fn children_time() -> Option<Duration> {
    use nix::sys::time::TimeValLike as _;

    let usage = children_usage()?;
    let spent = usage.user_time() + usage.system_time();
    u64::try_from(spent.num_microseconds()).ok().map(Duration::from_micros)
}

#[cfg(not(unix))]
fn children_time() -> Option<Duration> {
    None
}

/// Returns the most bytes of memory that the program held with these arguments, or none if the system does not tell.
///
/// A new process of this bench starts the program: between its start and the loading of its code, a process counts the
/// memory of the one that started it, and this one may hold long texts.
pub(crate) fn peak_memory(arguments: &[&str], file: &Path) -> Option<u64> {
    let this = std::env::current_exe().ok()?;
    let mut launcher = Command::new(this);
    launcher.arg(LAUNCH).args(arguments).arg(file);
    let told = launcher.stdin(Stdio::null()).output().ok()?.stdout;
    String::from_utf8(told).ok()?.trim().parse().ok()
}

/// Runs the program as the only child of this process, and prints its peak memory in bytes if the system tells.
pub(crate) fn launch(arguments: &[&str]) {
    run(Command::new(PROGRAM).args(arguments));
    if let Some(peak) = children_peak() {
        println!("{peak}");
    }
}

#[cfg(unix)]
fn children_peak() -> Option<u64> {
    // Linux counts in KiB, macOS in bytes.
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    Some(u64::try_from(children_usage()?.max_rss()).ok()? * unit)
}

#[cfg(not(unix))]
fn children_peak() -> Option<u64> {
    None
}

#[cfg(unix)]
fn children_usage() -> Option<nix::sys::resource::Usage> {
    use nix::sys::resource::{UsageWho, getrusage};

    getrusage(UsageWho::RUSAGE_CHILDREN).ok()
}

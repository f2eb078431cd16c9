//! The guard: a second process that ends the programs of this process if this process is killed.
//!
//! `kill -9` gives no chance to end the programs that answer prompts: they would keep running and cost money.
//! `PR_SET_PDEATHSIG` would need code between fork and exec, and it fires when the *thread* that started the program
//! ends. So the first call starts a guard. Its standard input stays open as long as this process lives. When it
//! closes, the guard ends every process group that is still on its list, and on Linux the processes that left their
//! group.

use std::ffi::OsString;
use std::io::{self, BufRead, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

use super::group::{end_run, is_run_mark, run_mark};
use crate::platform::{self, GroupEnding};

/// The time that a program gets to end after the guard asked it to.
const PATIENCE: Duration = Duration::from_millis(200);

/// The command that starts the guard, and the guard process once it runs.
#[derive(Clone, Debug)]
pub(crate) struct ProcessGuard {
    program: PathBuf,
    args: Vec<OsString>,
    running: Arc<OnceLock<Option<Mutex<Child>>>>,
}

impl PartialEq for ProcessGuard {
    fn eq(&self, other: &Self) -> bool {
        (&self.program, &self.args) == (&other.program, &other.args)
    }
}

impl Eq for ProcessGuard {}

impl ProcessGuard {
    /// Creates a guard. It is started as `program` with `args`, followed by the run's mark.
    pub(crate) fn new(program: PathBuf, args: Vec<OsString>) -> Self {
        Self { program, args, running: Arc::default() }
    }

    /// Starts the guard unless it runs already. If that fails, calls still work, but without a guard. On a system
    /// without process groups a guard could end nothing, so none is started.
    pub(super) fn start(&self) {
        if !platform::ENDS_GROUPS {
            return;
        }
        self.running.get_or_init(|| self.spawn().ok().map(Mutex::new));
    }

    /// Puts a process group on the guard's list until the returned value is dropped.
    pub(super) fn watch(&self, group: Option<u32>) -> Watched<'_> {
        let watched = Watched { guard: self, group };
        watched.tell('+');
        watched
    }

    fn spawn(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .arg(run_mark())
            // The guard gets no variables: a call's mark would end the guard together with that call, and it needs no
            // keys.
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // Ctrl-C in a terminal goes to the whole group of this process; the guard must survive it.
        platform::start_own_group(&mut command);
        command.spawn()
    }

    fn child(&self) -> Option<MutexGuard<'_, Child>> {
        let child = self.running.get()?.as_ref()?;
        Some(child.lock())
    }
}

/// An entry on the guard's list. Dropping it removes the process group.
pub(super) struct Watched<'g> {
    guard: &'g ProcessGuard,
    group: Option<u32>,
}

impl Watched<'_> {
    fn tell(&self, sign: char) {
        let (Some(mut child), Some(group)) = (self.guard.child(), self.group) else { return };
        if let Some(input) = child.stdin.as_mut() {
            // If the guard has ended, the write fails; the call continues without it.
            let _ = writeln!(input, "{sign}{group}");
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.tell('-');
    }
}

/// Runs the guard: reads the list of process groups from `input` until it ends, then ends the remaining groups, and on
/// Linux all processes with a mark of `run`. Returns false, and does nothing, if `run` is no run's mark.
///
/// A line `+N` adds group N to the list and a line `-N` removes it; other lines are ignored.
pub(crate) fn guard_calls(input: impl BufRead, run: &str) -> bool {
    // Any other text could be the beginning of several marks, and would end the calls of several runs.
    if !is_run_mark(run) {
        return false;
    }
    let groups = read_groups(input);
    platform::end_groups(&groups, GroupEnding::Asked);
    if !groups.is_empty() {
        std::thread::sleep(PATIENCE);
    }
    platform::end_groups(&groups, GroupEnding::Killed);
    end_run(run);
    true
}

fn read_groups(input: impl BufRead) -> Vec<i32> {
    let mut groups = Vec::new();
    for line in input.lines().map_while(Result::ok) {
        let Some((sign, number)) = line.split_at_checked(1) else { continue };
        // 0 and 1 are not valid groups: 0 means the guard's own group, and 1 would signal the whole system.
        let Some(group) = number.parse().ok().filter(|group| *group > 1) else { continue };
        match sign {
            "+" => groups.push(group),
            "-" => groups.retain(|known| *known != group),
            _ => {}
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_holds_the_groups_that_were_not_removed() {
        let lines = "+12\n+13\n-12\nnonsense\n\n+0\n+1\n+-5\n+99999999999\n+14\n";
        assert_eq!(read_groups(lines.as_bytes()), [13, 14]);
    }
}

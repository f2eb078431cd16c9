//! The screen of the real program within tmux, where that is installed: its keys, its sizes, and what it leaves behind.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::Scenario;

/// How long something may take to be seen; only a screen that never shows it takes so long.
const DEADLINE: Duration = Duration::from_secs(120);

/// A session of tmux, of a server of its own.
struct Session<'s> {
    scenario: &'s Scenario,
}

impl<'s> Session<'s> {
    /// Begins the screen in one, behind a line that was there before; none where there is no tmux.
    fn begin(scenario: &'s Scenario, words: &str) -> Option<Self> {
        let version = Command::new("tmux").arg("-V").stdout(Stdio::null()).status();
        if !version.is_ok_and(|status| status.success()) {
            eprintln!("skipped: there is no tmux");
            return None;
        }
        let session = Self { scenario };
        let line = format!(
            "echo was here before; '{}' ui {words}; echo left with $?; cat",
            env!("CARGO_BIN_EXE_discussions")
        );
        session.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", &line]);
        Some(session)
    }

    fn tmux(&self, args: &[&str]) -> String {
        let mut command = self.scenario.command("tmux");
        // The socket lies in the scenario's folder, so that no other server is meant.
        command.args(["-u", "-S"]).arg(self.scenario.path("tmux.socket"));
        let output = command.args(args).env("TERM", "xterm-256color").output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Waits until the screen is as it should be.
    fn wait(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + DEADLINE;
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]);
            if is_so(&screen) {
                return screen;
            }
            assert!(Instant::now() < until, "never seen: {what}\n{screen}");
        }
    }

    fn wait_for(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let mut command = self.scenario.command("tmux");
        command.arg("-S").arg(self.scenario.path("tmux.socket")).arg("kill-server");
        // Where it is gone already there is nothing to end.
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

#[test]
fn a_discussion_is_opened_run_and_left_within_tmux() {
    let scenario = Scenario::with_discussion();
    let Some(session) = Session::begin(&scenario, "--provider mock") else { return };
    session.wait_for("1 discussion");
    session.press("Enter");
    session.wait_for("Questions");
    session.press("t");
    session.wait_for("new comments");
    // Narrower, one pane is seen at a time; wider again, all are.
    session.tmux(&["resize-window", "-x", "60", "-y", "20"]);
    session.wait("one pane alone", |screen| !screen.contains("3 Questions 0"));
    session.press("3");
    session.wait_for("3 Questions");
    session.tmux(&["resize-window", "-x", "120", "-y", "40"]);
    session.wait("all panes", |screen| {
        ["Text", "Votes", "Tasks"].iter().all(|pane| screen.contains(pane))
    });
    session.press("q");
    let left = session.wait_for("left with 0");
    assert!(left.contains("was here before") && !left.contains("Questions"), "{left}");
    assert!(scenario.read("discussions/caching.md").contains("<!-- TURN: 1"));
}

#[test]
fn what_another_program_runs_is_seen_as_it_goes_on_and_ends() {
    let waits = "#!/bin/sh\ncat >/dev/null\nread line <\"$GATE\"\necho 'Wombats everywhere.'\n";
    let scenario = Scenario::with_discussion().program("waits", waits);
    let gate = scenario.path("gate");
    nix::unistd::mkfifo(&gate, nix::sys::stat::Mode::S_IRWXU).unwrap();
    scenario.write("discussions.yaml", b"");
    let provider = format!(
        "providers:\n  - name: waits\n    command: waits\n    env: {{GATE: '{}'}}\n",
        gate.display()
    );
    scenario.write("providers.yaml", provider.as_bytes());
    let Some(session) = Session::begin(&scenario, "caching") else { return };
    session.wait_for("Questions");
    let mut turn = scenario.program_under_test();
    turn.args(["turn", "caching", "@architect", "--provider", "waits"]);
    let mut turn = turn.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    session.wait_for("another program runs it");
    // Opening waits for whoever reads.
    std::fs::write(&gate, "go\n").unwrap();
    session.wait_for("Wombats everywhere.");
    assert!(turn.wait().unwrap().success());
    session.wait("that it ended", |screen| !screen.contains("another program runs it"));
    session.press("q");
    session.wait_for("left with 0");
}

//! The screen of the real program inside tmux.

use std::fs::File;
use std::io::Read as _;
use std::num::NonZero;
use std::process::{Command, Output, Stdio};

use crate::cli::Scenario;

const ROWS: u16 = 24;
const COLUMNS: u16 = 80;

/// One pane of a tmux server that only this test uses.
struct Pane<'s> {
    scenario: &'s Scenario,
    socket: String,
    /// The bytes that the program sends to tmux.
    piped: File,
    /// The resulting screen. It shows when tmux can be read, without waiting for a fixed time.
    screen: vt100::Parser,
}

impl<'s> Pane<'s> {
    /// Returns `None` if tmux is missing or cannot start a session.
    fn begin(scenario: &'s Scenario, words: &str) -> Option<Self> {
        let socket = scenario.path("tmux").display().to_string();
        let pipe = scenario.path("pipe");
        let line = format!(
            "tmux -S '{socket}' wait-for begin; stty -g >before; '{}' ui {words}; echo $? >code; stty -g >after; \
             printf 'left behind'; tmux -S '{socket}' wait-for end",
            env!("CARGO_BIN_EXE_discussions")
        );
        let tmux = |words: &[&str]| tmux(scenario, &socket, words);
        let (rows, columns) = (ROWS.to_string(), COLUMNS.to_string());
        let begin = ["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &rows];
        let begun = tmux(&[&begin[..], &["sh", "-c", &line]].concat());
        if !begun.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: the screen within tmux (needs tmux)");
            return None;
        }
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let words = ["pipe-pane", "-O", &format!("cat >'{}'", pipe.display())];
        assert!(tmux(&words).unwrap().status.success());
        // This waits until the other end is open, so nothing is missed.
        let piped = File::open(pipe).unwrap();
        // The test ends even if something goes wrong.
        assert!(
            tmux(&["run-shell", "-b", "-d", "120", "tmux kill-server"]).unwrap().status.success()
        );
        assert!(tmux(&["wait-for", "-S", "begin"]).unwrap().status.success());
        let screen = vt100::Parser::new(size(ROWS), size(COLUMNS), 0);
        Some(Self { scenario, socket, piped, screen })
    }

    /// Waits until the program has drawn this text.
    fn wait_for(&mut self, text: &str) {
        // A few bytes at a time, so that text which is visible only for a moment is seen.
        let mut bytes = [0; 64];
        while !self.screen.screen().contents().contains(text) {
            let read = self.piped.read(&mut bytes).unwrap();
            assert!(read > 0, "`{text}` never came:\n{}", self.screen.screen().contents());
            self.screen.process(&bytes[..read]);
        }
    }

    /// Returns the screen of tmux as soon as it contains this text.
    fn shows(&mut self, text: &str) -> String {
        self.wait_for(text);
        let shown = self.tmux(&["capture-pane", "-p"]);
        assert!(shown.contains(text), "tmux does not show `{text}`:\n{shown}");
        shown
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn tmux(&self, words: &[&str]) -> String {
        let output = tmux(self.scenario, &self.socket, words).unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Pane<'_> {
    fn drop(&mut self) {
        // The server may be gone already.
        let _ = tmux(self.scenario, &self.socket, &["kill-server"]);
    }
}

fn size(size: u16) -> NonZero<u16> {
    NonZero::new(size).unwrap()
}

fn tmux(scenario: &Scenario, socket: &str, words: &[&str]) -> std::io::Result<Output> {
    let mut command = scenario.command("tmux");
    command.env_remove("TMUX").args(["-u", "-S", socket]).args(words).stdin(Stdio::null()).output()
}

#[test]
fn screen_works_in_tmux_and_restores_the_pane() {
    let scenario = Scenario::with_discussion();
    let Some(mut pane) = Pane::begin(&scenario, "--provider mock") else { return };
    pane.shows("1 discussion");
    pane.press(&["Enter"]);
    pane.shows("Questions");
    // Another user adds a comment, in characters that are two columns wide.
    scenario.discussions(&["comment", "caching", "DECISION: 袋鼠", "--as", "Mia"]).code(0);
    pane.shows("袋鼠");
    pane.press(&["c"]);
    pane.press(&["-l", "wombats"]);
    pane.press(&["C-s"]);
    pane.wait_for("added");
    // After a resize the screen is drawn again, and no line is wider than the screen.
    pane.screen = vt100::Parser::new(size(ROWS), size(60), 0);
    pane.tmux(&["resize-window", "-x", "60"]);
    pane.shows("wombats");
    pane.press(&["Escape"]);
    let shown = pane.shows("filter");
    assert!(shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
    pane.press(&["q"]);
    let left = pane.shows("left behind");
    assert!(!left.contains("filter"), "the screen stays behind:\n{left}");
    let read = |name: &str| std::fs::read_to_string(scenario.path(name)).unwrap();
    assert_eq!((read("before"), read("code").trim()), (read("after"), "0"));
    assert!(scenario.read("discussions/caching.md").contains("\nwombats\n"));
}

//! The screen of the real program on a terminal.

use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::cli::Scenario;

/// The program on a terminal that `script` creates. The settings of the terminal before and after are in files beside
/// it.
struct Screen {
    child: Child,
    keys: ChildStdin,
    shown: ChildStdout,
    /// The current screen: the program sends only changes, so its output contains no complete words.
    screen: vt100::Parser,
    sent: Vec<u8>,
}

impl Screen {
    /// Returns `None` if `script` is missing.
    fn begin(scenario: &Scenario, words: &str) -> Option<Self> {
        let mut works = Command::new("script");
        works.args(["-qec", "true", "/dev/null"]).stdout(Stdio::null()).stderr(Stdio::null());
        if !works.status().is_ok_and(|status| status.success()) {
            eprintln!("skipped: there is no `script` that makes a terminal");
            return None;
        }
        let line = format!(
            // The program ends even if something goes wrong.
            "stty rows 30 cols 100; stty -g >before; timeout --foreground 120 '{}' ui {words}; echo $? >code; stty -g >after",
            env!("CARGO_BIN_EXE_discussions")
        );
        let mut command = scenario.command("script");
        let child = command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm-256color");
        let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let (keys, shown) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let [rows, columns] = [30, 100].map(|size| NonZero::new(size).unwrap());
        let screen = vt100::Parser::new(rows, columns, 0);
        Some(Self { child, keys, shown, screen, sent: Vec::new() })
    }

    /// Reads until the screen contains this text.
    fn wait_for(&mut self, text: &str) {
        // A few bytes at a time, so that text which is visible only for a moment is seen.
        let mut bytes = [0; 64];
        while !self.screen.screen().contents().contains(text) {
            let read = self.shown.read(&mut bytes).unwrap();
            assert!(read > 0, "`{text}` never came:\n{}", self.screen.screen().contents());
            self.screen.process(&bytes[..read]);
            self.sent.extend_from_slice(&bytes[..read]);
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Returns all output until the end.
    fn rest(mut self) -> String {
        self.shown.read_to_end(&mut self.sent).unwrap();
        self.child.wait().unwrap();
        String::from_utf8_lossy(&self.sent).into_owned()
    }
}

/// Checks that the terminal is restored and the exit status is right.
fn assert_restored(scenario: &Scenario, code: &str, shown: &str) {
    let read = |name: &str| std::fs::read_to_string(scenario.path(name)).unwrap();
    assert_eq!(read("before"), read("after"));
    assert_eq!(read("code").trim(), code);
    for left in ["\u{1b}[?1049l", "\u{1b}[?1000l", "\u{1b}[?2004l", "\u{1b}[?25h"] {
        assert!(shown.contains(left), "{left:?}: {shown:?}");
    }
}

#[test]
fn screen_shows_changes_and_restores_the_terminal() {
    let scenario = Scenario::with_discussion();
    let Some(mut screen) = Screen::begin(&scenario, "caching --provider mock") else { return };
    screen.wait_for("Text");
    screen.wait_for("comment");
    // Another user adds a comment.
    scenario.discussions(&["comment", "caching", "DECISION: kangaroos", "--as", "Mia"]).code(0);
    screen.wait_for("kangaroos");
    // The user adds a comment by keys alone.
    screen.press("cwombats\u{13}");
    screen.wait_for("added");
    screen.press("q");
    let shown = screen.rest();
    assert_restored(&scenario, "0", &shown);
    let text = scenario.read("discussions/caching.md");
    assert!(text.contains("\nwombats\n"), "{text}");
}

#[test]
fn run_is_followed_to_its_end() {
    let scenario = Scenario::with_discussion();
    let Some(mut screen) = Screen::begin(&scenario, "--provider mock") else { return };
    screen.wait_for("1 discussion");
    screen.press("\r");
    screen.wait_for("Questions");
    screen.press("t");
    screen.wait_for("new comment");
    screen.press("q");
    let shown = screen.rest();
    assert_restored(&scenario, "0", &shown);
    assert!(scenario.read("discussions/caching.md").contains("<!-- TURN: 1"));
}

#[test]
fn screen_without_a_terminal_is_refused() {
    let scenario = Scenario::with_discussion();
    let run = scenario.discussions(&["ui"]).code(5);
    assert!(run.stderr().contains("the screen needs a terminal"), "{}", run.stderr());
}

#[test]
fn missing_discussion_is_reported_before_the_screen_starts() {
    let scenario = Scenario::with_discussion();
    let Some(screen) = Screen::begin(&scenario, "kangaroo") else { return };
    let shown = screen.rest();
    assert!(!shown.contains("\u{1b}[?1049h"), "{shown:?}");
    assert!(shown.contains("kangaroo"), "{shown:?}");
}

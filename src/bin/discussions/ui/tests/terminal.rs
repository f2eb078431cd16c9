//! Tests that a panic restores the terminal before its message is printed.

use std::process::{Command, Stdio};

use crate::ui::screen::Screen;

/// The variable that tells the started test program to panic.
const WANTED: &str = "DISCUSSIONS_TEST_PANICS";

#[test]
#[ignore = "started by the test below, on a terminal of its own"]
fn panics() {
    if std::env::var_os(WANTED).is_some() {
        let _screen = Screen::begin().unwrap();
        panic!("in the middle of it");
    }
}

#[test]
fn panic_restores_the_terminal() {
    let mut works = Command::new("script");
    works.args(["-qec", "true", "/dev/null"]).stdout(Stdio::null());
    if !works.status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no `script` that makes a terminal");
        return;
    }
    let program = std::env::current_exe().unwrap();
    let line = format!(
        "stty -a | tr ';' '\\n' >before; '{}' --exact ui::tests::terminal::panics --ignored --nocapture; stty -a | tr ';' '\\n' >after",
        program.display()
    );
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env(WANTED, "1")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let left = shown.find("\u{1b}[?1049l").expect("the other screen is left");
    let told = shown.find("in the middle of it").expect("what happened is told");
    assert!(
        shown.find("\u{1b}[?1049h").is_some_and(|taken| taken < left) && left < told,
        "{shown:?}"
    );
    for code in ["\u{1b}[?1000l", "\u{1b}[?2004l", "\u{1b}[?25h"] {
        assert!(shown[..told].contains(code), "{code:?}: {shown:?}");
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("before"), read("after"));
}

//! Output: colours, closed pipes and full disks. `proofs/terminal.rs` looks for escape codes.

use std::io::Read as _;
use std::process::Stdio;

use super::scenario::Scenario;

#[test]
fn colour_follows_the_environment() {
    let scenario = Scenario::with_discussion();
    let plain = scenario.discussions(&["status", "caching"]);
    assert!(!plain.stdout.contains('\u{1b}') && !plain.stderr().contains('\u{1b}'));
    let forced = Scenario::with_discussion().env("CLICOLOR_FORCE", "1");
    assert!(forced.discussions(&["status", "caching"]).stdout.contains('\u{1b}'));
    let refused = Scenario::with_discussion().env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    assert!(!refused.discussions(&["status", "caching"]).stdout.contains('\u{1b}'));
}

#[test]
fn closed_output_pipe_is_no_failure() {
    let long = format!("# Long\n\n{}", "A line of text.\n".repeat(50_000));
    let scenario = Scenario::new().file("long.md", &long);
    let mut child = scenario
        .program_under_test()
        .args(["show", "long.md"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 6];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut first).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!((&first, output.status.code()), (b"# Long", Some(0)));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn unwritable_output_exits_5() {
    if !std::path::Path::new("/dev/full").exists() {
        println!("skipped: there is no /dev/full");
        return;
    }
    let scenario = Scenario::with_discussion();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output =
        scenario.program_under_test().args(["list", "--json"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stderr));
}

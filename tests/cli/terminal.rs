//! Output: escape codes, colours, closed pipes and full disks.

use std::io::Read as _;
use std::process::Stdio;

use super::scenario::Scenario;

const HOSTILE: &str = "# T\u{1b}]0;title\u{7}\n\n---\n\nName: Ann\n\nQ: a\u{1b}[2J\u{9b}31m\u{202e}b?\n\nVOTE: \u{1b}[31m\n\n---\n";

#[test]
fn escape_codes_of_a_file_are_never_printed() {
    let scenario = Scenario::new().file("discussions/h.md", HOSTILE).env("CLICOLOR_FORCE", "1");
    let without_colours = |text: &str| {
        // The program's own colours are plain SGR sequences.
        let mut rest = text.to_owned();
        while let Some(start) = rest.find("\u{1b}[") {
            let end = start + rest[start..].find('m').expect("only colours");
            let inner = &rest[start + 2..end];
            assert!(inner.chars().all(|c| c.is_ascii_digit() || c == ';'), "{inner:?}");
            rest.replace_range(start..=end, "");
        }
        rest
    };
    for args in [
        &["show", "h"][..],
        &["show", "h", "--json"],
        &["show", "h", "--width", "60"],
        &["show", "h", "--raw"],
        &["status", "h", "--verbose"],
        &["status", "h", "--json"],
        &["list"],
        &["list", "--json"],
        &["check"],
        &["turn", "h", "--dry-run", "--provider", "mock"],
    ] {
        let run = scenario.discussions(args);
        for text in [without_colours(&run.stdout), without_colours(&run.stderr)] {
            let bad =
                text.chars().find(|c| (c.is_control() && !"\n\t".contains(*c)) || *c == '\u{202e}');
            assert_eq!(bad, None, "{args:?} printed {bad:?}:\n{text}");
        }
    }
}

#[test]
fn colour_follows_the_environment() {
    let scenario = Scenario::with_discussion();
    let plain = scenario.discussions(&["status", "caching"]);
    assert!(!plain.stdout.contains('\u{1b}') && !plain.stderr.contains('\u{1b}'));
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
        return;
    }
    let scenario = Scenario::with_discussion();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output =
        scenario.program_under_test().args(["list", "--json"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stderr));
}

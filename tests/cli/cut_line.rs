//! A last line without a newline: the next writer marks it as cut off and warns.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// Ann voted by hand; her editor writes no newline at the end of a file.
fn discussion_without_final_newline() -> Scenario {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "First.", "--as", "Rob"]).code(0);
    let text = scenario.read(FILE) + "\nName: Ann\n\nVOTE: READY";
    scenario.write(FILE, text.as_bytes());
    scenario
}

#[test]
fn writer_after_a_cut_line_is_warned_once() {
    let warning = "the last line above, `VOTE: READY`, did not end in a newline";
    for args in [
        &["comment", "caching", "Second.", "--as", "Rob"][..],
        &["vote", "caching", "changes", "why", "--as", "Rob"],
        &["advance", "caching"],
        &["close", "caching"],
    ] {
        let scenario = discussion_without_final_newline();
        let run = scenario.discussions(args).code(0).notes(warning).notes("<!-- TORN -->");
        assert_eq!(run.stderr().matches(warning).count(), 1, "{args:?}: {}", run.stderr());
        assert!(scenario.read(FILE).contains("VOTE: READY <!-- TORN -->\n"), "{args:?}");
        // The warning appears once: the next writer finds no cut line.
        let run = scenario.discussions(&["comment", "caching", "Third.", "--as", "Rob"]).code(0);
        assert!(!run.stderr().contains(warning), "{args:?}: {}", run.stderr());
        // Removing the mark, as the message says, makes the vote count.
        let mended = scenario.read(FILE).replace(" <!-- TORN -->", "");
        scenario.write(FILE, mended.as_bytes());
        let votes = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
        assert_eq!(votes["votes"]["Ann"], "READY", "{args:?}");
    }
}

#[test]
fn turn_after_a_cut_line_names_the_fix() {
    let scenario = discussion_without_final_newline();
    scenario
        .discussions(&["turn", "caching", "--provider", "mock"])
        .code(0)
        .notes("it does not count")
        .notes("discussions check --fix discussions/caching.md");
    let scenario = discussion_without_final_newline();
    scenario.discussions(&["check", "--fix", "--yes"]).code(0);
    let run = scenario.discussions(&["comment", "caching", "Second.", "--as", "Rob"]).code(0);
    assert!(!run.stderr().contains("did not end in a newline"), "{}", run.stderr());
    let votes = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    assert_eq!(votes["votes"]["Ann"], "READY");
}

//! A last line without an end: what a writer marks as cut off is told at once.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// Ann voted by hand, and her editor ends no line.
fn cut() -> Scenario {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "First.", "--as", "Rob"]).code(0);
    let text = scenario.read(FILE) + "\nName: Ann\n\nVOTE: READY";
    scenario.write(FILE, text.as_bytes());
    scenario
}

#[test]
fn whoever_writes_behind_a_line_without_an_end_is_told_that_it_does_not_count() {
    let told = "the last line above, `VOTE: READY`, did not end in a newline";
    for args in [
        &["comment", "caching", "Second.", "--as", "Rob"][..],
        &["vote", "caching", "changes", "why", "--as", "Rob"],
        &["advance", "caching"],
        &["close", "caching"],
    ] {
        let scenario = cut();
        let run = scenario.discussions(args).code(0).notes(told).notes("<!-- TORN -->");
        assert_eq!(run.stderr.matches(told).count(), 1, "{args:?}: {}", run.stderr);
        assert!(scenario.read(FILE).contains("VOTE: READY <!-- TORN -->\n"), "{args:?}");
        // It is told once: the next writer finds nothing cut.
        let run = scenario.discussions(&["comment", "caching", "Third.", "--as", "Rob"]).code(0);
        assert!(!run.stderr.contains(told), "{args:?}: {}", run.stderr);
        // What the words say mends it.
        let mended = scenario.read(FILE).replace(" <!-- TORN -->", "");
        scenario.write(FILE, mended.as_bytes());
        let votes = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
        assert_eq!(votes["votes"]["Ann"], "READY", "{args:?}");
    }
}

#[test]
fn whoever_asks_behind_a_line_without_an_end_is_told_how_to_end_it() {
    let scenario = cut();
    scenario
        .discussions(&["turn", "caching", "--provider", "mock"])
        .code(0)
        .notes("it does not count")
        .notes("discussions check --fix discussions/caching.md");
    let scenario = cut();
    scenario.discussions(&["check", "--fix", "--yes"]).code(0);
    let run = scenario.discussions(&["comment", "caching", "Second.", "--as", "Rob"]).code(0);
    assert!(!run.stderr.contains("did not end in a newline"), "{}", run.stderr);
    let votes = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    assert_eq!(votes["votes"]["Ann"], "READY");
}

//! Lines that look as if they counted but do not.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

#[test]
fn first_comment_without_a_name_is_stray_text() {
    let scenario = Scenario::with_discussion();
    let head = scenario.read(FILE);
    for first in ["I like it.\n\nVOTE: READY", "Author: Ann\n\nTODO: it", "### Bob\n\nFine."] {
        scenario.write(FILE, format!("{head}\n---\n\n{first}\n").as_bytes());
        scenario.discussions(&["check", "caching"]).says("[stray]").says("Name: You");
    }
    scenario.write(FILE, format!("{head}\n---\n\nName: Ann\n\nI like it.\n").as_bytes());
    scenario.discussions(&["check", "caching"]).code(0).stdout("");
}

#[test]
fn miswritten_markers_are_reported_with_the_correct_form() {
    let scenario = Scenario::with_discussion();
    for (text, write) in [
        ("Decision: use pg", "write `DECISION:`"),
        ("todo: write docs", "write `TODO:`"),
        ("VOTE READY", "write `VOTE: READY`"),
        ("I vote READY", "write `VOTE: READY`"),
        ("TODO write docs", "write `TODO:`"),
    ] {
        scenario.discussions(&["comment", "caching", text]).code(0).notes(write);
        scenario.discussions(&["check", "caching"]).code(0).says(write).says("[marker-miswritten]");
    }
}

#[test]
fn name_may_contain_an_apostrophe() {
    let scenario = Scenario::with_discussion();
    for name in ["Conor O'Brien", "Siobhan O\u{2019}Neill"] {
        scenario.discussions(&["vote", "caching", "ready", "--as", name]).code(0);
        assert!(scenario.read(FILE).contains(&format!("Name: {name}\n")));
        let status = scenario.discussions(&["status", "caching", "--json"]).json();
        assert_eq!(status["votes"][name], "READY", "{status}");
    }
    // The two kinds of apostrophe are hard to tell apart.
    let run = scenario.discussions(&["comment", "caching", "x", "--as", "Conor O\u{2019}Brien"]);
    run.code(3).notes("looks like `Conor O'Brien`");
}

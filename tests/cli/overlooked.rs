//! Lines that look as if they counted and do not.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

#[test]
fn a_first_comment_without_a_name_is_stray() {
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
fn markers_in_the_wrong_case_and_votes_without_a_colon_are_told_by_comment_and_check() {
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
fn a_name_may_hold_an_apostrophe() {
    let scenario = Scenario::with_discussion();
    for name in ["Conor O'Brien", "Siobhan O\u{2019}Neill"] {
        scenario.discussions(&["vote", "caching", "ready", "--as", name]).code(0);
        assert!(scenario.read(FILE).contains(&format!("Name: {name}\n")));
        let status = scenario.discussions(&["status", "caching", "--json"]).json();
        assert_eq!(status["votes"][name], "READY", "{status}");
    }
    // One apostrophe is not told from the other at a glance.
    let run = scenario.discussions(&["comment", "caching", "x", "--as", "Conor O\u{2019}Brien"]);
    run.code(3).notes("looks like `Conor O'Brien`");
}

//! `SUPERSEDES:` between discussions: what is in force, what replaced what, and what is wrong with a link.

use serde_json::Value;

use super::scenario::Scenario;

/// A discussion that a person closed with these decisions.
fn decided(title: &str, says: &str) -> String {
    format!("# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n")
}

fn of<'v>(log: &'v Value, file: &str) -> &'v Value {
    let file = format!("discussions/{file}");
    log.as_array().unwrap().iter().find(|one| one["file"] == file.as_str()).unwrap()
}

fn stage() -> Scenario {
    let old = decided("Sessions", "DECISION: sessions in Redis\n\nDECISION: one hour");
    let new = decided("Sessions anew", "DECISION: in PostgreSQL\n\nSUPERSEDES: old.md#D1");
    Scenario::new().file("discussions/old.md", &old).file("discussions/new.md", &new)
}

#[test]
fn decisions_show_what_is_in_force_and_what_replaced_what() {
    let scenario = stage();
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(of(&log, "old.md")["inForce"], true, "D2 still holds");
    assert_eq!(of(&log, "old.md")["replacedBy"][0]["decision"], "D1");
    assert_eq!(of(&log, "new.md")["replaces"][0]["file"], "discussions/old.md");
    let whole = decided("Third", "DECISION: cookies alone\n\nSUPERSEDES: [the old one](old.md)");
    scenario.write("discussions/third.md", whole.as_bytes());
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(of(&log, "old.md")["inForce"], false);
    let shown = scenario.discussions(&["decisions"]).code(0);
    shown.says("replaced by third D1").says("D1 is replaced by new D1").says("not in force");
    let recalled = scenario.discussions(&["recall", "sessions"]).code(0);
    recalled.says("in PostgreSQL").stdout_lacks("one hour");
}

#[test]
fn a_proposal_replaces_nothing() {
    let scenario = stage();
    scenario
        .write("discussions/new.md", b"# New\n\n---\n\nName: Rob\n\nSUPERSEDES: old.md\n\n---\n");
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(of(&log, "old.md")["inForce"], true, "nothing is decided there");
    let withdrawn = decided("New", "DECISION: x\n\nSUPERSEDES: old.md\n\nWITHDRAWN: D1");
    scenario.write("discussions/new.md", withdrawn.as_bytes());
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(of(&log, "old.md")["inForce"], true, "what would replace it was taken back");
}

#[test]
fn check_warns_of_links_that_lead_nowhere() {
    for (link, wanted) in [
        ("nope.md#D1", "there is no discussion nope.md [link-broken]"),
        ("old.md#D7", "there is no decision D7 in old.md [link-broken]"),
        ("new.md#D1", "leads to its own file"),
        ("../../secret.md", "there is no discussion ../../secret.md [link-broken]"),
        ("D1", "names no decision"),
    ] {
        let scenario = stage();
        std::fs::write(scenario.path("../secret.md"), decided("S", "DECISION: s")).unwrap();
        let text = decided("New", &format!("DECISION: x\n\nSUPERSEDES: {link}"));
        scenario.write("discussions/new.md", text.as_bytes());
        scenario.discussions(&["check"]).code(0).says("new.md:9:1: warning: ").says(wanted);
    }
    stage().discussions(&["check"]).code(0).notes("0 warnings");
}

#[test]
fn check_warns_where_two_links_say_different_things() {
    let scenario = stage();
    let rival = decided("Rival", "DECISION: in memory\n\nSUPERSEDES: old.md#D1");
    scenario.write("discussions/rival.md", rival.as_bytes());
    scenario.discussions(&["check"]).says(
        "discussions/rival.md:9:1: warning: discussions/new.md already replaces this decision",
    );
    let settled = decided("Rival", "DECISION: x\n\nSUPERSEDES: old.md#D1\n\nSUPERSEDES: new.md#D1");
    scenario.write("discussions/rival.md", settled.as_bytes());
    scenario.discussions(&["check"]).code(0).notes("0 warnings");
    let back = decided("Old", "DECISION: a\n\nSUPERSEDES: new.md#D1");
    let circle = stage().file("discussions/old.md", &back);
    circle.discussions(&["check"]).says("says that it replaces this discussion's decision");
    let log = circle.discussions(&["decisions", "--json"]).code(0).json();
    let forces: Vec<bool> =
        ["old.md", "new.md"].map(|file| of(&log, file)["inForce"] == true).into();
    assert_eq!(forces.iter().filter(|holds| **holds).count(), 1, "one of them holds: {log}");
}

//! `SUPERSEDES:` between discussions: decisions in force, replacements, and wrong links.

use serde_json::Value;

use super::scenario::Scenario;

/// Returns a discussion that a person closed, with these lines.
fn closed_discussion(title: &str, says: &str) -> String {
    format!("# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n")
}

fn entry_of<'v>(log: &'v Value, file: &str) -> &'v Value {
    let file = format!("discussions/{file}");
    log.as_array().unwrap().iter().find(|one| one["file"] == file.as_str()).unwrap()
}

fn old_and_new() -> Scenario {
    let old = closed_discussion("Sessions", "DECISION: sessions in Redis\n\nDECISION: one hour");
    let new =
        closed_discussion("Sessions anew", "DECISION: in PostgreSQL\n\nSUPERSEDES: old.md#D1");
    Scenario::new().file("discussions/old.md", &old).file("discussions/new.md", &new)
}

#[test]
fn decisions_show_validity_and_replacements() {
    let scenario = old_and_new();
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(entry_of(&log, "old.md")["inForce"], true, "D2 still holds");
    assert_eq!(entry_of(&log, "old.md")["replacedBy"][0]["decision"], "D1");
    assert_eq!(entry_of(&log, "new.md")["replaces"][0]["file"], "discussions/old.md");
    let whole =
        closed_discussion("Third", "DECISION: cookies alone\n\nSUPERSEDES: [the old one](old.md)");
    scenario.write("discussions/third.md", whole.as_bytes());
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(entry_of(&log, "old.md")["inForce"], false);
    let shown = scenario.discussions(&["decisions"]).code(0);
    shown.says("replaced by third D1").says("D1 is replaced by new D1").says("not in force");
    let recalled = scenario.discussions(&["recall", "sessions"]).code(0);
    recalled.says("in PostgreSQL").stdout_lacks("one hour");
}

#[test]
fn proposal_does_not_replace_a_decision() {
    let scenario = old_and_new();
    scenario
        .write("discussions/new.md", b"# New\n\n---\n\nName: Rob\n\nSUPERSEDES: old.md\n\n---\n");
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(entry_of(&log, "old.md")["inForce"], true, "nothing is decided there");
    let withdrawn = closed_discussion("New", "DECISION: x\n\nSUPERSEDES: old.md\n\nWITHDRAWN: D1");
    scenario.write("discussions/new.md", withdrawn.as_bytes());
    let log = scenario.discussions(&["decisions", "--json"]).code(0).json();
    assert_eq!(entry_of(&log, "old.md")["inForce"], true, "what would replace it was taken back");
}

#[test]
fn check_warns_about_broken_links() {
    for (link, wanted) in [
        ("nope.md#D1", "there is no discussion nope.md [link-broken]"),
        ("old.md#D7", "there is no decision D7 in old.md [link-broken]"),
        ("new.md#D1", "leads to its own file"),
        ("../../secret.md", "there is no discussion ../../secret.md [link-broken]"),
        ("D1", "names no decision"),
    ] {
        let scenario = old_and_new();
        std::fs::write(scenario.path("../secret.md"), closed_discussion("S", "DECISION: s"))
            .unwrap();
        let text = closed_discussion("New", &format!("DECISION: x\n\nSUPERSEDES: {link}"));
        scenario.write("discussions/new.md", text.as_bytes());
        scenario.discussions(&["check"]).code(0).says("new.md:9:1: warning: ").says(wanted);
    }
    old_and_new().discussions(&["check"]).code(0).notes("0 warnings");
}

#[test]
fn check_warns_about_a_circle_of_discussions() {
    let mut scenario = Scenario::new();
    for (file, old) in [("a", "b"), ("b", "c"), ("c", "a")] {
        let text = closed_discussion(file, &format!("DECISION: {file}\n\nSUPERSEDES: {old}.md#D1"));
        scenario = scenario.file(&format!("discussions/{file}.md"), &text);
    }
    let check = scenario.discussions(&["check"]).code(0);
    check
        .says("discussions/a.md:9:1: warning: this link and later ones replace each other in a circle")
        .says("the decision in b.md stays in force [link-contradicted]");
    assert_eq!(scenario.discussions(&["check"]).stdout.matches("link-contradicted").count(), 1);
}

#[test]
fn replaced_decision_loses_its_review_day_wherever_it_is_shown() {
    let old = "DECISION: a\n\nREVIEW-BY: 2027-06-01\n\nDECISION: b\n\nREVIEW-BY: 2027-07-01";
    let scenario = Scenario::new().file("discussions/old.md", &closed_discussion("Old", old)).file(
        "discussions/new.md",
        &closed_discussion("New", "DECISION: c\n\nSUPERSEDES: old.md#D1"),
    );
    for command in [&["result", "old"][..], &["status", "old"], &["export", "old", "--adr"]] {
        let shown = scenario.discussions(command).code(0).stdout;
        assert!(!shown.contains("2027-06-01 (D1)"), "{shown}");
        assert!(shown.contains("2027-07-01 (D2)"), "{shown}");
    }
}

#[test]
fn check_warns_about_contradicting_links() {
    let scenario = old_and_new();
    let rival = closed_discussion("Rival", "DECISION: in memory\n\nSUPERSEDES: old.md#D1");
    scenario.write("discussions/rival.md", rival.as_bytes());
    scenario.discussions(&["check"]).says(
        "discussions/rival.md:9:1: warning: discussions/new.md already replaces this decision",
    );
    let settled =
        closed_discussion("Rival", "DECISION: x\n\nSUPERSEDES: old.md#D1\n\nSUPERSEDES: new.md#D1");
    scenario.write("discussions/rival.md", settled.as_bytes());
    scenario.discussions(&["check"]).code(0).notes("0 warnings");
    let back = closed_discussion("Old", "DECISION: a\n\nSUPERSEDES: new.md#D1");
    let circle = old_and_new().file("discussions/old.md", &back);
    circle
        .discussions(&["check"])
        .says("the decision in old.md stays in force [link-contradicted]");
    let log = circle.discussions(&["decisions", "--json"]).code(0).json();
    let forces: Vec<bool> =
        ["old.md", "new.md"].map(|file| entry_of(&log, file)["inForce"] == true).into();
    assert_eq!(forces.iter().filter(|holds| **holds).count(), 1, "one of them holds: {log}");
}

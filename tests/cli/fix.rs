//! `discussions check --fix`: handwriting brought into the form that counts.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

const WRONG: &str = "\n**Name:** Lea\n\nI vote.\n\nVOTE: READY\n\n---\n\nName:Tom\n\nx\n\n---\n\nname: mira\n\ny\n\n---\n\n## Tom\n\nz\n\nVOTE：READY\n";

#[test]
fn handwriting_is_shown_and_mended() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "A comment.\n\n## Tom\n\nname: mira"]).code(0);
    let before = scenario.read(FILE);
    scenario.write(FILE, format!("{before}{WRONG}").as_bytes());
    let told = scenario.discussions(&["check", "--json"]).code(1).json();
    let of_line = |line: u64| {
        let all = told[0]["problems"].as_array().unwrap().iter();
        all.filter(|problem| problem["line"] == line).count()
    };
    let text = scenario.read(FILE);
    let tom = text.lines().position(|line| line == "Name:Tom").unwrap() as u64 + 1;
    assert_eq!(of_line(tom), 1, "{told}");
    scenario.discussions(&["check", "--fix"]).code(2).notes("+Name: Lea").notes("--yes");
    assert_eq!(scenario.read(FILE), text);
    scenario.discussions(&["check", "--fix", "--yes"]).code(0).notes("mended");
    let wanted = WRONG
        .replace("**Name:** Lea", "Name: Lea")
        .replace("Name:Tom", "Name: Tom")
        .replace("name: mira", "Name: mira")
        .replace("## Tom", "Name: Tom")
        .replace('：', ": ");
    assert_eq!(scenario.read(FILE), format!("{before}{wanted}\n---\n"));
    scenario.discussions(&["check", "--strict"]).code(0);
    scenario.discussions(&["check", "--fix", "--yes"]).code(0).notes("nothing to mend");
    let status = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    assert!(status.to_string().contains("Lea"));
}

#[test]
fn what_was_committed_is_mended_and_history_is_quiet() {
    // Rob commits other people's words, which is told, and mends them, which is no rewrite.
    let quiet = |scenario: &Scenario| {
        let run = scenario.discussions(&["check", "--git"]).code(0);
        run.stdout_lacks("[history-rewritten]");
    };
    let scenario = Scenario::new();
    scenario.git(&["init", "-q"]);
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["comment", "caching", "First."]).code(0);
    scenario.write(FILE, format!("{}{WRONG}", scenario.read(FILE)).as_bytes());
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "By hand"]);
    scenario.discussions(&["check", "--fix", "--yes"]).code(0);
    quiet(&scenario);
    scenario.git(&["commit", "-qam", "Mended"]);
    quiet(&scenario);
    scenario.discussions(&["comment", "caching", "Last."]).code(0);
    quiet(&scenario);
}

#[test]
fn a_comment_by_hand_needs_no_closing_rule() {
    let scenario = Scenario::with_discussion();
    let by_hand = scenario.read(FILE) + "\n---\n\nName: Lea\n\nBy hand.\n";
    scenario.write(FILE, by_hand.as_bytes());
    scenario.discussions(&["comment", "caching", "Next."]).code(0);
    // The line below the name says when the program wrote it.
    let is_text = |line: &&str| !line.starts_with("<!-- SAID at: ");
    let written: String = scenario.read(FILE).split_inclusive('\n').filter(is_text).collect();
    assert_eq!(written, by_hand.clone() + "\n---\n\nName: Rob\n\nNext.\n\n---\n");
    // Only a line that is really cut is marked.
    scenario.write(FILE, by_hand.trim_end().as_bytes());
    scenario.discussions(&["comment", "caching", "Next."]).code(0);
    assert!(scenario.read(FILE).contains("By hand. <!-- TORN -->\n"));
}

#[test]
fn what_cannot_be_mended_is_still_told() {
    let scenario = Scenario::with_discussion();
    let text = scenario.read(FILE) + "\n---\n\nName: Ann\n\nVOTE: MAYBE\n\n---\n\njust text\n";
    scenario.write(FILE, text.as_bytes());
    let run = scenario.discussions(&["check", "--fix", "--yes"]).code(1);
    run.notes("nothing to mend").says("[vote-unknown]").says("[stray]");
    assert_eq!(scenario.read(FILE), text);
}

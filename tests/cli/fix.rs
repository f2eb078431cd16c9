//! `discussions check --fix`: correcting handwritten comments so that they count.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

const WRONG: &str = "\n**Name:** Lea\n\nI vote.\n\nVOTE: READY\n\n---\n\nName:Tom\n\nx\n\n---\n\nname: mira\n\ny\n\n---\n\n## Tom\n\nz\n\nVOTE：READY\n";

#[test]
fn handwritten_comments_are_shown_and_fixed() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "A comment.\n\n## Tom\n\nname: mira"]).code(0);
    let before = scenario.read(FILE);
    scenario.write(FILE, format!("{before}{WRONG}").as_bytes());
    let report = scenario.discussions(&["check", "--json"]).code(1).json();
    let of_line = |line: u64| {
        let all = report[0]["problems"].as_array().unwrap().iter();
        all.filter(|problem| problem["line"] == line).count()
    };
    let text = scenario.read(FILE);
    let tom = text.lines().position(|line| line == "Name:Tom").unwrap() as u64 + 1;
    assert_eq!(of_line(tom), 1, "{report}");
    scenario.discussions(&["check", "--fix"]).code(2).notes("+Name: Lea").notes("--yes");
    assert_eq!(scenario.read(FILE), text);
    scenario.discussions(&["check", "--fix", "--yes"]).code(0).notes("caching.md: fixed");
    let wanted = WRONG
        .replace("**Name:** Lea", "Name: Lea")
        .replace("Name:Tom", "Name: Tom")
        .replace("name: mira", "Name: mira")
        .replace("## Tom", "Name: Tom")
        .replace('：', ": ");
    assert_eq!(scenario.read(FILE), format!("{before}{wanted}\n---\n"));
    scenario.discussions(&["check", "--strict"]).code(0);
    scenario.discussions(&["check", "--fix", "--yes"]).code(0).notes("nothing to fix");
    let status = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    assert!(status.to_string().contains("Lea"));
}

#[test]
fn fix_of_committed_text_is_no_rewritten_history() {
    // Rob commits comments of other people, which is reported; fixing them is not a rewrite of history.
    let assert_not_rewritten = |scenario: &Scenario| {
        let run = scenario.discussions(&["check", "--git"]).code(0);
        run.stdout_lacks("[history-rewritten]");
    };
    let scenario = Scenario::new();
    scenario.init_git();
    scenario.discussions(&["new", "Caching"]).code(0);
    scenario.discussions(&["comment", "caching", "First."]).code(0);
    scenario.write(FILE, format!("{}{WRONG}", scenario.read(FILE)).as_bytes());
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "By hand"]);
    scenario.discussions(&["check", "--fix", "--yes"]).code(0);
    assert_not_rewritten(&scenario);
    scenario.git(&["commit", "-qam", "Mended"]);
    assert_not_rewritten(&scenario);
    scenario.discussions(&["comment", "caching", "Last."]).code(0);
    assert_not_rewritten(&scenario);
}

#[test]
fn handwritten_comment_needs_no_closing_rule() {
    let scenario = Scenario::with_discussion();
    let by_hand = scenario.read(FILE) + "\n---\n\nName: Lea\n\nBy hand.\n";
    scenario.write(FILE, by_hand.as_bytes());
    scenario.discussions(&["comment", "caching", "Next."]).code(0);
    // The program adds a line with the time below the name.
    let is_text = |line: &&str| !line.starts_with("<!-- SAID at: ");
    let written: String = scenario.read(FILE).split_inclusive('\n').filter(is_text).collect();
    assert_eq!(written, by_hand.clone() + "\n---\n\nName: Rob\n\nNext.\n\n---\n");
    // Only a last line without a newline is marked as torn.
    scenario.write(FILE, by_hand.trim_end().as_bytes());
    scenario.discussions(&["comment", "caching", "Next."]).with_warnings().code(0);
    assert!(scenario.read(FILE).contains("By hand. <!-- TORN -->\n"));
}

#[test]
fn markers_are_corrected_without_creating_a_vote() {
    let scenario = Scenario::with_discussion();
    let body = "Decision: use pg\n\ntodo: write docs\n\nTODO test it\n\nVOTE READY";
    let by_hand = format!("{}\nName: Lea\n\n{body}\n\n---\n", scenario.read(FILE));
    scenario.write(FILE, by_hand.as_bytes());
    let check = scenario.discussions(&["check", "caching"]).code(0);
    assert_eq!(check.stdout.matches("check --fix").count(), 3, "{}", check.stdout);
    let shown = scenario.discussions(&["check", "caching", "--fix", "--yes"]).code(0);
    shown.notes("-Decision: use pg").notes("+DECISION: use pg").notes("+TODO: test it");
    let wanted = by_hand
        .replace("Decision:", "DECISION:")
        .replace("todo:", "TODO:")
        .replace("TODO test", "TODO: test");
    assert_eq!(scenario.read(FILE), wanted);
    let check =
        scenario.discussions(&["check", "caching"]).code(0).says("`VOTE READY` is not a vote");
    assert!(!check.stdout.contains("check --fix"), "{}", check.stdout);
    let status = scenario.discussions(&["status", "caching", "--json"]).json();
    assert_eq!(status["votes"], serde_json::json!({}));
}

#[test]
fn no_hint_at_fix_for_comments_that_fix_leaves_alone() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Decision: use pg"]).with_warnings().code(0);
    let text = scenario.read(FILE);
    let check = scenario.discussions(&["check", "caching"]).says("[marker-miswritten]");
    assert!(!check.stdout.contains("check --fix"), "{}", check.stdout);
    scenario.discussions(&["check", "caching", "--fix", "--yes"]).notes("nothing to fix");
    assert_eq!(scenario.read(FILE), text);
}

#[test]
fn other_rule_above_a_name_is_fixed_and_vote_reported() {
    for rule in ["----", "***"] {
        let scenario = Scenario::with_discussion();
        let text = scenario.read(FILE)
            + &format!("\nName: Lea\n\nx\n\n{rule}\n\nName: Bob\n\nVOTE: READY\n\n---\n");
        scenario.write(FILE, text.as_bytes());
        scenario.discussions(&["check", "caching"]).code(1).says("check --fix");
        let run = scenario.discussions(&["check", "caching", "--fix", "--yes"]).code(0);
        run.notes("a vote counts: Bob: READY").notes("+---");
        let status = scenario.discussions(&["status", "caching", "--json"]).json();
        assert_eq!(status["votes"], serde_json::json!({"Bob": "READY"}), "{rule}");
    }
    // Without a rule, the program cannot tell a new comment from a line by Lea.
    let scenario = Scenario::with_discussion();
    let text = scenario.read(FILE) + "\nName: Lea\n\nx\n\nName: Bob\n\ny\n\n---\n";
    scenario.write(FILE, text.as_bytes());
    let check = scenario.discussions(&["check", "caching"]).code(1).says("[name-without-rule]");
    assert!(!check.stdout.contains("check --fix"), "{}", check.stdout);
}

#[test]
fn unfixable_problems_are_still_reported() {
    let scenario = Scenario::with_discussion();
    let text = scenario.read(FILE) + "\n---\n\nName: Ann\n\nVOTE: MAYBE\n\n---\n\njust text\n";
    scenario.write(FILE, text.as_bytes());
    let run = scenario.discussions(&["check", "--fix", "--yes"]).code(1);
    run.notes("nothing to fix").says("[vote-unknown]").says("[stray]");
    assert_eq!(scenario.read(FILE), text);
}

#[test]
fn fix_reports_only_the_later_vote_of_a_person_as_counting() {
    let scenario = Scenario::with_discussion();
    let text = scenario.read(FILE)
        + "\n**Name:** Bob\n\nVOTE: READY\n\n---\n\n**Name:** Bob\n\nVOTE: REJECT\n\n---\n";
    scenario.write(FILE, text.as_bytes());
    let run = scenario.discussions(&["check", "caching", "--fix", "--yes"]).code(0);
    run.notes("after this change, a vote counts: Bob: REJECT")
        .notes("this vote does not count, because a later one replaces it: Bob: READY");
    let status = scenario.discussions(&["status", "caching", "--json"]).json();
    assert_eq!(status["votes"], serde_json::json!({"Bob": "REJECT"}));
}

//! `discussions check --restore`: entries restored in place or at the end, and edits that stay.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// A discussion with three comments, each followed by a `---` rule.
fn three_comments() -> Scenario {
    let scenario = Scenario::with_discussion();
    for (name, text) in [("Ann", "Measure first."), ("Rob", "Ship it."), ("Eve", "Wait.")] {
        scenario.discussions(&["comment", "caching", text, "--as", name]).code(0);
    }
    scenario
}

#[test]
fn restore_puts_back_only_a_missing_rule() {
    let scenario = three_comments();
    let whole = scenario.read(FILE);
    let between = "Measure first.\n\n---\n\nName: Rob";
    for other in ["\n\n", "\n\n\n", "\n", "\n\n***\n\n", "\n\n----\n\n"] {
        let broken = whole.replace(between, &format!("Measure first.{other}Name: Rob"));
        assert_ne!(broken, whole);
        scenario.write(FILE, broken.as_bytes());
        let check = scenario.discussions(&["check", "caching"]).code(1);
        let check =
            check.says("its text is still here, but the `---` above or below it is missing");
        check.says("--restore").stdout_lacks("no longer in the file");
        let run = scenario.discussions(&["check", "caching", "--restore"]).code(0);
        run.notes("put back the missing `---` around 2 entries, in place");
        let now = scenario.read(FILE);
        let lines = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
        };
        assert_eq!(lines(&now), lines(&whole), "{other:?}");
        scenario.write(FILE, whole.as_bytes());
    }
    // All rules are missing, in a file with CR LF.
    let broken = whole.replace("\n---\n", "\n").replace('\n', "\r\n");
    scenario.write(FILE, broken.as_bytes());
    scenario.discussions(&["check", "caching", "--restore"]).code(0);
    let now = scenario.read(FILE);
    assert_eq!(now.matches("Ship it.").count(), 1, "{now}");
    assert!(!now.replace("\r\n", "").contains('\n'), "{now:?}");
    scenario.discussions(&["check", "caching"]).code(0).stdout("");
}

#[test]
fn restore_puts_back_the_rule_after_an_answer() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["turn", "caching", "@architect", "--provider", "mock"]).code(0);
    let whole = scenario.read(FILE);
    let broken = whole.strip_suffix("\n---\n").unwrap();
    scenario.write(FILE, broken.as_bytes());
    scenario.discussions(&["check", "caching"]).says("[torn]");
    scenario.discussions(&["check", "caching", "--restore"]).code(0).stdout_lacks("[torn]");
    assert_eq!(scenario.read(FILE), whole);
}

#[test]
fn restore_keeps_text_added_below_a_comment() {
    let scenario = three_comments();
    let more = "Wait.\n\nA longer text that somebody else typed below, with many words of its own.";
    let edited = scenario.read(FILE).replace("Wait.", more);
    scenario.write(FILE, edited.as_bytes());
    scenario.discussions(&["check", "caching"]).code(0).says("has changed since");
    let run = scenario.discussions(&["check", "caching", "--restore"]).code(0);
    run.notes("1 edited entry stays as edited; `discussions check --accept` shows the old text");
    assert_eq!(scenario.read(FILE), edited);
}

#[test]
fn comment_with_a_taken_place_is_restored_at_the_end() {
    let scenario = three_comments();
    let text = scenario.read(FILE).replace("Ship it.", "Nobody has asked the people on call yet.");
    scenario.write(FILE, text.as_bytes());
    let line = text.lines().position(|line| line == "Name: Rob").unwrap() + 1;
    let run = scenario.discussions(&["check", "caching", "--restore"]).code(0);
    run.notes("restored 1 entry at the end of the file").notes(&format!(
        "Rob's comment \"Ship it.\" is at the end of the file now: line {line} holds another text in its old place"
    ));
    let now = scenario.read(FILE);
    assert!(now.starts_with(&text) && now.ends_with("Ship it.\n\n---\n"), "{now}");
}

#[test]
fn lost_head_is_restored_from_the_last_commit() {
    let scenario = three_comments();
    scenario.init_git().git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
    let committed = scenario.read(FILE);
    scenario.discussions(&["comment", "caching", "Later."]).code(0);
    scenario.write(FILE, b"");
    let run = scenario.discussions(&["check", "caching", "--restore"]).code(0);
    run.notes("restored the beginning from the last commit").notes("restored 1 entry");
    let whole = scenario.read(FILE);
    assert!(whole.starts_with(&committed) && whole.ends_with("Later.\n\n---\n"), "{whole}");

    let (head, rest) = whole.split_at(whole.find("# Caching").unwrap());
    assert!(head.starts_with("<!-- DISCUSSION"), "{head}");
    for rest in [rest, &rest[rest.find("---\n").unwrap()..]] {
        scenario.write(FILE, rest.as_bytes());
        scenario.discussions(&["check", "caching", "--restore"]).notes("restored the beginning");
        assert_eq!(scenario.read(FILE), whole);
    }
    scenario.discussions(&["check", "caching", "--restore"]).code(0);
    assert_eq!(scenario.read(FILE), whole);
}

#[test]
fn lost_head_without_a_copy_is_reported() {
    let scenario = three_comments();
    scenario.write(FILE, b"");
    let run = scenario.discussions(&["check", "caching", "--restore"]);
    run.notes("the beginning is lost").notes("restored 3 entries");
    let whole = scenario.read(FILE);
    assert!(whole.contains("Measure first.") && !whole.contains("# Caching"), "{whole}");
}

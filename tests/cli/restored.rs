//! `discussions check --restore`: what comes back in its place, what goes to the end, and what stays.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// Three comments, each with its rule.
fn talk() -> Scenario {
    let scenario = Scenario::with_discussion();
    for (name, text) in [("Ann", "Measure first."), ("Rob", "Ship it."), ("Eve", "Wait.")] {
        scenario.discussions(&["comment", "caching", text, "--as", name]).code(0);
    }
    scenario
}

#[test]
fn only_the_rule_comes_back_if_only_the_rule_is_gone() {
    let scenario = talk();
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
    // All of them, and in a file with the line ends of Windows.
    let broken = whole.replace("\n---\n", "\n").replace('\n', "\r\n");
    scenario.write(FILE, broken.as_bytes());
    scenario.discussions(&["check", "caching", "--restore"]).code(0);
    let now = scenario.read(FILE);
    assert_eq!(now.matches("Ship it.").count(), 1, "{now}");
    assert!(!now.replace("\r\n", "").contains('\n'), "{now:?}");
    scenario.discussions(&["check", "caching"]).code(0).stdout("");
}

#[test]
fn the_rule_that_ends_an_answer_comes_back() {
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
fn text_below_a_comment_is_an_edit_and_nothing_is_copied() {
    let scenario = talk();
    let more = "Wait.\n\nA longer text that somebody else typed below, with many words of its own.";
    let edited = scenario.read(FILE).replace("Wait.", more);
    scenario.write(FILE, edited.as_bytes());
    scenario.discussions(&["check", "caching"]).code(0).says("has changed since");
    let run = scenario.discussions(&["check", "caching", "--restore"]).code(0);
    run.notes("1 edited entry stays as edited; `discussions check --accept` shows the old text");
    assert_eq!(scenario.read(FILE), edited);
}

#[test]
fn a_comment_whose_place_is_taken_goes_to_the_end_and_that_is_told() {
    let scenario = talk();
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
fn an_empty_file_and_a_lost_head_come_back_from_the_last_commit() {
    let scenario = talk();
    scenario.git(&["init", "-q"]).git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
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
fn a_head_of_which_there_is_no_copy_is_told_to_be_lost() {
    let scenario = talk();
    scenario.write(FILE, b"");
    let run = scenario.discussions(&["check", "caching", "--restore"]);
    run.notes("the beginning is lost").notes("restored 3 entries");
    let whole = scenario.read(FILE);
    assert!(whole.contains("Measure first.") && !whole.contains("# Caching"), "{whole}");
}

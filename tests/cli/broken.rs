//! What is broken stops only what needs it, and what is gone is told.

use super::scenario::Scenario;

const BROKEN: &str = "providers:\n  - name: x\n    command: a -H \"A: b\" c: d\n   oops\n";

#[test]
fn a_broken_file_of_providers_stops_only_who_asks() {
    let scenario = Scenario::with_discussion().on_path();
    scenario.git(&["init", "-q"]);
    scenario.discussions(&["init", "--hook"]).code(0);
    scenario.write("providers.yaml", BROKEN.as_bytes());
    for args in [
        &["list"][..],
        &["show", "caching"],
        &["status", "caching"],
        &["comment", "caching", "Hello."],
        &["check"],
        &["new", "Other"],
    ] {
        let run = scenario.discussions(args).code(0);
        assert_eq!(run.stderr.matches("providers.yaml:").count(), 1, "{args:?}: {}", run.stderr);
    }
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "With a broken file"]);
    for args in [
        &["run", "caching", "--provider", "mock"][..],
        &["turn", "caching", "--provider", "mock"],
        &["discuss", "x", "--provider", "mock"],
        &["providers", "list"],
    ] {
        scenario.discussions(args).code(3).notes("error: providers.yaml:");
    }
}

#[test]
fn a_file_of_providers_beside_no_project_is_named() {
    let text = "providers:\n  - name: mine\n    command: \"true\"\n";
    let scenario = Scenario::new().file("providers.yaml", text);
    let run = scenario.discussions(&["discuss", "x", "--provider", "mine"]);
    assert_ne!(run.exit(), 0);
    run.notes("providers.yaml is not read: `discussions init`");
}

#[test]
fn a_discussion_that_is_gone_is_told_while_its_journal_remains() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "Remember me."]).code(0);
    std::fs::rename(scenario.path("discussions/caching.md"), scenario.path("discussions/b.md"))
        .unwrap();
    // It has another name only.
    scenario.discussions(&["check", "--strict"]).code(0).stdout("");
    std::fs::remove_file(scenario.path("discussions/b.md")).unwrap();
    scenario
        .discussions(&["check"])
        .code(0)
        .says("discussions/caching.md: warning: this discussion is gone, and with it 1 comment")
        .says("[discussion-gone]");
}

#[test]
fn whoever_is_given_a_task_is_not_asked() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["comment", "caching", "TODO: measure", "--as", "Mira"]).code(0);
    scenario.discussions(&["comment", "caching", "ASSIGNED: T1 @mira"]).code(0);
    scenario.discussions(&["status", "caching", "-v"]).code(0).stdout_lacks("Not answered yet");
}

#[test]
fn an_edited_comment_behind_a_removed_one_is_edited() {
    let scenario = Scenario::with_discussion();
    for words in ["The first of all.", "We cahce for one hour at most."] {
        scenario.discussions(&["comment", "caching", words]).code(0);
    }
    let text = scenario.read("discussions/caching.md");
    let parts: Vec<&str> = text.split("---\n").filter(|part| !part.contains("The first")).collect();
    scenario
        .write("discussions/caching.md", parts.join("---\n").replace("cahce", "cache").as_bytes());
    scenario.discussions(&["check"]).code(1).says("[block-dropped]").says("[block-edited]");
}

//! `discussions vote`: options, reasons, and votes without text.

use super::scenario::Scenario;

fn votes(scenario: &Scenario) -> serde_json::Value {
    scenario.discussions(&["status", "caching", "--json"]).code(0).json()["votes"].clone()
}

#[test]
fn vote_alone_is_a_comment_without_text() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["vote", "caching", "ready"]).code(0).stdout("Rob votes READY.\n");
    assert_eq!(votes(&scenario)["Rob"], "READY");
    scenario
        .discussions(&["comment", "caching", "--vote", "Changes"])
        .code(0)
        .stdout("Rob votes CHANGES.\n");
    assert_eq!(votes(&scenario)["Rob"], "CHANGES");
    let text = scenario.read("discussions/caching.md");
    let last_comment = text.rsplit("Name: Rob\n<!-- SAID at: ").next().unwrap_or_default();
    assert!(last_comment.ends_with(" -->\n\nVOTE: CHANGES\n\n---\n"), "{text}");
    scenario.discussions(&["check", "--strict"]).code(0);
}

#[test]
fn vote_takes_a_reason_and_an_author() {
    let scenario = Scenario::with_discussion();
    scenario
        .discussions(&["vote", "caching", "REJECT", "Too early.", "--as", "Ann"])
        .code(0)
        .stdout("Added comment from Ann.\n")
        .notes("Vote: REJECT");
    scenario.discussions_with(&["vote", "caching", "ready", "-"], "Now it is time.\n").code(0);
    assert_eq!(votes(&scenario), serde_json::json!({"Ann": "REJECT", "Rob": "READY"}));
    let status = scenario.discussions(&["status", "caching"]).code(0);
    status.says("Rob: READY - Now it is time.");
}

#[test]
fn vote_options_ignore_case() {
    let scenario = Scenario::new();
    scenario
        .discussions(&["new", "Caching", "--template", "voting", "--set", "options=Redis,Postgres"])
        .code(0);
    let refused = scenario.discussions(&["vote", "caching", "ready"]).code(3);
    let options = scenario.discussions(&["vote", "caching", "postgres"]);
    // The template decides if its first phase is a ballot; here it must be one.
    if options.exit() == 0 {
        assert_eq!(votes(&scenario)["Rob"], "Postgres");
        assert!(
            refused.stderr().contains("the options are: Redis, Postgres"),
            "{}",
            refused.stderr()
        );
    } else {
        panic!("{}", options.stderr());
    }
}

#[test]
fn vote_after_closing_is_shown_as_not_counted() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["vote", "caching", "ready"]).code(0);
    scenario.discussions(&["close", "caching"]).code(0);
    scenario.discussions(&["vote", "caching", "reject"]).with_warnings().code(0);
    let shown = scenario.at_width(80, &["show", "caching"], "").stdout;
    let shown = anstream::adapter::strip_str(&shown).to_string();
    assert!(shown.contains("[REJECT] not counted"), "{shown}");
    assert!(shown.contains("[READY]") && !shown.contains("[READY] not counted"), "{shown}");
}

#[test]
fn deciding_vote_reports_the_consensus() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["run", "caching", "--provider", "mock"]).code(0);
    scenario
        .discussions(&["vote", "caching", "ready"])
        .code(0)
        .says("Consensus reached: READY by ");
}

#[test]
fn unknown_option_and_unquoted_text_are_refused() {
    let scenario = Scenario::with_discussion();
    let before = scenario.read("discussions/caching.md");
    scenario.discussions(&["vote", "caching", "maybe"]).code(3).notes("READY, CHANGES, REJECT");
    scenario.discussions(&["vote", "caching", "ready", "so", "what"]).code(2).notes(
        "put quotes around a text of several words: `discussions vote caching ready \"so what\"`",
    );
    assert_eq!(scenario.read("discussions/caching.md"), before);
}

#[test]
fn omitted_name_means_the_only_open_discussion() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["vote", "ready"]).code(0).stdout("Rob votes READY.\n");
    scenario.discussions(&["vote", "changes", "Name an owner."]).code(0).notes("Vote: CHANGES");
    assert_eq!(votes(&scenario)["Rob"], "CHANGES");
    scenario
        .discussions(&["vote", "caching"])
        .code(2)
        .notes("the options are: READY, CHANGES, REJECT");
    scenario
        .discussions(&["vote", "perhaps"])
        .code(3)
        .notes("the options are: READY, CHANGES, REJECT");
    scenario
        .discussions(&["vote", "nowhere", "ready"])
        .code(3)
        .notes("nowhere: no such discussion");
    scenario.discussions(&["new", "Other"]).code(0);
    scenario.discussions(&["vote", "reject"]).code(2).notes("which discussion? These are open: ");
    assert_eq!(votes(&scenario)["Rob"], "CHANGES");
}

#[test]
fn ignored_standard_input_causes_a_warning() {
    let scenario = Scenario::with_discussion().file("why.txt", "Because.\n");
    let stderr_of = |args: &[&str]| {
        let why = std::fs::File::open(scenario.path("why.txt")).unwrap();
        let output = scenario.program_under_test().args(args).stdin(why).output().unwrap();
        assert!(output.status.success(), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let warning = "standard input is ignored";
    assert!(stderr_of(&["vote", "caching", "ready"]).contains(warning));
    assert!(stderr_of(&["comment", "caching", "--vote", "ready"]).contains(warning));
    assert!(!scenario.read("discussions/caching.md").contains("Because."));
    assert!(!stderr_of(&["vote", "caching", "ready", "-"]).contains(warning));
    assert!(!stderr_of(&["comment", "caching", "--vote", "ready", "-"]).contains(warning));
    assert_eq!(scenario.read("discussions/caching.md").matches("Because.").count(), 2);
}

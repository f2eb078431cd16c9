//! Phases that run a command: it needs trust, runs without a shell, and its output becomes a comment.

use super::scenario::Scenario;

/// A program that prints its arguments and appends a line to the file `$RAN`.
const PROBE: &str = "#!/bin/sh\necho ran >> \"$RAN\"\nprintf '%s\\n' \"got $# words:\" \"$@\"\necho 'VOTE: READY'\n";

fn template_with_command(run: &str) -> String {
    format!(
        "---\nid: checked\nconsensus: {{method: synthesis, human_required: false}}\nparticipants: {{default: [architect, \
         security]}}\nphases:\n  - id: tests\n    run: {run}\n  - id: talk\n---\n# {{{{ title }}}}\n"
    )
}

fn discussion_with_command(run: &str) -> Scenario {
    let scenario = Scenario::new()
        .program("probe", PROBE)
        .file("discussions.yaml", "")
        .file("templates/checked.md", &template_with_command(run));
    let ran = scenario.path("../ran");
    let scenario = scenario.env("RAN", ran.to_str().unwrap());
    scenario.discussions(&["new", "Ship it?", "-t", "checked"]).code(0);
    scenario
}

fn run_count(scenario: &Scenario) -> usize {
    std::fs::read_to_string(scenario.path("../ran")).unwrap_or_default().lines().count()
}

fn run_discussion(scenario: &Scenario) -> super::scenario::Run {
    scenario.discussions(&["run", "ship-it", "--provider", "mock"])
}

#[test]
fn command_output_is_an_uncounted_comment_without_a_shell() {
    let scenario = discussion_with_command("[probe, 'a b; touch evil', '`touch evil`', '*']");
    run_discussion(&scenario).code(0);
    let text = scenario.read("discussions/ship-it.md");
    let comment = "Name: Discussions\n\nRan `probe 'a b; touch evil' '`touch evil`' '*'`:\n\n```text\ngot 3 words:\na b; touch evil\n`touch evil`\n*\n";
    assert!(text.contains(comment), "{text}");
    assert!(!scenario.path("evil").exists());
    let status = scenario.discussions(&["status", "ship-it", "--json"]).code(0).json();
    assert_eq!(
        status["votes"].as_object().map(|votes| votes.contains_key("Discussions")),
        Some(false)
    );
    assert_eq!(status["cost"]["totalCalls"], 2, "a command is no call");
    run_discussion(&scenario).code(0);
    assert_eq!(run_count(&scenario), 1, "what stands in the file is not run again");
}

#[test]
fn command_needs_trust_again_after_each_change() {
    let scenario = discussion_with_command("[probe, once]").distrusting();
    let refused = run_discussion(&scenario).code(3);
    refused.notes("`checked.tests` is defined by this project (templates/checked.md:1), and you have not trusted it yet");
    scenario.discussions(&["trust"]).code(3).notes("command    probe once");
    assert_eq!(run_count(&scenario), 0);
    for verb in [
        &["status", "ship-it"][..],
        &["show", "ship-it"],
        &["check"],
        &["turn", "ship-it", "--dry-run"],
        &["templates", "list"],
    ] {
        scenario.discussions(verb);
    }
    assert_eq!(run_count(&scenario), 0, "looking runs nothing");
    scenario.discussions(&["trust", "--yes"]).code(0);
    run_discussion(&scenario).code(0);
    assert_eq!(run_count(&scenario), 1);
    scenario.write("templates/checked.md", template_with_command("[probe, twice]").as_bytes());
    scenario.discussions(&["new", "Again?", "-t", "checked"]).code(0);
    let again = scenario.discussions(&["run", "again", "--provider", "mock"]).code(3);
    again.notes("you have not trusted it");
    assert_eq!(run_count(&scenario), 1);
}

#[test]
fn failed_command_is_recorded_and_missing_one_stops_run() {
    let failing = discussion_with_command("[sh, -c, 'echo three failures; exit 2']");
    run_discussion(&failing).code(0);
    let text = failing.read("discussions/ship-it.md");
    assert!(text.contains("and it failed:") && text.contains("three failures"), "{text}");
    let silent = discussion_with_command("{command: [\"true\"], timeout: 5s}");
    run_discussion(&silent).code(0);
    assert!(silent.read("discussions/ship-it.md").contains("Ran `true`; it printed nothing."));
    let missing = discussion_with_command("[no-such-program]");
    run_discussion(&missing)
        .code(3)
        .notes("the command of the phase `tests` cannot be run: `no-such-program` is not on PATH");
    assert!(
        !missing.read("discussions/ship-it.md").contains("Name:"),
        "it is run when it is there"
    );
}

#[test]
fn invalid_command_in_a_template_is_refused() {
    for (run, why) in [
        ("[]", "a command must begin with a program"),
        ("['']", "a command must begin with a program"),
        ("cargo test", "a list of words"),
        ("{command: [probe], shell: true}", "a list of words"),
    ] {
        let scenario = Scenario::new()
            .file("discussions.yaml", "")
            .file("templates/checked.md", &template_with_command(run));
        scenario.discussions(&["new", "Ship it?", "-t", "checked"]).code(3).notes(why);
    }
    let scenario = discussion_with_command("{command: [probe], timeout: 1s}");
    run_discussion(&scenario).code(3).notes("5s to 1h");
    assert_eq!(run_count(&scenario), 0);
}

//! Phases that run a command: with consent, as a word after the other, and recorded as a comment.

use super::scenario::Scenario;

/// Says what it was given, and leaves a mark.
const PROBE: &str = "#!/bin/sh\necho ran >> \"$RAN\"\nprintf '%s\\n' \"got $# words:\" \"$@\"\necho 'VOTE: READY'\n";

fn template(run: &str) -> String {
    format!(
        "---\nid: checked\nconsensus: {{method: synthesis, human_required: false}}\nparticipants: {{default: [architect, \
         security]}}\nphases:\n  - id: tests\n    run: {run}\n  - id: talk\n---\n# {{{{ title }}}}\n"
    )
}

fn scenario(run: &str) -> Scenario {
    let scenario = Scenario::new()
        .program("probe", PROBE)
        .file("discussions.yaml", "")
        .file("templates/checked.md", &template(run));
    let ran = scenario.path("../ran");
    let scenario = scenario.env("RAN", ran.to_str().unwrap());
    scenario.discussions(&["new", "Ship it?", "-t", "checked"]).code(0);
    scenario
}

fn runs(scenario: &Scenario) -> usize {
    std::fs::read_to_string(scenario.path("../ran")).unwrap_or_default().lines().count()
}

fn run(scenario: &Scenario) -> super::scenario::Run {
    scenario.discussions(&["run", "ship-it", "--provider", "mock"])
}

#[test]
fn its_output_becomes_a_comment_that_counts_for_nothing_and_no_shell_sees_its_words() {
    let scenario = scenario("[probe, 'a b; touch evil', '`touch evil`', '*']");
    run(&scenario).code(0);
    let text = scenario.read("discussions/ship-it.md");
    let said = "Name: Discussions\n\nRan `probe 'a b; touch evil' '`touch evil`' '*'`:\n\n```text\ngot 3 words:\na b; touch evil\n`touch evil`\n*\n";
    assert!(text.contains(said), "{text}");
    assert!(!scenario.path("evil").exists());
    let status = scenario.discussions(&["status", "ship-it", "--json"]).code(0).json();
    assert_eq!(
        status["votes"].as_object().map(|votes| votes.contains_key("Discussions")),
        Some(false)
    );
    assert_eq!(status["cost"]["totalCalls"], 2, "a command is no call");
    run(&scenario).code(0);
    assert_eq!(runs(&scenario), 1, "what stands in the file is not run again");
}

#[test]
fn nothing_is_run_before_somebody_agrees_and_again_after_each_change() {
    let scenario = scenario("[probe, once]").distrusting();
    let refused = run(&scenario).code(3);
    refused.notes("`checked.tests` is defined by this project (templates/checked.md:1), and you have not trusted it yet");
    scenario.discussions(&["trust"]).code(3).notes("command    probe once");
    assert_eq!(runs(&scenario), 0);
    for verb in [
        &["status", "ship-it"][..],
        &["show", "ship-it"],
        &["check"],
        &["turn", "ship-it", "--dry-run"],
        &["templates", "list"],
    ] {
        scenario.discussions(verb);
    }
    assert_eq!(runs(&scenario), 0, "looking runs nothing");
    scenario.discussions(&["trust", "--yes"]).code(0);
    run(&scenario).code(0);
    assert_eq!(runs(&scenario), 1);
    scenario.write("templates/checked.md", template("[probe, twice]").as_bytes());
    scenario.discussions(&["new", "Again?", "-t", "checked"]).code(0);
    let again = scenario.discussions(&["run", "again", "--provider", "mock"]).code(3);
    again.notes("you have not trusted it");
    assert_eq!(runs(&scenario), 1);
}

#[test]
fn what_fails_is_recorded_and_what_is_not_there_stops_the_run() {
    let failing = scenario("[sh, -c, 'echo three failures; exit 2']");
    run(&failing).code(0);
    let text = failing.read("discussions/ship-it.md");
    assert!(text.contains("and it failed:") && text.contains("three failures"), "{text}");
    let silent = scenario("{command: [\"true\"], timeout: 5s}");
    run(&silent).code(0);
    assert!(silent.read("discussions/ship-it.md").contains("Ran `true`; it printed nothing."));
    let missing = scenario("[no-such-program]");
    run(&missing)
        .code(3)
        .notes("the command of the phase `tests` cannot be run: `no-such-program` is not on PATH");
    assert!(
        !missing.read("discussions/ship-it.md").contains("Name:"),
        "it is run when it is there"
    );
}

#[test]
fn a_command_that_is_none_is_refused_when_the_template_is_read() {
    for (run, why) in [
        ("[]", "a command must begin with a program"),
        ("['']", "a command must begin with a program"),
        ("cargo test", "a list of words"),
        ("{command: [probe], shell: true}", "a list of words"),
    ] {
        let scenario = Scenario::new()
            .file("discussions.yaml", "")
            .file("templates/checked.md", &template(run));
        scenario.discussions(&["new", "Ship it?", "-t", "checked"]).code(3).notes(why);
    }
    let scenario = scenario("{command: [probe], timeout: 1s}");
    run(&scenario).code(3).notes("5s to 1h");
    assert_eq!(runs(&scenario), 0);
}

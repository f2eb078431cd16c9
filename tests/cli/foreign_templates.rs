//! Templates as other tools write them, and files whose template is not there.

use super::panel::panel;
use super::scenario::Scenario;

#[test]
fn placeholder_of_other_tools_becomes_the_title() {
    let scenario = Scenario::new().file("discussions.yaml", "{}\n").file(
        "templates/t.md",
        "---\nid: t\nphases:\n  - {id: talk, instructions: Talk.}\n---\n# ADR: {title}\n\n## Context\n",
    );
    scenario.discussions(&["new", "My topic", "-t", "t"]).code(0);
    let text = scenario.read("discussions/my-topic.md");
    assert!(text.contains("\n# ADR: My topic\n"), "{text}");
}

#[test]
fn file_with_an_unknown_template_is_never_shown_as_one_of_the_default() {
    let scenario = Scenario::new().file(
        "discussions/x.md",
        "<!-- DISCUSSION\ntemplate: l1\n-->\n\n# X\n\n---\n\nName: Rob\n\nYes.\n",
    );
    let status = scenario.discussions(&["status", "x", "--json"]).with_any_code().json();
    assert_eq!(status["template"], "l1");
    let shown = scenario.discussions(&["status", "x"]).with_any_code().stdout;
    assert!(shown.contains("Phase: template `l1` not found"), "{shown}");
    let list = scenario.discussions(&["list"]).with_any_code().stdout;
    assert!(!list.contains("First reactions"), "{list}");
}

#[test]
fn synthesizer_takes_the_role_that_writes_the_final_text() {
    let scenario = panel().env("ANSWER", "DECISION: ship it");
    let args = ["discuss", "Ship?", "--pattern", "critique", "-p", "architect,security"];
    let args = [&args[..], &["--synthesizer", "pragmatist", "--json"]].concat();
    let result = scenario.discussions(&args).with_any_code().with_warnings().json();
    assert_eq!(result["consensus"]["synthesizer"], "pragmatist", "{result}");
}

#[test]
fn file_outside_of_a_project_is_named_when_it_is_missed() {
    let scenario = Scenario::new()
        .file("templates/l1.md", "---\nphases: []\n---\n")
        .file("participants/dba.yaml", "name: Dora\nalias: dba\npersonality: Careful.\n");
    scenario
        .discussions(&["new", "X", "-t", "l1"])
        .code(3)
        .notes("templates/l1.md is not read without a discussions.yaml: run `discussions init`");
    scenario
        .discussions(&["new", "X", "-p", "dba,architect"])
        .code(3)
        .notes("participants/dba.yaml is not read without a discussions.yaml");
}

#[test]
fn person_takes_part_by_name() {
    let scenario = panel().env("ANSWER", "CONFIDENCE: 0.9\n\nVOTE: READY");
    scenario
        .discussions(&["new", "Ship it?", "-t", "voting", "-p", "architect,Mira"])
        .code(3)
        .notes("for a person who votes and comments: 'Mira=person'");
    scenario.discussions(&["new", "Ship it?", "-t", "voting", "-p", "architect,Mira=person"]);
    scenario
        .discussions(&["run", "ship-it"])
        .with_any_code()
        .notes("discussions vote ship-it READY --as mira");
}

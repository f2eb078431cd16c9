//! A person with a seat is waited for on every machine, whatever is known of them there.

use super::scenario::Scenario;

const HUMAN: &str = "name: Rob\nalias: rob\ntype: human\nrole: Decides\npersonality: Careful.\n";

fn scenario() -> Scenario {
    let scenario =
        Scenario::new().file("discussions.yaml", "").file("participants/rob.yaml", HUMAN);
    let made = [
        "new",
        "Which?",
        "-p",
        "rob,architect",
        "--template",
        "voting",
        "--set",
        "options=red,blue",
    ];
    scenario.discussions(&made).code(0);
    scenario
}

fn waits(scenario: &Scenario) {
    scenario.discussions(&["run", "which", "--provider", "mock"]);
    let file = scenario.read("discussions/which.md");
    assert!(file.contains("Name: AI-Architect") && !file.contains("Name: Rob"), "{file}");
    scenario.discussions(&["status", "which"]).code(0).notes("--as rob");
}

#[test]
fn where_nobody_knows_them() {
    let scenario = scenario();
    assert!(scenario.read("discussions/which.md").contains("\npeople: [rob]\nnames: {rob: Rob}\n"));
    std::fs::remove_file(scenario.path("participants/rob.yaml")).unwrap();
    scenario.discussions(&["check", "--strict"]).code(0);
    waits(&scenario);
    scenario.discussions(&["comment", "which", "VOTE: red", "--as", "Rob"]).code(0);
}

#[test]
fn where_a_model_has_their_alias() {
    let scenario = scenario();
    scenario.write("participants/rob.yaml", HUMAN.replace("human", "voting").as_bytes());
    waits(&scenario);
}

#[test]
fn an_agents_seat_and_a_persons_are_keys_that_are_known() {
    let scenario = scenario();
    let file = scenario.read("discussions/which.md").replace("people: [rob]", "agents: [rob]");
    scenario.write("discussions/which.md", file.as_bytes());
    scenario.discussions(&["check"]).code(0).stdout_lacks("head-unknown-key");
}

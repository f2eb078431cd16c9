//! People as participants: a run waits for them on every machine, even without their persona file.

use super::scenario::Scenario;
use super::template::Template;

const HUMAN: &str = "name: Rob\nalias: rob\ntype: human\nrole: Decides\npersonality: Careful.\n";

fn ballot_with_rob() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
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
    });
    TEMPLATE.copy()
}

fn assert_waits_for_rob(scenario: &Scenario) {
    scenario.discussions(&["run", "which", "--provider", "mock"]);
    let file = scenario.read("discussions/which.md");
    assert!(file.contains("Name: AI-Architect") && !file.contains("Name: Rob"), "{file}");
    scenario.discussions(&["status", "which"]).code(0).notes("--as rob");
}

#[test]
fn person_without_a_persona_file_is_awaited() {
    let scenario = ballot_with_rob();
    assert!(scenario.read("discussions/which.md").contains("\npeople: [rob]\nnames: {rob: Rob}\n"));
    std::fs::remove_file(scenario.path("participants/rob.yaml")).unwrap();
    scenario.discussions(&["check", "--strict"]).code(0);
    assert_waits_for_rob(&scenario);
    scenario.discussions(&["comment", "which", "VOTE: red", "--as", "Rob"]).code(0);
}

#[test]
fn person_is_awaited_even_if_a_model_has_the_alias() {
    let scenario = ballot_with_rob();
    scenario.write("participants/rob.yaml", HUMAN.replace("human", "voting").as_bytes());
    assert_waits_for_rob(&scenario);
}

#[test]
fn head_keys_people_and_agents_are_known() {
    let scenario = ballot_with_rob();
    let file = scenario.read("discussions/which.md").replace("people: [rob]", "agents: [rob]");
    scenario.write("discussions/which.md", file.as_bytes());
    scenario.discussions(&["check"]).code(0).stdout_lacks("head-unknown-key");
}

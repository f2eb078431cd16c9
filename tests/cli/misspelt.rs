//! Names similar to a participant's name: a vote counts only if the name is known to belong to a person.

use super::scenario::Scenario;

const FILE: &str = "discussions/caching.md";

/// Appends a handwritten vote under this name.
fn vote_by_hand(scenario: &Scenario, name: &str) {
    let text = scenario.read(FILE);
    scenario.write(FILE, format!("{text}\nName: {name}\n\nVOTE: READY\n\n---\n").as_bytes());
}

fn votes(scenario: &Scenario) -> serde_json::Value {
    scenario.discussions(&["status", "caching", "--json"]).code(0).json()["votes"].clone()
}

#[test]
fn misspelt_persona_does_not_vote_as_a_person() {
    for name in ["AI-Architekt", "ai-nobody", "Securty", "Architecta"] {
        let scenario = Scenario::with_discussion();
        vote_by_hand(&scenario, name);
        scenario.discussions(&["check", "caching"]).code(0).says("[name-lookalike]");
        scenario
            .discussions(&["check", "caching", "--strict"])
            .code(1)
            .says(&format!("people: {{{name}: [ADDRESS]}}"));
        assert_eq!(votes(&scenario), serde_json::json!({}), "{name}");
    }
}

#[test]
fn vote_under_a_misspelt_persona_suggests_the_persona() {
    let scenario = Scenario::with_discussion();
    let run = scenario.discussions(&["vote", "caching", "ready", "--as", "AI-Architekt"]).code(0);
    run.notes("did you mean `AI-Architect`?").notes("people: {AI-Architekt: [ADDRESS]}");
    assert_eq!(votes(&scenario), serde_json::json!({}));
}

#[test]
fn name_known_to_configuration_or_git_counts() {
    let is_counted = |scenario: &Scenario, name: &str| {
        vote_by_hand(scenario, name);
        scenario.discussions(&["check", "caching"]).code(0).stdout_lacks("[name-lookalike]");
        assert_eq!(votes(scenario)[name], "READY", "{name}");
    };
    for config in ["people: {Securiti: [s@example.org]}\n", "author: Securiti\n"] {
        let scenario = Scenario::with_discussion();
        scenario.write("discussions.yaml", config.as_bytes());
        is_counted(&scenario, "Securiti");
    }
    // The author of a commit, without an entry in `people`.
    let scenario = Scenario::with_discussion();
    scenario.init_git().git(&["add", "-A"]);
    scenario.git(&["commit", "-qm", "Begin", "--author", "AI-Novak <n@example.org>"]);
    is_counted(&scenario, "AI-Novak");
    // The name of the git user counts as known.
    scenario.git(&["config", "user.name", "Pragmatisto"]);
    is_counted(&scenario, "Pragmatisto");
}

//! Votes outside of the ballot phase: which are refused, and how results show the options.

use super::panel::panel;
use super::scenario::Scenario;

/// A ballot on two databases with one vote; a person has advanced to the next phase.
fn ballot_left_after_one_vote() -> Scenario {
    let scenario = Scenario::new();
    let new = ["new", "Caching", "--template", "voting", "--set", "options=Redis,Postgres"];
    scenario.discussions(&new).code(0);
    scenario.discussions(&["vote", "caching", "redis"]).code(0);
    scenario.discussions(&["advance", "caching"]).code(0).says("Result explained");
    scenario
}

#[test]
fn result_keeps_the_options_of_the_ballot() {
    let scenario = ballot_left_after_one_vote();
    let status = scenario.discussions(&["status", "caching"]).code(0);
    status.says("Votes: Redis: 1, Postgres: 0\n").stdout_lacks("READY");
    let status = scenario.discussions(&["status", "caching", "--json"]).code(0).json();
    assert_eq!(status["tally"], serde_json::json!({"Redis": 1, "Postgres": 0}));
    scenario.discussions(&["result", "caching"]).code(0).says("Redis").stdout_lacks("READY");
}

#[test]
fn vote_after_the_ballot_phase_is_refused() {
    let scenario = ballot_left_after_one_vote();
    let before = scenario.read("discussions/caching.md");
    for vote in ["READY", "postgres"] {
        scenario.discussions(&["vote", "caching", vote]).code(3).notes(
            "no vote counts in the phase `Result explained`; the ballot is in the phase `Ballot`",
        );
    }
    assert_eq!(scenario.read("discussions/caching.md"), before);
    scenario.discussions(&["advance", "caching", "--to", "ballot"]).code(0);
    scenario.discussions(&["vote", "caching", "postgres"]).code(0);
}

#[test]
fn vote_before_the_ballot_phase_is_refused() {
    let template = "---\nid: choice\ntitle: Choice\nsummary: talk, then choose\n\
        phases:\n  - {id: talk, title: Talk}\n  - {id: choose, title: Choose, voting_mode: true, options: [A, B]}\n\
        ---\n# {{ title }}\n\n---\n";
    let scenario = Scenario::new().file("templates/choice.md", template);
    scenario.discussions(&["init"]).code(0);
    scenario.discussions(&["new", "Caching", "--template", "choice"]).code(0);
    for vote in ["READY", "A"] {
        let refused = scenario.discussions(&["vote", "caching", vote]).code(3);
        refused.notes("the ballot is in the phase `Choose`");
    }
    scenario.discussions(&["vote", "caching"]).code(2).notes("the options are: A, B");
    scenario.discussions(&["advance", "caching"]).code(0);
    scenario.discussions(&["vote", "caching", "a"]).code(0);
}

#[test]
fn decision_without_consensus_is_a_proposal() {
    let scenario = panel().env("ANSWER", "DECISION: ship it\n\nVOTE: CHANGES");
    scenario.discussions(&["new", "Ship it?"]).code(0);
    scenario.discussions(&["run", "ship"]).with_warnings().code(1).says("\nText so far\n");
    let result = scenario.discussions(&["result", "ship"]).code(0);
    let result = result.says("Open. The votes reach no consensus.\n");
    result.says("- D1: ship it (").says("): proposed\n").stdout_lacks("Decision: ");
}

//! A question to one participant beside the phases: `turn NAME @alias --ask TEXT`

use serde_json::Value;

use super::panel::{calls, panel};
use super::scenario::Scenario;

/// An answer that holds all that any phase asks for.
const READY: &str =
    "RATING: 4\n\nRISK: low\n\nDECISION: ship it\n\nSOLUTION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: ";

fn decided(pattern: &str) -> Scenario {
    let vote = if pattern == "dialogue" { "YES" } else { "READY" };
    let scenario = panel().env("ANSWER", &format!("{READY}{vote}"));
    scenario.discussions(&["discuss", "Ship it?", "--pattern", pattern]).code(0);
    scenario
}

/// All that a discussion came to, without what grows with every call.
fn told(scenario: &Scenario) -> Vec<Value> {
    let mut status = scenario.discussions(&["status", "ship-it", "--json"]).json();
    let votes = ["status", "votes", "tally", "consensus", "outcome", "phase"];
    let mut told: Vec<Value> = votes.iter().map(|key| status[*key].take()).collect();
    let mut result = scenario.discussions(&["result", "ship-it", "--json"]).json();
    let keys = ["success", "synthesis", "outcome", "consensus", "votingResults", "stoppingReason"];
    told.extend(keys.iter().map(|key| result[*key].take()));
    told.push(scenario.discussions(&["decisions", "--json"]).json()[0]["decision"].take());
    told
}

#[test]
fn the_answer_to_a_question_changes_no_outcome_in_any_pattern() {
    for pattern in ["voting", "synthesis", "debate", "round-robin", "critique", "dialogue"] {
        let scenario = decided(pattern);
        let before = told(&scenario);
        let scenario = scenario
            .env("ANSWER", "Locks are fine.\n\nDECISION: wait\n\nSOLUTION: wait\n\nVOTE: REJECT");
        // Everybody, too: a question to all is no round.
        for who in ["@architect", "@all"] {
            scenario.discussions(&["turn", "ship-it", who, "--ask", "What about locks?"]).code(0);
            assert_eq!(told(&scenario), before, "{pattern} {who}");
        }
        scenario.discussions(&["turn", "ship-it", "--ask", "And keys?"]).code(0);
        assert_eq!(told(&scenario), before, "{pattern}");
    }
}

#[test]
fn a_question_in_the_middle_of_a_phase_is_no_round_of_it() {
    let scenario = panel().env("ANSWER", &format!("{READY}READY"));
    let new = ["new", "Ship it?", "-t", "round-robin", "-p", "architect,security"];
    scenario.discussions(&new).code(0);
    scenario.discussions(&["turn", "ship-it", "@all", "--ask", "Any experience?"]).code(0);
    let asked = calls(&scenario).len();
    scenario.discussions(&["run", "ship-it"]).code(0);
    // Two rounds of two, and the text.
    assert_eq!(calls(&scenario).len(), asked + 5, "{:?}", calls(&scenario));
}

#[test]
fn after_the_end_a_turn_without_names_calls_nobody_and_says_whom_to_name() {
    for pattern in ["voting", "synthesis", "debate"] {
        let scenario = decided(pattern);
        let (before, asked) = (scenario.read("discussions/ship-it.md"), calls(&scenario).len());
        let turn = scenario.discussions(&["turn", "ship-it"]).code(4);
        turn.notes("the discussion is over, so no participant was asked; you can ask @architect")
            .notes("discussions turn ship-it @alias --ask TEXT");
        assert_eq!(calls(&scenario).len(), asked, "{pattern}");
        assert_eq!(scenario.read("discussions/ship-it.md"), before);
        let plan = scenario.discussions(&["turn", "ship-it", "--dry-run", "--json"]).json();
        assert_eq!(plan["asks"].as_array().unwrap().len(), 0);
    }
}

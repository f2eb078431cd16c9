//! `turn NAME @alias --ask TEXT`: a question to one participant that does not affect the phases.

use serde_json::Value;

use super::panel::{calls, panel};
use super::scenario::Scenario;

/// An answer with every marker that a phase may require.
const READY: &str =
    "RATING: 4\n\nRISK: low\n\nDECISION: ship it\n\nSOLUTION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: ";

fn decided_discussion(pattern: &str) -> Scenario {
    let vote = if pattern == "dialogue" { "YES" } else { "READY" };
    let scenario = panel().env("ANSWER", &format!("{READY}{vote}"));
    scenario.discussions(&["discuss", "Ship it?", "--pattern", pattern]).code(0);
    scenario
}

/// Returns all results of a discussion, without the values that grow with every call.
fn results_without_call_counts(scenario: &Scenario) -> Vec<Value> {
    let mut status = scenario.discussions(&["status", "ship-it", "--json"]).json();
    let votes = ["status", "votes", "tally", "consensus", "outcome", "phase"];
    let mut results: Vec<Value> = votes.iter().map(|key| status[*key].take()).collect();
    let mut result = scenario.discussions(&["result", "ship-it", "--json"]).json();
    let keys = ["success", "synthesis", "outcome", "consensus", "votingResults", "stoppingReason"];
    results.extend(keys.iter().map(|key| result[*key].take()));
    let mut decisions = scenario.discussions(&["decisions", "--json"]).json();
    results.push(decisions[0]["decision"].take());
    // What a later comment proposes is listed, and stays a proposal.
    for outcome in &mut results {
        if let Some(items) = outcome.get_mut("decisions").and_then(Value::as_array_mut) {
            items.retain(|item| item["state"] != "proposed");
        }
    }
    results
}

#[test]
fn question_within_a_phase_is_not_counted_as_a_round() {
    let scenario = panel().env("ANSWER", &format!("{READY}READY"));
    let new = ["new", "Ship it?", "-t", "round-robin", "-p", "architect,security"];
    scenario.discussions(&new).code(0);
    scenario.discussions(&["turn", "ship-it", "@all", "--ask", "Any experience?"]).code(0);
    let calls_before = calls(&scenario).len();
    scenario.discussions(&["run", "ship-it"]).code(0);
    // Two rounds with two calls each, one call for the text and one for its review.
    assert_eq!(calls(&scenario).len(), calls_before + 6, "{:?}", calls(&scenario));
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn answer_to_ask_changes_no_outcome_in_any_pattern() {
        for pattern in ["voting", "synthesis", "debate", "round-robin", "critique", "dialogue"] {
            let scenario = decided_discussion(pattern);
            let before = results_without_call_counts(&scenario);
            let scenario = scenario.env(
                "ANSWER",
                "Locks are fine.\n\nDECISION: wait\n\nSOLUTION: wait\n\nVOTE: REJECT",
            );
            // A question to all participants does not count as a round either.
            for who in ["@architect", "@all"] {
                scenario
                    .discussions(&["turn", "ship-it", who, "--ask", "What about locks?"])
                    .code(0);
                assert_eq!(results_without_call_counts(&scenario), before, "{pattern} {who}");
            }
            scenario.discussions(&["turn", "ship-it", "--ask", "And keys?"]).code(0);
            assert_eq!(results_without_call_counts(&scenario), before, "{pattern}");
        }
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn turn_after_the_end_without_alias_makes_no_call() {
        for pattern in ["voting", "synthesis", "debate"] {
            let scenario = decided_discussion(pattern);
            let (before, asked) = (scenario.read("discussions/ship-it.md"), calls(&scenario).len());
            let turn = scenario.discussions(&["turn", "ship-it"]).code(4);
            turn.notes(
                "the discussion is over, so no participant was asked; you can ask @architect",
            )
            .notes("discussions turn ship-it @architect --ask \"TEXT\"");
            assert_eq!(calls(&scenario).len(), asked, "{pattern}");
            assert_eq!(scenario.read("discussions/ship-it.md"), before);
            let plan = scenario.discussions(&["turn", "ship-it", "--dry-run", "--json"]).json();
            assert_eq!(plan["asks"].as_array().unwrap().len(), 0);
        }
    }
}

//! `result --json` of discussions that are unfinished, blocked, or whose calls failed: the same words as `discuss --json`.

use super::panel::panel;

/// The persona of a person who votes.
const MIRA: &str = "name: Mira\nalias: mira\ntype: human\n";

#[test]
fn unfinished_discussion_says_the_same_in_discuss_and_in_result() {
    let scenario = panel()
        .file("discussions.yaml", "providers: {default: panel}\n")
        .env("ANSWER", "DECISION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: READY");
    let args =
        ["discuss", "Ship it?", "--pattern", "feature", "-p", "architect,security", "--json"];
    let asked = scenario.discussions(&args).with_any_code().with_warnings().json();
    let told = scenario.discussions(&["result", "ship-it", "--json"]).with_any_code().json();
    assert_eq!(asked["stoppingReason"], "person_votes", "{asked}");
    for key in ["stoppingReason", "waitingFor", "success", "error"] {
        assert_eq!(told[key], asked[key], "{key}");
    }
}

#[test]
fn reject_reads_as_blocked_with_the_voters() {
    let scenario = panel().env("ANSWER", "DECISION: ship it\n\nVOTE: REJECT");
    let args =
        ["discuss", "Ship it?", "--pattern", "feature", "-p", "architect,security", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    let message = result["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("blocked by AI-"), "{message}");
    let blockers = result["consensus"]["blockedBy"].as_array().unwrap();
    assert_eq!(message.split(", ").count(), blockers.len());
    assert_eq!(blockers.len(), 2);
}

#[test]
fn prose_in_a_check_is_unreadable_and_each_check_is_kept() {
    let scenario = panel().env("ANSWER", "We have reached consensus. The solution is to use it.");
    let args = ["discuss", "Queue?", "--pattern", "dialogue", "-r", "2", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    let ballot = &result["votingResults"]["ballots"][0];
    assert_eq!(ballot["unreadable"], true);
    let reason = ballot["reason"].as_str().unwrap();
    assert!(reason.starts_with("no readable vote in the answer: "), "{reason}");
    let history = result["consensusHistory"].as_array().unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!(history[1]["votes"].as_object().unwrap().len(), 2);
    assert_eq!(history[1]["unreadable"].as_array().unwrap().len(), 2);
}

#[test]
fn round_in_which_all_calls_failed_has_their_duration() {
    let scenario = panel().env("ANSWER", "fail");
    let args = ["discuss", "Why?", "-p", "architect,security", "-r", "1", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(4).json();
    let round = &result["rounds"][0];
    let responses = round["responses"].as_array().unwrap();
    let slowest = responses.iter().map(|response| response["durationMs"].as_u64().unwrap()).max();
    assert_eq!(round["durationMs"].as_u64(), slowest, "{result}");
    assert_eq!(result["totalDurationMs"].as_u64(), slowest);
    assert_ne!(slowest, Some(0));
}

#[test]
fn next_step_of_a_ballot_that_waits_for_a_person_is_a_vote() {
    let scenario = panel()
        .file("participants/mira.yaml", MIRA)
        .env("ANSWER", "CONFIDENCE: 0.9\n\nVOTE: READY");
    scenario.discussions(&["new", "Ship it?", "-t", "voting", "-p", "architect,mira"]);
    scenario.discussions(&["run", "ship-it"]).with_any_code().notes(
        "next: discussions vote ship-it READY --as mira    (mira to vote: this or another option)",
    );
    let run =
        scenario.discussions(&["vote", "ship-it", "CHANGES", "--as", "Mira", "First the tests."]);
    run.says("Consensus reached: CHANGES by Mira");
}

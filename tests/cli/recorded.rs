//! Outcomes: of a ballot, of an accepted text, of a text without a vote, and at a limit.

use serde_json::{Value, json};

use super::panel::panel;
use super::scenario::Scenario;

fn list_entry(scenario: &Scenario) -> Value {
    scenario.discussions(&["list", "--json"]).code(0).json()[0].take()
}

fn decision_entry(scenario: &Scenario) -> Value {
    scenario.discussions(&["decisions", "--json"]).code(0).json()[0].take()
}

fn status_json(scenario: &Scenario, name: &str) -> Value {
    scenario.discussions(&["status", name, "--json"]).code(0).json()
}

#[test]
fn ballot_outcome_is_its_winner_with_a_reason() {
    let scenario = panel()
        .env("ANSWER", "Work must survive a crash.\n\nCONFIDENCE: 0.9\n\nVOTE: queue")
        .env("ANSWER_synthesis", "DECISION: go on as outlined\n\nA queue keeps the work.");
    let args = ["discuss", "Queue or cron?", "--pattern", "voting", "--options", "queue,cron"];
    let args = [&args[..], &["--json"]].concat();
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(result["outcome"]["decision"], "queue", "{result:#}");
    assert_eq!(result["outcome"]["reason"], "go on as outlined", "{result:#}");
    assert_eq!(list_entry(&scenario)["decision"], "queue");
    assert_eq!(decision_entry(&scenario)["decision"], "queue");
    let status = status_json(&scenario, "queue-or-cron");
    assert_eq!(status["outcome"]["decision"], "queue", "{status:#}");
    scenario
        .discussions(&["export", "queue-or-cron", "--adr"])
        .code(0)
        .says("\nChosen option: \"queue\" (decided by vote).\n")
        .says("\nReason: go on as outlined\n");
    scenario.discussions(&["result", "queue-or-cron"]).code(0).says("\nDecision: queue\n");
}

#[test]
fn outcome_of_an_accepted_text_is_its_first_sentence() {
    let answer =
        "CONFIDENCE: 0.9\n\nSOLUTION: Fail after two seconds. Then retry once.\n\nVOTE: YES";
    let scenario = panel().env("ANSWER_check", answer);
    let args = ["discuss", "What if it is slow?", "--pattern", "dialogue", "--json"];
    let result = scenario.discussions(&args).code(0).json();
    let first = "Fail after two seconds.";
    assert_eq!(result["outcome"]["decision"], first, "{result:#}");
    assert_eq!(list_entry(&scenario)["decision"], first);
    assert_eq!(decision_entry(&scenario)["decision"], first);
    assert_eq!(status_json(&scenario, "what-if-it-is-slow")["outcome"]["decision"], first);
}

#[test]
fn adr_has_no_placeholders_and_separates_people_from_models() {
    let scenario = panel().env("ANSWER", "CONCERN: Nobody owns the limit\n\nVOTE: READY");
    scenario.discussions(&["new", "Login", "-t", "feature"]).code(0);
    scenario.discussions(&["advance", "login", "--to", "consensus_vote"]).code(0);
    scenario.discussions(&["run", "login"]).code(0);
    scenario.discussions(&["comment", "login", "--as", "Rob", "DECISION: build it"]).code(0);
    scenario.discussions(&["close", "login"]).code(0);
    let adr = scenario.discussions(&["export", "login", "--adr"]).code(0);
    let adr = adr.notes("left out some lines of the context with template placeholders");
    assert!(!adr.stdout.contains("Not stated yet"), "{}", adr.stdout);
    assert!(!adr.stdout.contains("(line ") && !adr.stdout.contains(", line "), "{}", adr.stdout);
    assert!(!adr.stdout.contains("Considered Options"), "{}", adr.stdout);
    assert!(!adr.stdout.contains("### Acceptance"), "{}", adr.stdout);
    adr.says("decision-makers: [\"Rob\"]\nconsulted: [\"AI-Architect\", \"AI-Security\", \"AI-Pragmatist\"]\n")
        .says("\nChosen option: \"build it\" (decided by Rob).\n")
        .says("\n### Consequences\n\n* Bad, because nobody owns the limit\n\n")
        .says("\n## Context and Problem Statement\n\nNo context was given.\n");
}

#[test]
fn adr_lists_options_only_if_the_context_has_them() {
    let scenario = panel().env("ANSWER", "DECISION: a table");
    let context = ["--context", "## Options\n\n- a table\n- Redis"];
    scenario.discussions(&[&["discuss", "Sessions?"], &context[..]].concat()).code(0);
    let adr = scenario.discussions(&["export", "sessions", "--adr"]).code(0);
    assert!(!adr.stderr().contains("left out"), "{}", adr.stderr());
    adr.says("\n## Considered Options\n\n* a table\n* Redis\n");
}

#[test]
fn comment_by_the_program_is_not_in_another_name() {
    let scenario = Scenario::with_discussion();
    scenario.init_git().git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
    let file = "discussions/caching.md";
    for (name, is_told) in [("Discussions", false), ("Lea", true)] {
        let text = scenario.read(file) + &format!("\n---\n\nName: {name}\n\nA verdict.\n\n---\n");
        scenario.write(file, text.as_bytes());
        scenario.git(&["commit", "-qam", "Report"]);
        let check = scenario.discussions(&["check", "--git"]).code(0);
        assert_eq!(check.stdout.contains("[author-differs]"), is_told, "{}", check.stdout);
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn limit_has_the_same_code_after_earlier_failures() {
        let panel_without =
            |who: &str| panel().env("ANSWER", "Fine.").env(&format!("ANSWER_{who}"), "fail");
        for (who, most) in [("architect", "1"), ("security", "2")] {
            let scenario = panel_without(who);
            let new = ["new", "Mc", "-t", "round-robin", "-p", "architect,security"];
            scenario.discussions(&new).code(0);
            let run = scenario
                .discussions(&["run", "mc", "--max-calls", most, "--json"])
                .with_warnings()
                .code(1)
                .json();
            assert_eq!(run["stopped"], "max_calls", "{who}: {run:#}");
            assert_eq!(run["error"]["code"], "DISCUSSION_COST_BUDGET_EXCEEDED", "{who}");
            let args =
                ["discuss", "Other?", "--pattern", "round-robin", "-p", "architect,security"];
            let args = [&args[..], &["--max-calls", most, "--json"]].concat();
            let result = scenario.discussions(&args).with_warnings().code(1).json();
            assert_eq!(result["stoppingReason"], "max_calls", "{who}: {result:#}");
            assert_eq!(result["error"]["code"], "DISCUSSION_COST_BUDGET_EXCEEDED", "{who}");
            assert_eq!(run["error"]["retryable"], result["error"]["retryable"], "{who}");
        }
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn text_accepted_by_a_ballot_is_consensus() {
        let scenario = panel().env("ANSWER", "DECISION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: READY");
        let args = ["discuss", "Ship it?", "--consensus", "majority", "--json"];
        let result = scenario.discussions(&args).code(0).json();
        assert_eq!(result["stoppingReason"], "consensus_reached");
        assert_eq!(list_entry(&scenario)["status"], "CONSENSUS");
        scenario.discussions(&["export", "ship-it", "--adr"]).says("---\nstatus: accepted\n");
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn text_without_a_vote_is_answered_but_no_consensus() {
        let vote = "DECISION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: ";
        for pattern in ["synthesis", "round-robin", "debate", "critique"] {
            let scenario = panel()
                .env("ANSWER", &format!("{vote}READY"))
                .env("ANSWER_architect", &format!("{vote}REJECT"));
            let args = ["discuss", "Ship it?", "--pattern", pattern, "--json"];
            let result = scenario.discussions(&args).code(0).json();
            assert_eq!(result["consensus"]["reached"], true, "as programs know it");
            assert_eq!(result["consensus"]["agreementScore"], Value::Null, "{pattern}");
            assert_eq!(result["stoppingReason"], "completed", "{pattern}");
            let status = status_json(&scenario, "ship-it");
            assert_eq!(status["status"], "ANSWERED", "{pattern}");
            assert_eq!(status["votes"], json!({}), "nobody asked for a vote: {pattern}");
            assert!(status["tally"].as_object().unwrap().values().all(|count| *count == 0));
            assert_eq!(list_entry(&scenario)["status"], "ANSWERED", "{pattern}");
            let one = decision_entry(&scenario);
            assert_eq!(
                (&one["status"], &one["votes"]),
                (&json!("ANSWERED"), &json!({})),
                "{pattern}"
            );
            scenario.discussions(&["decisions"]).code(0).says("answered, not voted on; ship-it");
            let listed = scenario.discussions(&["list", "--status", "answered", "--json"]).json();
            assert_eq!(listed.as_array().unwrap().len(), 1, "{pattern}");
            let listed = scenario.discussions(&["list", "--status", "consensus", "--json"]).json();
            assert_eq!(listed.as_array().unwrap().len(), 0, "{pattern}");
            scenario.discussions(&["export", "ship-it", "--adr"]).says("---\nstatus: proposed\n");
            scenario.discussions(&["run", "ship-it"]).code(0).says("Status: ANSWERED");
        }
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn waiting_for_a_person_is_no_failure() {
        let scenario = panel().env("ANSWER", "Fine.\n\nVOTE: READY").file(
            "discussions.yaml",
            "providers: {default: panel}\nconsensus: {human_required: true}\n",
        );
        let args = ["discuss", "Ship it?", "--pattern", "feature", "--json"];
        let result = scenario.discussions(&args).code(0).json();
        assert_eq!(result["error"], Value::Null, "{result:#}");
        assert_eq!(result["success"], false, "it has not ended");
        assert_eq!(result["stoppingReason"], "person_votes");
        assert_eq!(result["waitingFor"], json!(["human"]));
        let run = scenario.discussions(&["run", "ship-it", "--json"]).code(0).json();
        assert_eq!(run["stopped"], "person_votes");
        let args = ["discuss", "Ship it now?", "--pattern", "feature"];
        scenario.discussions(&args).code(0).says("Waiting for a person\n");
    }
}

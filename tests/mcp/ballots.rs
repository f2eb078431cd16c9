//! Ballots of agents: options keep their words, and nobody pays for the same ballot again without a reason.

use serde_json::{Value, json};

use super::client::{Agent, text};
use crate::cli::Scenario;

#[tokio::test]
async fn option_of_a_list_stays_whole_in_head_ballot_and_prompt() {
    for options in
        [["yes, with a flag", "no"], [".justfile", "justfile"], ["1.", "1)"], ["a [x]", "_b_"]]
    {
        let scenario = Scenario::new();
        let agent = Agent::of(&scenario, &[]).await;
        let asked = json!({"topic": "Which?", "pattern": "voting", "options": options,
            "participants": ["me", "security", "architect"], "provider": "mock"});
        let told = agent.call_json("discuss", asked).await;
        assert_eq!(told["options"], json!(options), "{told:#}");
        let prompt = told["prompt"].as_str().unwrap();
        for option in options {
            assert!(prompt.contains(&format!("VOTE: {option}\n")), "{option}: {prompt}");
        }
        let head = scenario.read("discussions/which.md");
        let (head, _) = head.split_once("-->").unwrap();
        let said = json!({"discussion": "which", "text": "Because.", "vote": options[0]});
        assert_eq!(agent.call_json("say", said).await["state"], "recorded", "{head}");
        let go_on = json!({"discussion": "which", "provider": "mock"});
        let told = agent.call_json("continue", go_on).await;
        let tally = told["tally"].as_array().unwrap();
        let counted: Vec<&str> = tally.iter().map(|it| it["option"].as_str().unwrap()).collect();
        assert_eq!(counted, options, "{told:#}");
        assert_eq!(tally[0]["votes"], 3, "the mock votes for the first: {told:#}");
    }
}

#[tokio::test]
async fn vote_on_a_question_asks_for_its_options() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Which?", "pattern": "voting", "provider": "mock"});
    let refused = agent.call("discuss", asked).await;
    assert_eq!(refused.is_error, Some(true));
    assert!(text(&refused).contains("give `options`"), "{}", text(&refused));
    assert_eq!(agent.call_json("list", json!({})).await["total"], 0, "nothing is left behind");
}

#[tokio::test]
async fn ballot_without_a_vote_is_paid_again_only_after_a_change() {
    let scenario = Scenario::new()
        .file("discussions.yaml", "author: Rob\nproviders: {default: dull}\n")
        .file("providers.yaml", "providers: [{name: dull, script: dull.yaml}]\n")
        .file("dull.yaml", "answers:\n  - {text: \"It depends.\"}\n");
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Which?", "pattern": "voting", "options": ["Redis", "NATS"],
        "participants": ["security", "architect"]});
    let told = agent.call_json("discuss", asked).await;
    assert_eq!(told["state"], "open", "{told:#}");
    let next = told["next"].to_string();
    assert!(next.contains("no vote counted") && next.contains("`say` what changed"), "{told:#}");
    let go_on = || agent.call_json("continue", json!({"discussion": "which"}));
    let again = go_on().await;
    assert_eq!((&again["calls"], &again["state"]), (&told["calls"], &json!("open")), "{again:#}");
    agent.call_json("say", json!({"discussion": "which", "text": "NATS is gone."})).await;
    let more = go_on().await;
    assert!(more["calls"].as_u64() > told["calls"].as_u64(), "{more:#}");
}

#[tokio::test]
async fn next_step_names_who_is_asked_and_is_empty_at_the_end() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Which?", "pattern": "round-robin", "participants": ["me", "security"],
        "rounds": 1, "provider": "mock"});
    let told = agent.call_json("discuss", asked).await;
    assert_eq!(told["state"], "your_turn", "{told:#}");
    let said = agent.call_json("say", json!({"discussion": "which", "text": "Redis."})).await;
    assert_eq!(said["next"][0], "`continue` asks security (1 call)", "{said:#}");
    let go_on = || agent.call_json("continue", json!({"discussion": "which", "provider": "mock"}));
    let mut told = go_on().await;
    while told["state"] == "your_turn" {
        agent.call_json("say", json!({"discussion": "which", "text": "Still Redis."})).await;
        told = go_on().await;
    }
    assert_eq!(told["state"], "done", "{told:#}");
    let is_loop = |told: &Value| told["next"].to_string().contains("`continue`");
    assert!(!is_loop(&told), "{told:#}");
    let said = agent.call_json("say", json!({"discussion": "which", "text": "Thanks."})).await;
    assert!(!is_loop(&said), "{said:#}");
}

//! No tool result, error or notification shows an agent a key.

use serde_json::json;

use super::client::{Agent, text};
use crate::http::planted_keys::{nowhere, scenario};

#[tokio::test]
async fn no_key_that_a_service_and_a_program_repeat_reaches_an_agent() {
    assert!(call_with(&["near-openai", "talks"]).await > 2);
}

mod slow {
    use super::*;

    #[tokio::test]
    #[ignore = "slow: calls many services"]
    async fn no_planted_key_reaches_an_agent() {
        let near = ["near-openai", "near-anthropic", "near-google"];
        let far = ["far-openai", "far-google", "talks"];
        assert!(call_with(&[near, far].concat()).await > 10);
    }
}

/// Calls the tools with each of these providers; returns the number of requests to services.
async fn call_with(providers: &[&str]) -> usize {
    let (scenario, fake) = tokio::task::spawn_blocking(scenario).await.unwrap();
    let agent = Agent::of(&scenario, &[]).await;
    let mut said = String::new();
    for provider in providers {
        for (tool, arguments) in [
            ("discuss", json!({"topic": "Which?", "pattern": "voting", "provider": provider})),
            ("continue", json!({"discussion": "caching", "provider": provider})),
            ("review", json!({"file": "plan.md", "provider": provider})),
            ("show", json!({"discussion": "caching"})),
        ] {
            let result = agent.call(tool, arguments).await;
            said.push_str(&text(&result));
            said.push_str(&serde_json::to_string(&result).unwrap());
        }
    }
    said.push_str(&agent.told.lock().unwrap().join("\n"));
    agent.leave().await;
    nowhere(&scenario, &said);
    fake.requests().len()
}

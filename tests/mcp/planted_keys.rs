//! No tool result, error or notification shows an agent a key.

use serde_json::json;

use super::client::{Agent, text};
use crate::http::planted_keys::{nowhere, scenario};

#[tokio::test]
async fn no_planted_key_reaches_an_agent() {
    let (scenario, fake) = tokio::task::spawn_blocking(scenario).await.unwrap();
    let agent = Agent::of(&scenario, &[]).await;
    let mut said = String::new();
    for provider in
        ["near-openai", "near-anthropic", "near-google", "far-openai", "far-google", "talks"]
    {
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
    assert!(fake.requests().len() > 10, "{}: {said}", fake.requests().len());
    nowhere(&scenario, &said);
}

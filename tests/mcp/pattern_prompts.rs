//! The prompts of the patterns: each names a tool that can do it, and what that tool needs.

use rmcp::model::GetPromptRequestParams;
use serde_json::{Value, json};

use super::client::Agent;
use crate::cli::Scenario;

async fn prompt(agent: &Agent, name: &str, arguments: Value) -> String {
    let Value::Object(arguments) = arguments else { unreachable!() };
    let request = GetPromptRequestParams::new(name).with_arguments(arguments);
    format!("{:?}", agent.client().get_prompt(request).await.unwrap())
}

#[tokio::test]
async fn every_prompt_calls_a_tool_that_works() {
    let scenario = Scenario::new().file("plan.md", "# Plan\n\nCache it.\n");
    let agent = Agent::of(&scenario, &[]).await;
    for known in agent.client().list_all_prompts().await.unwrap() {
        let name = known.name.as_str();
        let text = prompt(&agent, name, json!({"topic": "plan.md"})).await;
        let reviews = text.contains("tool `review`");
        assert_eq!(reviews, ["artifact-review", "second-look-review"].contains(&name), "{text}");
        let (tool, mut asked) = if reviews {
            ("review", json!({"file": "plan.md"}))
        } else {
            ("discuss", json!({"topic": "Which?"}))
        };
        (asked["pattern"], asked["provider"]) = (name.into(), "mock".into());
        if text.contains("`options`") {
            asked["options"] = json!(["Redis", "NATS"]);
        }
        let result = agent.call(tool, asked).await;
        assert_eq!(result.is_error, Some(false), "{name}: {result:?}");
    }
}

#[tokio::test]
async fn arguments_of_a_prompt_reach_its_text() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    let arguments = json!({"topic": "Which?", "options": "yes, soon | no", "files": "src/a.rs",
        "context": "We are two."});
    let text = prompt(&agent, "voting", arguments).await;
    for wanted in ["yes, soon", "src/a.rs", "We are two.", "Which?"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let text = prompt(&agent, "solo", json!({"topic": "Which?"})).await;
    assert!(!text.contains("several models"), "{text}");
}

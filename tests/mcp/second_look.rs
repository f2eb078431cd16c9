//! The default of an agent's question, a second look; and the plugin's command of that name, in which the agent is the
//! author.

use serde_json::json;

use super::client::{Agent, text};
use crate::cli::Scenario;

#[tokio::test]
async fn discuss_without_a_pattern_is_a_second_look_and_says_so() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    let tools = agent.client().list_all_tools().await.unwrap();
    let discuss = tools.iter().find(|tool| tool.name == "discuss").unwrap();
    let described = discuss.description.as_deref().unwrap();
    assert!(described.contains("without `pattern`") && described.contains("`second-look`"));
    let pattern = discuss.input_schema["properties"]["pattern"]["description"].as_str().unwrap();
    assert!(pattern.starts_with("second-look (default)"), "{pattern}");
    let told = agent.call_json("discuss", json!({"topic": "Redis?", "provider": "mock"})).await;
    assert_eq!(told["state"], "done", "{told:#}");
    let file = scenario.read("discussions/redis.md");
    assert!(file.contains("\ntemplate: second-look\n"), "{file}");
    // A person at a terminal gets the pattern of the help.
    scenario.discussions(&["discuss", "NATS?", "--provider", "mock"]).code(0);
    assert!(scenario.read("discussions/nats.md").contains("\ntemplate: synthesis\n"));
}

#[tokio::test]
async fn agent_as_the_author_gets_its_own_text_checked() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "How do we cache?", "pattern": "second-look", "context": "40 tables.",
        "participants": ["me", "reviewer"], "provider": "mock"});
    let mut told = agent.call_json("discuss", asked).await;
    let mut phases = Vec::new();
    while told["state"] == "your_turn" {
        phases.push(told["phase"].as_str().unwrap().to_owned());
        let said = json!({"discussion": "how-do", "text": format!("My plan, {}.", phases.len())});
        assert_eq!(agent.call_json("say", said).await["state"], "recorded");
        told =
            agent.call_json("continue", json!({"discussion": "how-do", "provider": "mock"})).await;
    }
    assert_eq!(told["state"], "done", "{told:#}");
    assert_eq!(phases[..2], ["Draft", "The author's own review"]);
    let file = scenario.read("discussions/how-do-we-cache.md");
    assert!(file.contains("Name: AI-Reviewer"), "{file}");
    let shown = agent.call("show", json!({"discussion": "how-do"})).await;
    assert!(text(&shown).contains("My plan"), "{}", text(&shown));
}

//! An agent that participates in a discussion opens a sub-discussion.

use serde_json::json;

use super::client::{Agent, text};
use crate::cli::Scenario;

/// A discussion in which Mira is asked in the first turn and may open sub-discussions.
fn scenario() -> Scenario {
    let scenario = Scenario::new();
    scenario
        .discussions(&["new", "Queue or cron?", "-t", "round-robin", "-p", "architect,security"])
        .code(0);
    let text = scenario.read("discussions/queue-or-cron.md");
    let text = text.replacen("security]", "security, mira]", 1);
    let text = text.replacen("-->\n", "nesting: {depth: 1}\n-->\n", 1);
    scenario.write("discussions/queue-or-cron.md", text.as_bytes());
    scenario.discussions(&["run", "queue-or-cron", "--provider", "mock"]).code(0);
    scenario
}

fn question() -> serde_json::Value {
    json!({"topic": "What load?", "pattern": "voting", "participants": ["architect", "security"],
        "options": ["small", "large"], "provider": "mock"})
}

#[tokio::test]
async fn sub_discussion_belongs_to_the_discussion_of_the_agent() {
    let scenario = scenario();
    let agent = Agent::of(&scenario, &[]).await;
    let mut asked = question();
    asked["within"] = json!("queue-or-cron");
    let lone = agent.call("discuss", asked.clone()).await;
    assert!(text(&lone).contains("must be given together"), "{}", text(&lone));
    (asked["turn"], asked["as"]) = (json!(1), json!("mira"));
    let told = agent.call_json("discuss", asked).await;
    assert_eq!(told["state"], "done", "{told:#}");
    assert_eq!(told["file"], "discussions/queue-or-cron/what-load.md");
    let parent = scenario.read("discussions/queue-or-cron.md");
    assert!(
        parent.contains("<!-- CHILD turn: 1, by: mira, file: queue-or-cron/what-load.md, at: "),
        "{parent}"
    );
    assert!(
        parent.contains("<!-- CHILD-END file: queue-or-cron/what-load.md, calls: "),
        "{parent}"
    );
}

#[tokio::test]
async fn server_started_by_a_participant_knows_its_discussion() {
    let file =
        |scenario: &Scenario| scenario.path("discussions/queue-or-cron.md").display().to_string();
    let scenario = scenario();
    let file = file(&scenario);
    let scenario = scenario
        .env("DISCUSSIONS_FILE", &file)
        .env("DISCUSSIONS_TURN", "1")
        .env("DISCUSSIONS_PARTICIPANT", "mira");
    let agent = Agent::of(&scenario, &[]).await;
    let told = agent.call_json("discuss", question()).await;
    assert_eq!(told["file"], "discussions/queue-or-cron/what-load.md", "{told:#}");
    assert_eq!(scenario.read("discussions/queue-or-cron.md").matches("<!-- CHILD-END ").count(), 1);
}

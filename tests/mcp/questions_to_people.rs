//! Questions to people: an agent finds out how to ask, sees that it waits, and gets the answer.

use serde_json::json;

use super::client::{Agent, Lifecycle, Listener, text};
use crate::cli::Scenario;

const CLOSED: &str = "# Which edition?\n\n---\n\nName: Tess\n\nDECISION: edition 2024\n\n---\n\n\
    <!-- STATUS: CLOSED, by: Tess -->\n";

fn project() -> Scenario {
    Scenario::new().file("discussions.yaml", "author: Tess\n").file("discussions/which.md", CLOSED)
}

#[tokio::test]
async fn question_on_a_decided_discussion_waits_for_its_person() {
    let scenario = project();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"discussion": "which", "text": "Q: @tess Also for tests?"});
    let said = agent.call_json("say", asked).await;
    assert!(said["next"].to_string().contains("discussions answer"), "{said:#}");
    let shown = agent.call("show", json!({"discussion": "which"})).await;
    let data = shown.structured_content.clone().unwrap();
    assert_eq!((&data["state"], &data["waitsFor"]), (&json!("people"), &json!(["tess"])));
    let first = text(&shown);
    assert!(first.contains("State: people") && first.contains("waits for: tess"), "{first}");
    let list = text(&agent.call("list", json!({})).await);
    assert!(list.contains("waits for tess"), "{list}");
    let lines = scenario.discussions(&["list"]).code(0).stdout;
    assert!(lines.lines().any(|line| line.contains("which") && line.contains("@tess")), "{lines}");
    scenario.discussions(&["answer", "which", "Q1", "Yes.", "--as", "Tess"]).with_warnings();
    let shown = agent.call_json("show", json!({"discussion": "which", "since": 1})).await;
    assert_eq!(shown["state"], "done", "{shown:#}");
    assert!(shown["soFar"].to_string().contains("Yes."), "{shown:#}");
}

#[tokio::test]
async fn question_in_another_form_gets_a_note() {
    for (says, note) in [
        ("QUESTION: @tess Also for tests?", "`QUESTION:` asks no person"),
        ("I wonder, @tess, if tests count.", "`Q: @tess`"),
    ] {
        let scenario = project();
        let agent = Agent::of(&scenario, &[]).await;
        let said = agent.call_json("say", json!({"discussion": "which", "text": says})).await;
        assert!(said["notes"].to_string().contains(note), "{says}: {said:#}");
    }
}

#[tokio::test]
async fn agent_learns_that_it_cannot_answer_for_a_person() {
    let scenario = project();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"discussion": "which", "text": "Q: @tess Also for tests?"});
    agent.call_json("say", asked).await;
    let answered = json!({"discussion": "which", "text": "A: Q1 yes"});
    let said = agent.call_json("say", answered).await;
    assert!(said["notes"].to_string().contains("Q1 is a question to a person"), "{said:#}");
}

#[tokio::test]
async fn person_behind_the_client_is_asked_after_the_end_too() {
    let scenario = project();
    let listener = Listener { answer: Some("A: Q1 Yes."), ..Listener::default() };
    let agent = Agent::begun(&scenario, &[], Lifecycle::Initialize, listener).await;
    let asked = json!({"discussion": "which", "text": "Q: @tess Also for tests?"});
    agent.call_json("say", asked).await;
    let go_on = json!({"discussion": "which", "provider": "mock"});
    let told = agent.call_json("continue", go_on).await;
    assert!(scenario.read("discussions/which.md").contains("A: Q1 Yes."), "{told:#}");
    assert_eq!(told["state"], "done", "{told:#}");
}

//! A decision that the user made in the chat: one call, and one command that makes it a decision.

use serde_json::{Value, json};

use super::client::{Agent, text};
use crate::cli::Scenario;

/// Returns the command in the next steps of a result.
fn command(told: &Value) -> Vec<String> {
    let next = told["next"].as_array().unwrap().iter().map(|it| it.as_str().unwrap());
    let line = next.into_iter().find(|line| line.contains("--adopt")).unwrap();
    let (_, rest) = line.split_once("`discussions ").unwrap();
    let (command, _) = rest.split_once('`').unwrap();
    command.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect()
}

fn run(scenario: &Scenario, command: &[String]) -> crate::cli::Run {
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    scenario.discussions(&command)
}

#[tokio::test]
async fn decision_of_the_user_is_recorded_and_adopted_by_one_command() {
    let scenario = Scenario::new()
        .file("discussions.yaml", "author: Tess\n")
        .file("src/log.rs", "fn log() {}\n");
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Where do logs go?", "decision": "to standard error",
        "reasons": "Containers collect it.", "files": ["src/log.rs"]});
    let told = agent.call_json("record", asked).await;
    assert_eq!((&told["state"], &told["calls"]), (&json!("recorded"), &Value::Null), "{told:#}");
    // A later session still finds the command, and the agent is not asked to draft what is decided.
    for tool in ["show", "continue"] {
        let later = agent.call_json(tool, json!({"discussion": "where-do"})).await;
        assert_eq!(later["state"], "people", "{tool}: {later:#}");
        assert!(command(&later).contains(&"--adopt".to_owned()), "{tool}: {later:#}");
        assert_eq!(later["prompt"], Value::Null, "{tool}");
    }
    let files = json!({"files": ["src/log.rs"]});
    assert_eq!(agent.call_json("recall", files.clone()).await["total"], 0, "it is a proposal");
    let closed = run(&scenario, &command(&told)).code(0);
    assert!(closed.stdout.contains("Decided by Tess"), "{}", closed.stdout);
    let found = agent.call("recall", files).await;
    let data = found.structured_content.clone().unwrap();
    assert_eq!((&data["total"], &data["found"][0]["link"]), (&json!(1), &json!("named")));
    let found = text(&found);
    for wanted in ["to standard error", "decided by Tess", "names a file"] {
        assert!(found.contains(wanted), "{wanted}: {found}");
    }
    let shown = agent.call_json("show", json!({"discussion": "where-do"})).await;
    assert_eq!((&shown["decidedBy"], &shown["state"]), (&json!("Tess"), &json!("done")));
}

#[tokio::test]
async fn proposal_in_an_existing_discussion_has_the_command_too() {
    let closed = "# Colours\n\n---\n\nName: Tess\n\nDECISION: blue\n\n---\n\n<!-- STATUS: CLOSED, by: Tess -->\n";
    for tool in ["record", "say"] {
        let scenario = Scenario::new()
            .file("discussions.yaml", "author: Tess\n")
            .file("discussions/colours.md", closed);
        let agent = Agent::of(&scenario, &[]).await;
        let asked = match tool {
            "say" => json!({"discussion": "colours", "text": "DECISION: green (replaces D1)"}),
            _ => json!({"discussion": "colours", "decision": "green (replaces D1)"}),
        };
        let told = agent.call_json(tool, asked).await;
        let shown = agent.call_json("show", json!({"discussion": "colours"})).await;
        assert_eq!(shown["decision"], "blue", "{shown:#}");
        run(&scenario, &command(&told)).code(0);
        let shown = agent.call_json("show", json!({"discussion": "colours"})).await;
        assert_eq!(shown["decision"], "green", "{shown:#}");
    }
}

#[tokio::test]
async fn record_refuses_what_it_cannot_write() {
    let scenario = Scenario::new().file("notes.md", "# Notes\n");
    let agent = Agent::of(&scenario, &[]).await;
    for asked in [
        json!({"decision": "x"}),
        json!({"decision": " ", "topic": "Which?"}),
        json!({"decision": "x", "topic": "Which?", "discussion": "notes"}),
        json!({"decision": "x", "discussion": "notes.md"}),
        json!({"decision": "x", "topic": "Which?", "files": ["../outside"]}),
    ] {
        let refused = agent.call("record", asked.clone()).await;
        assert_eq!(refused.is_error, Some(true), "{asked}: {}", text(&refused));
    }
    assert_eq!(agent.call_json("list", json!({})).await["total"], 0);
}

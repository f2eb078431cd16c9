//! MCP resources and prompts.

use rmcp::model::{GetPromptRequestParams, ReadResourceRequestParams};
use serde_json::{Value, json};

use super::client::{Agent, BOTH, Listener, text};
use crate::cli::Scenario;
use crate::cli::findings::{SCRIPT, second_look};

#[tokio::test]
async fn discussions_are_resources_and_patterns_are_prompts() {
    for lifecycle in BOTH {
        let scenario = Scenario::with_discussion();
        let agent = Agent::begun(&scenario, &[], lifecycle, Listener::default()).await;
        let client = agent.client();
        let resources = client.list_all_resources().await.unwrap();
        assert_eq!(resources[0].uri, "discussion:///caching");
        assert_eq!(client.list_all_resource_templates().await.unwrap().len(), 2);
        let read = |uri: &'static str| client.read_resource(ReadResourceRequestParams::new(uri));
        let file = serde_json::to_value(read("discussion:///caching").await.unwrap()).unwrap();
        assert_eq!(file["contents"][0]["mimeType"], "text/markdown");
        assert_eq!(file["contents"][0]["text"], scenario.read("discussions/caching.md"));
        let result =
            serde_json::to_value(read("discussion:///caching/result").await.unwrap()).unwrap();
        let result: Value =
            serde_json::from_str(result["contents"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(result["title"], "Caching");
        assert!(read("discussion:///nothing").await.is_err());
        assert!(read("file:///etc/passwd").await.is_err());
        let prompts = client.list_all_prompts().await.unwrap();
        assert!(prompts.iter().any(|prompt| prompt.name == "debate"));
        let Value::Object(arguments) = json!({"topic": "Ship it?"}) else { unreachable!() };
        let asked = GetPromptRequestParams::new("debate").with_arguments(arguments);
        let told = serde_json::to_string(&client.get_prompt(asked).await.unwrap()).unwrap();
        assert!(told.contains("pattern `debate`") && told.contains("Ship it?"), "{told}");
        assert!(client.get_prompt(GetPromptRequestParams::new("nothing")).await.is_err());
        assert!(client.get_prompt(GetPromptRequestParams::new("debate")).await.is_err());
    }
}

#[tokio::test]
async fn texts_about_lists_reviews_and_questions_are_true() {
    let scenario = Scenario::with_discussion().file("good.md", "# Good\n\nIt is good.\n");
    let agent = Agent::of(&scenario, &[]).await;
    let blocked = agent.call("list", json!({"status": "blocked"})).await;
    assert!(super::client::text(&blocked).contains("No discussion has that status."));
    let garbage = agent.call_json("list", json!({"status": "garbage"})).await;
    let help = garbage["error"]["help"].as_str().unwrap();
    assert_eq!(help, "use one of: OPEN, CONSENSUS, ANSWERED, BLOCKED, CLOSED");
    let review = agent.call_json("review", json!({"file": "good.md", "provider": "mock"})).await;
    assert_eq!(review["title"], "Review of good.md", "{review:#}");
    let record = scenario.read(review["file"].as_str().unwrap());
    assert!(!record.contains(scenario.path("").to_str().unwrap()), "{record}");
    let topic = "Which?\n\n```python\ndef f():\n    return 1\n```\n";
    let told = agent.call_json("discuss", json!({"topic": topic, "provider": "mock"})).await;
    assert_eq!(told["title"], "Which?", "{told:#}");
    let next = told["next"].to_string();
    assert!(
        next.contains("nothing is left to do; your user can make the answer a decision"),
        "{next}"
    );
    assert!(scenario.read("discussions/which.md").contains("def f():\n    return 1\n"));
}

#[tokio::test]
async fn result_has_findings_and_what_changed_after_them() {
    let scenario = second_look(SCRIPT);
    let agent = Agent::of(&scenario, &[]).await;
    let asked = ReadResourceRequestParams::new("discussion:///box/result");
    let read = serde_json::to_value(agent.client().read_resource(asked).await.unwrap()).unwrap();
    let result: Value =
        serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap();
    let findings = result["findings"].as_array().unwrap();
    let states: Vec<&Value> = findings.iter().map(|one| &one["state"]).collect();
    assert_eq!(states, ["taken", "declined", "unfounded"]);
    assert_eq!(findings[1]["instead"], "Ann orders it on Tuesday.");
    assert_eq!((&findings[1]["at"], findings[0].get("proof")), (&json!("docs/days.md:7"), None));
    let diff = result["revision"].as_str().unwrap();
    assert!(diff.contains("+**Order one box.** It costs 150 euros"), "{diff}");
    let shown = text(&agent.call("show", json!({"discussion": "box"})).await);
    for line in [
        "- 1, taken (AI-Reviewer): \"It costs 300 euros.\"",
        "> -**Order one box.** It costs 300 euros.",
    ] {
        assert!(shown.lines().any(|found| found == line), "{line}:\n{shown}");
    }
}

//! An agent cannot send secrets to models, neither by mistake nor because a text told it to.

use serde_json::json;

use super::client::{Agent, text};
use crate::cli::Scenario;
use crate::cli::secrets::{LETTERS, key};
use crate::cli::template::Template;

fn scenario() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new()
            .file("plan.md", "# Plan\n\nCache.\n")
            .file("leak.md", &format!("# Leak\n\nUse {}.\n", key()))
            .file("src/main.rs", "fn main() {}\n")
            .file("src/leak.rs", &format!("// {}\n", key()))
            .file(".env", "DB=hunter2\n");
        scenario.init_git().git(&["add", "-f", "."]).git(&["commit", "-qm", "One"]);
        scenario.write("plan.md", format!("# Plan\n\n{}\n", key()).as_bytes());
        scenario
    });
    TEMPLATE.copy()
}

#[tokio::test]
async fn every_text_argument_with_a_secret_is_refused() {
    let scenario = scenario();
    let agent = Agent::of(&scenario, &[]).await;
    let said = format!("Use {}.", key());
    for (tool, arguments, place) in [
        ("discuss", json!({"topic": "Which?", "files": [".env"]}), ".env: is a credential file"),
        ("discuss", json!({"topic": "Which?", "files": ["leak.md"]}), "leak.md:3: looks"),
        ("discuss", json!({"topic": "Which?", "files": [".git/config"]}), "(git-folder)"),
        ("discuss", json!({"topic": "Which?", "context": said}), "the context:1: looks"),
        ("discuss", json!({"topic": said}), "the question:1: looks"),
        ("review", json!({"file": "leak.md"}), "leak.md:3: looks"),
        ("review", json!({"file": ".env"}), ".env: is a credential file"),
        ("review", json!({"changes": "HEAD"}), "plan.md:3: looks"),
        ("review", json!({"file": "src/main.rs", "context": "leak.md"}), "leak.md:3: looks"),
        ("review", json!({"file": "src/main.rs", "files": [".env"]}), ".env: is a credential"),
    ] {
        let mut arguments = arguments;
        arguments["provider"] = json!("mock");
        let result = agent.call(tool, arguments).await;
        let told = text(&result);
        assert_eq!(result.is_error, Some(true), "{place}: {told}");
        assert!(told.contains(place) && told.contains("DISCUSSION_INVALID_INPUT"), "{told}");
        // The agent sees no way around the check and no part of the key.
        assert!(!told.contains("allow") && !told.contains(&LETTERS[..8]), "{told}");
    }
    assert!(!scenario.path("discussions").exists());
}

#[tokio::test]
async fn files_with_secrets_in_a_folder_are_skipped_and_reported() {
    let scenario = scenario();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Which?", "files": ["src"], "provider": "mock"});
    let told = agent.call_json("discuss", asked).await;
    let notes = told["notes"].to_string();
    assert!(
        notes.contains("src/leak.rs:1: looks like a secret (github-pat); the file was left out")
    );
    let record = scenario.read(told["file"].as_str().unwrap());
    assert!(record.contains("fn main") && !record.contains(&LETTERS[..8]), "{record}");
    let file = told["file"].clone();
    let said = json!({"discussion": file, "text": format!("Use {}.", key())});
    let told = agent.call_json("say", said).await;
    assert!(told["notes"].to_string().contains("the comment:1: looks like a secret"), "{told:#}");
}

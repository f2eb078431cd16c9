//! A server that was started outside of a project: in the home folder, in the root folder or in the folder of a plugin.

use std::path::Path;

use serde_json::json;

use super::client::{Agent, BOTH, Lifecycle, Listener, text};
use crate::cli::Scenario;

/// Starts a server in a folder.
async fn server_in(
    scenario: &Scenario,
    folder: &Path,
    lifecycle: Lifecycle,
    roots: &[&Path],
) -> Agent {
    let mut command = scenario.program_under_test();
    command.arg("mcp").current_dir(folder);
    let roots = roots.iter().map(|root| format!("file://{}", root.display())).collect();
    Agent::started(command, lifecycle, Listener { roots, ..Listener::default() }).await
}

/// A scenario with the folder of an installed plugin, in which some clients start the server.
fn scenario() -> Scenario {
    let scenario = Scenario::new().file("../plugin/plugin.json", "{}\n");
    let plugin = scenario.path("../plugin").canonicalize().unwrap();
    scenario.env("PLUGIN_ROOT", plugin.to_str().unwrap())
}

/// Calls a model and writes.
async fn discuss(agent: &Agent) -> rmcp::model::CallToolResult {
    agent.call("discuss", json!({"topic": "Redis?", "pattern": "solo", "provider": "mock"})).await
}

#[tokio::test]
async fn server_outside_of_a_project_serves_the_folder_that_the_client_names() {
    for lifecycle in BOTH {
        for start in ["../home", "../plugin"] {
            let scenario = scenario();
            scenario.write("of project/discussions.yaml", b"author: Rob\n");
            let (start, other) = (scenario.path(start), scenario.path("other"));
            std::fs::create_dir(&other).unwrap();
            let project = scenario.path("of project");
            let named = Path::new(project.to_str().unwrap());
            let encoded = named.to_str().unwrap().replace(' ', "%20");
            let roots = [Path::new("/none"), &other, Path::new(&encoded)];
            let agent = server_in(&scenario, &start, lifecycle, &roots).await;
            let told = discuss(&agent).await;
            assert_eq!(told.is_error, Some(false), "{}", text(&told));
            assert!(project.join("discussions/redis.md").is_file(), "{}", text(&told));
            let resources = agent.client().list_all_resources().await.unwrap();
            assert!(resources.iter().any(|one| one.name == "redis"), "{resources:?}");
        }
    }
}

#[tokio::test]
async fn without_a_named_project_every_tool_fails_and_nothing_is_written() {
    for start in ["../home", "../plugin", "/"] {
        let scenario = scenario();
        let start = if start == "/" { start.into() } else { scenario.path(start) };
        let agent = server_in(&scenario, &start, Lifecycle::Initialize, &[]).await;
        assert!(agent.client().list_all_tools().await.unwrap().len() > 4);
        for (tool, arguments) in [
            ("discuss", json!({"topic": "Redis?", "provider": "mock"})),
            ("say", json!({"discussion": "redis", "text": "Hello."})),
            ("recall", json!({"question": "Redis?"})),
            ("list", json!({})),
        ] {
            let refused = agent.call(tool, arguments).await;
            assert_eq!(refused.is_error, Some(true), "{tool}");
            let said = text(&refused);
            assert!(said.contains("names no project") && said.contains("init --agent"), "{said}");
        }
        assert!(agent.client().list_all_resources().await.unwrap().is_empty());
        assert!(agent.client().list_all_prompts().await.unwrap().is_empty());
        assert!(!start.join("discussions").exists() && !start.join("discussions.yaml").exists());
    }
}

#[tokio::test]
async fn variable_of_plugins_with_another_meaning_changes_nothing() {
    let scenario = Scenario::new();
    let project = scenario.path("").canonicalize().unwrap();
    let scenario = scenario.env("PLUGIN_ROOT", project.to_str().unwrap());
    let agent = Agent::of(&scenario, &[]).await;
    assert_eq!(agent.call("list", json!({})).await.is_error, Some(false));
}

#[tokio::test]
async fn folder_that_the_user_names_or_configures_is_served_as_it_is() {
    let scenario = scenario();
    let home = scenario.path("../home");
    for configured in [false, true] {
        let mut command = scenario.program_under_test();
        command.arg("mcp").current_dir(&home);
        if configured {
            scenario.write("../home/discussions.yaml", b"author: Rob\n");
        } else {
            command.args(["--root", "."]);
        }
        let agent = Agent::started(command, Lifecycle::Initialize, Listener::default()).await;
        let told = agent.call("list", json!({})).await;
        assert_eq!(told.is_error, Some(false), "{}", text(&told));
    }
}

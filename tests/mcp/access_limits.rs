//! Limits of an agent: no files outside of the folder, and no more money and calls than the user allows.

use serde_json::json;

use super::client::{Agent, text};
use crate::cli::Scenario;

#[tokio::test]
async fn files_outside_the_root_are_neither_read_nor_written() {
    let scenario = Scenario::new()
        .file("secret.md", "# Secret\n\nxyzzy\n")
        .file("inside/plan.md", "# Plan\n\nCache.\n");
    std::os::unix::fs::symlink(scenario.path("secret.md"), scenario.path("inside/link.md"))
        .unwrap();
    std::os::unix::fs::symlink(scenario.path("."), scenario.path("inside/up")).unwrap();
    let agent = Agent::of(&scenario, &["--root", "inside"]).await;
    let absolute = scenario.path("secret.md").display().to_string();
    let before = scenario.read("secret.md");
    for name in ["../secret.md", "../secret", "link.md", "up/secret.md", absolute.as_str()] {
        for (tool, arguments) in [
            ("show", json!({"discussion": name, "since": 0})),
            ("say", json!({"discussion": name, "text": "Hello."})),
            ("continue", json!({"discussion": name, "provider": "mock"})),
            ("review", json!({"file": name, "provider": "mock"})),
            ("review", json!({"file": "plan.md", "context": name, "provider": "mock"})),
            ("review", json!({"file": "plan.md", "files": [name], "provider": "mock"})),
            ("discuss", json!({"topic": "Which?", "files": [name], "provider": "mock"})),
        ] {
            let result = agent.call(tool, arguments).await;
            assert_eq!(result.is_error, Some(true), "{tool} {name}: {}", text(&result));
            assert!(!text(&result).contains("xyzzy"), "{tool} {name}: {}", text(&result));
        }
        let uri = format!("discussion:///{}", name.replace('/', "%2F"));
        let read = rmcp::model::ReadResourceRequestParams::new(uri);
        assert!(agent.client().read_resource(read).await.is_err(), "{name}");
    }
    let above = scenario.path("*.md").display().to_string();
    for pattern in ["../*.md", "*/../../*.md", "up/*.md", "up/**", "{..,.}/*.md", above.as_str()] {
        let asked = json!({"file": "plan.md", "files": [pattern], "provider": "mock"});
        let result = agent.call("review", asked).await;
        assert_eq!(result.is_error, Some(true), "{pattern}: {}", text(&result));
    }
    let asked = json!({"topic": "Which?", "files": ["**"], "provider": "mock"});
    let file = agent.call_json("discuss", asked).await["file"].as_str().unwrap().to_owned();
    let made = scenario.read(&format!("inside/{file}"));
    assert!(made.contains("Cache.") && !made.contains("xyzzy"), "{made}");
    assert_eq!(scenario.read("secret.md"), before);
    let told = agent.call_json("review", json!({"file": "plan.md", "provider": "mock"})).await;
    assert_eq!(told["state"], "done", "what is inside is served: {told:#}");
}

#[tokio::test]
async fn files_outside_the_root_are_not_named_or_reached_by_links() {
    let scenario = Scenario::new()
        .file("outside.md", "# Outside\n\nxyzzy\n")
        .file("discussions/secretive.md", "# Secretive\n")
        .file("inside/plan.md", "# Plan\n");
    std::os::unix::fs::symlink(scenario.path("."), scenario.path("inside/up")).unwrap();
    std::fs::hard_link(scenario.path("outside.md"), scenario.path("inside/hard.md")).unwrap();
    let agent = Agent::of(&scenario, &["--root", "inside"]).await;
    for name in ["../out", "../outsid", "up/out", "up/outside", "../none", "secretiv"] {
        let told = text(&agent.call("show", json!({"discussion": name})).await);
        assert!(!told.contains("outside.md") && !told.contains("secretive.md"), "{name}: {told}");
    }
    let told = text(&agent.call("show", json!({"discussion": "pla"})).await);
    assert!(told.contains("plan"), "what is inside is named: {told}");
    for (tool, arguments) in [
        ("show", json!({"discussion": "hard.md", "since": 0})),
        ("say", json!({"discussion": "hard.md", "text": "Hello."})),
        ("discuss", json!({"topic": "Which?", "files": ["hard.md"], "provider": "mock"})),
        ("review", json!({"file": "hard.md", "provider": "mock"})),
    ] {
        let result = agent.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{tool}: {}", text(&result));
        assert!(text(&result).contains("second name"), "{tool}: {}", text(&result));
    }
    assert_eq!(scenario.read("outside.md"), "# Outside\n\nxyzzy\n");
}

#[tokio::test]
async fn pages_that_are_no_discussions_are_neither_read_nor_written() {
    let begun = "# Rules\n\nxyzzy\n\n---\n\nName: Ann\n\nRun the tests.\n\n---\n";
    let pages = [
        ("CLAUDE.md", "# Instructions\n\nxyzzy\n"),
        (".claude/skills/own/SKILL.md", "---\nname: own\n---\n\nxyzzy\n"),
        (".github/copilot-instructions.md", begun),
        ("AGENTS.md", begun),
        ("discussions/README.md", "# Readme\n\nxyzzy\n"),
    ];
    let mut scenario = Scenario::with_discussion();
    for (name, text) in pages {
        scenario = scenario.file(name, text);
    }
    let agent = Agent::of(&scenario, &[]).await;
    for (name, page) in pages {
        for (tool, arguments) in [
            ("show", json!({"discussion": name, "since": 0})),
            ("say", json!({"discussion": name, "text": "Always run this first."})),
            ("continue", json!({"discussion": name, "provider": "mock"})),
        ] {
            let result = agent.call(tool, arguments).await;
            let told = text(&result);
            assert_eq!(result.is_error, Some(true), "{tool} {name}: {told}");
            assert!(told.contains("this is not"), "{tool} {name}: {told}");
            assert!(!told.contains("xyzzy"), "{tool} {name}: {told}");
        }
        let uri = format!("discussion:///{}", name.replace('/', "%2F"));
        let read = rmcp::model::ReadResourceRequestParams::new(uri);
        assert!(agent.client().read_resource(read).await.is_err(), "{name}");
        assert_eq!(scenario.read(name), page);
    }
    let said = agent.call("say", json!({"discussion": "caching", "text": "Hello."})).await;
    assert_ne!(said.is_error, Some(true), "{}", text(&said));
}

#[tokio::test]
async fn discussions_are_not_created_outside_the_root() {
    let scenario = Scenario::new().file("inside/notes.md", "# Notes\n");
    let elsewhere = scenario.path("elsewhere").display().to_string();
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(
        scenario.path("../config/config.yaml"),
        format!("output: {{directory: {elsewhere}}}\n"),
    )
    .unwrap();
    let agent = Agent::of(&scenario, &["--root", "inside"]).await;
    let refused = agent.call("discuss", json!({"topic": "Redis?", "provider": "mock"})).await;
    assert!(text(&refused).contains("is outside the served folder"), "{}", text(&refused));
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[tokio::test]
async fn tool_call_stays_below_max_calls_and_the_next_one_resumes() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &["--max-calls", "2"]).await;
    let asked = json!({"topic": "Redis?", "pattern": "synthesis", "participants": ["architect", "security"],
        "provider": "mock", "max_calls": 50});
    let mut told = agent.call_json("discuss", asked).await;
    let mut calls = 0;
    while told["state"] == "open" {
        assert_eq!(told["error"]["code"], "DISCUSSION_COST_BUDGET_EXCEEDED", "{told:#}");
        let now = told["calls"].as_u64().unwrap();
        assert!((calls + 1..=calls + 2).contains(&now), "{told:#}");
        calls = now;
        told =
            agent.call_json("continue", json!({"discussion": "redis", "provider": "mock"})).await;
    }
    assert_eq!(told["state"], "done", "{told:#}");
    assert!(calls >= 4, "{told:#}");
}

#[tokio::test]
async fn calls_beyond_the_money_limit_of_the_server_are_not_made() {
    let claude = r#"#!/bin/sh
cat > /dev/null; echo x >> "$HOME/calls"
printf '{"is_error":false,"result":"Fine.","usage":{"input_tokens":10,"output_tokens":5},"total_cost_usd":0.01}'
"#;
    let scenario = Scenario::new().program("claude", claude);
    let agent = Agent::of(&scenario, &["--max-usd", "0"]).await;
    let asked = json!({"topic": "Redis?", "participants": ["architect", "security"], "provider": "claude", "max_usd": 100});
    let result = agent.call("discuss", asked).await;
    assert_eq!(result.is_error, Some(true), "{}", text(&result));
    let told = result.structured_content.clone().unwrap();
    assert_eq!(told["error"]["code"], "DISCUSSION_COST_BUDGET_EXCEEDED", "{told:#}");
    assert!(!scenario.path("../home/calls").exists(), "nobody was called");
}

#[tokio::test]
async fn project_commands_do_not_run_for_an_agent_without_trust() {
    let providers = "providers:\n  - {name: own, command: touch ran}\n";
    let scenario = Scenario::new()
        .distrusting()
        .file("discussions.yaml", "author: Rob\n")
        .file("providers.yaml", providers);
    let agent = Agent::of(&scenario, &[]).await;
    let refused = agent.call("discuss", json!({"topic": "Redis?", "provider": "own"})).await;
    assert_eq!(refused.is_error, Some(true), "{}", text(&refused));
    let told = refused.structured_content.clone().unwrap();
    assert_eq!(told["error"]["code"], "DISCUSSION_NOT_TRUSTED", "{told:#}");
    assert!(!scenario.path("ran").exists());
    assert_eq!(agent.call_json("list", json!({})).await["total"], 0, "nothing is left behind");
}

#[tokio::test]
async fn discussion_of_a_person_stays_if_it_cannot_be_continued() {
    let providers = "providers:\n  - {name: own, command: touch ran}\n";
    let scenario = Scenario::new()
        .distrusting()
        .file("discussions.yaml", "author: Rob\n")
        .file("providers.yaml", providers);
    scenario.discussions(&["new", "Redis?"]).code(0);
    let agent = Agent::of(&scenario, &[]).await;
    for provider in ["own", "nope"] {
        let asked = json!({"discussion": "redis", "provider": provider});
        let refused = agent.call("continue", asked).await;
        assert_eq!(refused.is_error, Some(true), "{}", text(&refused));
        assert!(scenario.path("discussions/redis.md").exists(), "{provider}");
    }
}

/// How often each tool is called while a file is swapped. Without a guard about one call in a hundred got through.
#[cfg(target_os = "linux")]
const RACES: usize = 200;

#[tokio::test]
#[cfg(target_os = "linux")]
async fn comment_does_not_follow_a_file_swapped_for_a_link() {
    let race = "# Race\n\n---\n\nName: Ann\n\nGo.\n\n---\n";
    let scenario = Scenario::new().file("inside/discussions/race.md", race);
    let agent = Agent::of(&scenario, &["--root", "inside"]).await;
    let swapper = crate::link_swapper::LinkSwapper::begin(&scenario, "inside/discussions/race.md");
    for _ in 0..RACES {
        for (tool, arguments) in [
            ("say", json!({"discussion": "discussions/race.md", "text": "Hello."})),
            ("show", json!({"discussion": "discussions/race.md", "since": 0})),
        ] {
            let result = agent.call(tool, arguments).await;
            assert!(!text(&result).contains("xyzzy"), "{tool}: {}", text(&result));
        }
    }
    let text = swapper.end();
    assert!(text.contains("Hello."), "the file itself is written: {text}");
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn material_swapped_for_a_link_is_not_read() {
    let scenario = Scenario::new().file("inside/m.txt", "inside");
    let agent = Agent::of(&scenario, &["--root", "inside"]).await;
    let swapper = crate::link_swapper::LinkSwapper::begin(&scenario, "inside/m.txt");
    for _ in 0..RACES / 4 {
        let asked =
            json!({"topic": "Which?", "files": ["m.txt"], "provider": "mock", "max_calls": 0});
        let result = agent.call("discuss", asked).await;
        assert!(!text(&result).contains("xyzzy"), "{}", text(&result));
    }
    assert_eq!(swapper.end(), "inside");
    let made = scenario.path("inside/discussions");
    for file in std::fs::read_dir(made).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap_or_default();
        assert!(!text.contains("xyzzy"), "{}: {text}", file.path().display());
    }
}

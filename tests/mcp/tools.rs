//! The tools as clients see them: strict schemas and short texts; and rules for every result.

use rmcp::model::Tool;
use serde_json::{Value, json};

use super::client::{Agent, BOTH, Listener, text};
use crate::cli::Scenario;

/// The maximum number of tokens for all descriptions, at three and a half characters per token.
const TOKENS: usize = 2_500;

/// The maximum number of characters of a result.
const CHARACTERS: usize = 40_000;

fn walk(value: &Value, at: &str, wrong: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if map.get("format").is_some_and(Value::is_string) {
                wrong.push(format!("{at}: format"));
            }
            if map.get("type").is_some_and(Value::is_array) {
                wrong.push(format!("{at}: a list of types"));
            }
            if map.contains_key("$ref") || map.contains_key("$defs") {
                wrong.push(format!("{at}: a reference"));
            }
            map.iter().for_each(|(key, below)| walk(below, &format!("{at}/{key}"), wrong));
        }
        Value::Array(all) => all.iter().for_each(|below| walk(below, at, wrong)),
        _ => {}
    }
}

async fn tools(scenario: &Scenario, args: &[&str]) -> Vec<Tool> {
    let agent = Agent::of(scenario, args).await;
    agent.client().list_all_tools().await.unwrap()
}

#[tokio::test]
async fn tools_are_few_with_strict_schemas_and_short_texts() {
    let tools = tools(&Scenario::new(), &[]).await;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    let wanted =
        ["discuss", "review", "continue", "say", "record", "show", "search", "recall", "list"];
    assert_eq!(names, wanted);
    let (mut wrong, mut characters) = (Vec::new(), 0);
    for tool in &tools {
        // The other tools return what `show` or `recall` returns.
        let has_schema = ["show", "recall", "list"].contains(&tool.name.as_ref());
        assert_eq!(tool.output_schema.is_some(), has_schema, "{}", tool.name);
        for schema in std::iter::once(&tool.input_schema).chain(&tool.output_schema) {
            assert_eq!(schema["type"], "object", "{}", tool.name);
            walk(&Value::Object((**schema).clone()), &tool.name, &mut wrong);
        }
        let hints = tool.annotations.as_ref().unwrap();
        let reads = ["show", "search", "recall", "list"].contains(&tool.name.as_ref());
        assert_eq!(hints.read_only_hint, Some(reads), "{}", tool.name);
        // Only texts for models count; programs read the output schemas.
        let told = json!({"name": tool.name, "description": tool.description, "schema": tool.input_schema});
        characters += told.to_string().chars().count();
    }
    assert_eq!(wrong, [""; 0]);
    assert!(characters * 2 / 7 <= TOKENS, "{} tokens", characters * 2 / 7);
}

#[tokio::test]
async fn read_only_server_offers_no_writing_tool() {
    let scenario = Scenario::with_discussion();
    let names: Vec<String> =
        tools(&scenario, &["--read-only"]).await.into_iter().map(|it| it.name.into()).collect();
    assert_eq!(names, ["show", "search", "recall", "list"]);
    let before = scenario.read("discussions/caching.md");
    let agent = Agent::of(&scenario, &["--read-only"]).await;
    for (tool, arguments) in [
        ("discuss", json!({"topic": "Redis?", "provider": "mock"})),
        ("continue", json!({"discussion": "caching", "provider": "mock"})),
        ("say", json!({"discussion": "caching", "text": "Hello."})),
        ("record", json!({"discussion": "caching", "decision": "Hello."})),
    ] {
        let refused = agent.call(tool, arguments).await;
        assert_eq!(refused.is_error, Some(true), "{tool}");
        assert!(text(&refused).contains("is read-only"), "{}", text(&refused));
    }
    assert_eq!(scenario.read("discussions/caching.md"), before);
    assert_eq!(agent.call_json("list", json!({})).await["total"], 1);
}

#[tokio::test]
async fn question_is_discussed_to_its_end_in_both_lifecycles() {
    for lifecycle in BOTH {
        let scenario = Scenario::new();
        let agent = Agent::begun(&scenario, &[], lifecycle, Listener::default()).await;
        let info = agent.client().peer_info();
        assert!(info.is_none_or(|info| format!("{info:?}").contains("discussions")));
        let asked = json!({"topic": "Redis or PostgreSQL?", "pattern": "voting",
            "participants": ["architect", "security", "pragmatist"], "options": ["Redis", "PostgreSQL"], "provider": "mock"});
        let result = agent.call("discuss", asked).await;
        let told = result.structured_content.clone().unwrap();
        assert_eq!(result.is_error, Some(false), "{told:#}");
        assert_eq!(told["state"], "done", "{told:#}");
        assert_eq!(told["file"], "discussions/redis-or-postgresql.md");
        assert_eq!(told["tally"].as_array().unwrap().len(), 2);
        assert!(text(&result).contains("**Votes**\n\n- Redis: "), "{}", text(&result));
        let shown = agent.call_json("show", json!({"discussion": "redis-or", "since": 0})).await;
        assert!(shown["entries"].as_u64().unwrap() > 3);
        assert!(shown["soFar"].as_array().unwrap().len() >= 3);
        let none = agent
            .call_json("show", json!({"discussion": "redis-or", "since": shown["entries"]}))
            .await;
        assert_eq!(none["soFar"], Value::Null, "nothing is new");
        assert_eq!(
            agent.call_json("search", json!({"words": "postgresql"})).await["found"][0]["kind"],
            "title"
        );
        let listed = agent.call_json("list", json!({"status": "consensus"})).await;
        assert_eq!(listed["discussions"][0]["title"], "Redis or PostgreSQL?", "{listed:#}");
        assert!(agent.leave().await.success());
    }
}

#[tokio::test]
async fn one_participant_answers_alone() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    for participants in [json!([]), json!(["architect"])] {
        let asked = json!({"topic": "Which queue?", "pattern": "solo", "participants": participants, "provider": "mock"});
        let told = agent.call_json("discuss", asked).await;
        assert_eq!(told["state"], "done", "{told:#}");
    }
    let asked = json!({"topic": "Which queue?", "pattern": "second-look", "participants": ["architect"], "provider": "mock"});
    let refused = agent.call("discuss", asked).await;
    assert!(text(&refused).contains("the pattern `solo`"), "{}", text(&refused));
}

/// Also passes these files.
async fn scenario_with_more(agent: &Agent) -> Value {
    let asked = json!({"file": "plan.md", "files": ["src/**/*.rs"], "provider": "mock"});
    agent.call_json("review", asked).await
}

#[tokio::test]
async fn earlier_decisions_are_recalled_and_all_calls_counted() {
    let scenario = Scenario::new();
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "Redis or PostgreSQL for sessions?", "pattern": "voting", "files": ["*.toml"],
        "participants": ["architect", "security"], "options": ["Redis", "PostgreSQL"], "provider": "mock"});
    let none = agent.call("discuss", asked.clone()).await;
    assert_eq!(none.is_error, Some(true), "a pattern that finds nothing: {}", text(&none));
    scenario.write("db.toml", b"pool = 5\n");
    assert_eq!(agent.call_json("discuss", asked).await["state"], "done");
    let question = json!({"question": "Where do we keep sessions?"});
    let told = agent.call_json("recall", question).await;
    assert_eq!(told["total"], 1, "{told:#}");
    let text = told["found"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("Redis or PostgreSQL for sessions?: "), "{text}");
    assert_eq!(agent.call_json("recall", json!({"question": "Tabs or spaces?"})).await["total"], 0);
    let read = rmcp::model::ReadResourceRequestParams::new("discussions:///stats");
    let stats = serde_json::to_value(agent.client().read_resource(read).await.unwrap()).unwrap();
    let stats: Value =
        serde_json::from_str(stats["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(stats, scenario.discussions(&["stats", "--json"]).code(0).json());
    assert_eq!(stats["all"]["discussions"], 1);
}

#[tokio::test]
async fn artifact_is_reviewed() {
    let scenario = Scenario::new()
        .file("plan.md", "# Plan\n\nCache it.\n")
        .file("src/cache.rs", "fn cache() {}\n");
    let agent = Agent::of(&scenario, &[]).await;
    let told = agent.call_json("review", json!({"file": "plan.md", "provider": "mock"})).await;
    assert_eq!(told["state"], "done", "{told:#}");
    assert!(told["verdict"].as_str().unwrap().starts_with("consensus_"), "{told:#}");
    let beside = scenario_with_more(&agent).await;
    assert_eq!(beside["state"], "done", "{beside:#}");
    let record = scenario.read(beside["file"].as_str().unwrap());
    assert!(record.contains("fn cache() {}") && record.contains("src/cache.rs"), "{record}");
    let neither = agent.call("review", json!({})).await;
    assert!(text(&neither).contains("give either `file` or `changes`"), "{}", text(&neither));
    let both = agent.call("review", json!({"file": "plan.md", "changes": "HEAD"})).await;
    assert!(text(&both).contains("cannot be reviewed together"), "{}", text(&both));
    let unknown = json!({"file": "plan.md", "perspectives": ["nobody"], "provider": "mock"});
    let unknown = agent.call("review", unknown).await;
    assert!(text(&unknown).contains("`perspectives`"), "{}", text(&unknown));
}

#[tokio::test]
async fn failures_are_results_and_malformed_calls_protocol_errors() {
    let scenario = Scenario::new().alone();
    let agent = Agent::of(&scenario, &[]).await;
    let nobody = agent.call("discuss", json!({"topic": "Redis?"})).await;
    assert_eq!(nobody.is_error, Some(true));
    let told = nobody.structured_content.clone().unwrap();
    assert_eq!((&told["state"], &told["file"]), (&json!("failed"), &Value::Null), "{told:#}");
    assert!(text(&nobody).contains("help: "), "{}", text(&nobody));
    assert_eq!(agent.call_json("list", json!({})).await["total"], 0, "nothing is left behind");
    let unknown = agent.call("show", json!({"discussion": "cachign"})).await;
    assert_eq!(unknown.is_error, Some(true));
    let pattern = agent
        .call("discuss", json!({"topic": "Redis?", "pattern": "debat", "provider": "mock"}))
        .await;
    assert!(text(&pattern).contains("did you mean `debate`?"), "{}", text(&pattern));
    // An agent has tools and no terminal.
    let other = json!({"topic": "Redis?", "pattern": "nothing-like-it", "provider": "mock"});
    let error = agent.call_json("discuss", other).await["error"].clone();
    assert!(!error.to_string().contains("`discussions "), "{error}");
    assert!(error["help"].as_str().unwrap().contains("leave out `pattern`"), "{error}");
    for (tool, arguments) in [
        ("discuss", json!({})),
        ("discuss", json!({"topic": "Redis?", "tpoic": 1})),
        ("nothing", json!({})),
    ] {
        assert!(agent.try_call(tool, arguments).await.is_err(), "{tool}");
    }
}

mod slow {
    use super::*;

    #[tokio::test]
    #[ignore = "slow: starts the server of tools with a long text"]
    async fn result_of_a_long_discussion_is_shortened_to_fit() {
        let scenario = Scenario::new();
        let agent = Agent::of(&scenario, &[]).await;
        let context = "Words \u{2014} and \"more\" words.\n\n".repeat(8_000);
        let asked = json!({"topic": "Long?", "participants": ["me", "security"], "context": context, "provider": "mock"});
        let result = agent.call("discuss", asked).await;
        let told = result.structured_content.clone().unwrap();
        assert_eq!(told["state"], "your_turn");
        for _ in 0..20 {
            let said = json!({"discussion": "long", "text": "x".repeat(4_000)});
            assert_eq!(agent.call_json("say", said).await["state"], "recorded");
        }
        let shown = agent.call("show", json!({"discussion": "long", "since": 0})).await;
        for result in [result, shown] {
            assert!(text(&result).chars().count() < CHARACTERS);
            let data = result.structured_content.unwrap().to_string();
            assert!(data.chars().count() < CHARACTERS, "{}", data.len());
        }
    }
}

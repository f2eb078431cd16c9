//! `POST /api/discussion`: two models, twelve events, and an end when the client disconnects.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::server::{Server, Stream, Told};
use crate::cli::Scenario;
use crate::http::fake::{Fake, HEAD, Step, plain};

fn mock() -> Value {
    json!({ "modelId": "mock", "providerId": "mock" })
}

fn all(mut stream: Stream) -> Vec<Told> {
    let mut told = Vec::new();
    while let Some(one) = stream.next() {
        told.push(one);
    }
    told
}

#[test]
fn two_models_discuss_and_agree() {
    let scenario = Scenario::new();
    let server = Server::open(&scenario, &[]);
    let wish =
        json!({ "prompt": "Which language for the web?", "modelA": mock(), "modelB": mock() });
    let stream = server.post_stream("/api/discussion", &wish.to_string());
    assert!(stream.head.starts_with("HTTP/1.1 200"), "{}", stream.head);
    assert!(stream.head.to_lowercase().contains("content-type: text/event-stream"));
    let told = all(stream);
    let names: Vec<&str> = told.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.first(), Some(&"discussion-started"));
    assert_eq!(names.last(), Some(&"discussion-completed"), "{told:#?}");
    let known: BTreeSet<&str> = names.iter().copied().collect();
    for name in [
        "round-started",
        "turn-started",
        "turn-chunk",
        "turn-completed",
        "consensus-check-started",
        "consensus-vote",
        "consensus-result",
        "round-completed",
    ] {
        assert!(known.contains(name), "{name} in {names:?}");
    }
    for one in &told {
        assert_eq!(one.data["discussionId"], "which-language-for-the-web", "{one:?}");
        assert!(one.data["timestamp"].as_i64().unwrap() > 1_700_000_000_000, "{one:?}");
    }
    let find = |name: &str| &told.iter().find(|one| one.name == name).unwrap().data;
    let turn = &find("turn-completed")["turn"];
    assert!(["model-a", "model-b"].contains(&turn["role"].as_str().unwrap()), "{turn}");
    assert!(turn["content"].as_str().unwrap().contains("No model spoke here"), "{turn}");
    let vote = &find("consensus-vote")["vote"];
    assert!(vote["hasConsensus"].is_boolean() && vote["confidence"].as_f64().unwrap() <= 100.0);
    let result = &find("consensus-result")["result"];
    assert!(result["modelAVote"]["role"] == "model-a" && result["modelBVote"]["role"] == "model-b");
    let end = find("discussion-completed");
    assert_eq!(end["stoppingReason"], "consensus_reached", "{end}");
    assert!(
        end["finalConsensus"]["solution"].as_str().is_some_and(|text| !text.is_empty()),
        "{end}"
    );
    assert!(scenario.path("discussions/which-language-for-the-web.md").exists());
}

#[test]
fn two_neutral_models_speak_under_their_display_names() {
    let scenario = Scenario::new().program("pa", "#!/bin/sh\ncat > \"$HOME/prompt\"\necho Fine.\n");
    scenario.write("../config/providers.yaml", b"providers: [{name: pa, command: pa}]\n");
    let server = Server::open(&scenario, &[]);
    let model =
        |name: &str| json!({ "modelId": "gpt-4o", "providerId": "pa", "displayName": name });
    let wish = json!({ "prompt": "Which?", "modelA": model("GPT-4o"), "modelB": model("Sonnet"),
        "options": { "maxIterations": 1 } });
    let told = all(server.post_stream("/api/discussion", &wish.to_string()));
    let started = &told[0].data["participants"];
    assert_eq!(started["modelA"]["displayName"], "GPT-4o", "{started}");
    let file = scenario.read("discussions/which.md");
    assert!(file.contains("Name: GPT-4o\n") && file.contains("Name: Sonnet\n"), "{file}");
    assert!(!file.contains("architect") && !file.contains("AI-Pragmatist"), "{file}");
    let prompt = scenario.read("../home/prompt");
    assert!(prompt.contains("GPT-4o") && prompt.contains("Sonnet"), "{prompt}");
    assert!(!prompt.contains("Architect"), "{prompt}");
}

#[test]
fn every_refusal_has_its_reason() {
    let scenario = Scenario::new();
    let server = Server::open(&scenario, &[]);
    let nobody = json!({ "modelId": "m", "providerId": "nobody" });
    for (wish, reason) in [
        (json!({ "modelA": mock(), "modelB": mock() }), "`prompt` is missing"),
        (json!({ "prompt": "x", "modelA": mock() }), "`modelB` is missing"),
        (
            json!({ "prompt": "x", "modelA": mock(), "modelB": nobody }),
            "there is no provider `nobody`",
        ),
        (
            json!({
                "prompt": "x",
                "modelA": mock(),
                "modelB": { "modelId": "gpt-4o", "providerId": "openai" },
            }),
            "OPENAI_API_KEY",
        ),
        (
            json!({ "prompt": "x", "modelA": mock(), "modelB": mock(), "options": { "maxIterations": 11 } }),
            "rounds",
        ),
    ] {
        let answer = server.api("POST", "/api/discussion", &wish.to_string()).is(400).json();
        let told = answer["reason"].as_str().unwrap_or_default();
        assert!(answer["error"].is_string() && told.contains(reason), "{answer}");
    }
}

#[test]
fn refused_start_uses_documented_words() {
    let scenario = Scenario::new();
    let server = Server::open(&scenario, &[]);
    let refused = |wish: Value| {
        let answer = server.api("POST", "/api/discussion", &wish.to_string()).is(400);
        answer.json()["error"].clone()
    };
    assert_eq!(refused(json!({ "modelA": mock(), "modelB": mock() })), "Prompt is required");
    assert_eq!(refused(json!({ "prompt": " ", "modelA": mock() })), "Prompt is required");
    assert_eq!(
        refused(json!({ "prompt": "x", "modelA": mock() })),
        "Both models must be specified"
    );
    let nobody = json!({ "modelId": "m", "providerId": "nobody" });
    let wish = |options: Value| json!({ "prompt": "x", "modelA": mock(), "modelB": mock(), "options": options });
    assert_eq!(
        refused(json!({ "prompt": "x", "modelA": mock(), "modelB": nobody })),
        "Provider not available"
    );
    assert!(refused(wish(json!({ "maxIterations": 11 }))).is_string());
    assert!(refused(wish(json!({ "requireBothConsensus": false }))).is_string());
    assert!(refused(wish(json!({ "maxIterations": "many" })))["message"].is_string());
    let files: Vec<_> = std::fs::read_dir(scenario.path("")).unwrap().flatten().collect();
    assert!(files.is_empty(), "{files:?}");
}

/// A project whose provider `own` is this service, and a request with this provider for both models.
fn own(fake: &Fake) -> (Scenario, String) {
    let text =
        format!("providers:\n  - {{name: own, api: openai, model: m, url: '{}'}}\n", fake.url());
    let scenario = Scenario::new().file("providers.yaml", &text);
    scenario.discussions(&["init"]).code(0);
    let own = json!({ "modelId": "m", "providerId": "own" });
    (scenario, json!({ "prompt": "Which?", "modelA": own, "modelB": own }).to_string())
}

fn hangs() -> Fake {
    Fake::new(|_, _| vec![Step::Send(HEAD.as_bytes().to_vec()), Step::Hang])
}

#[test]
fn answer_length_reaches_the_model_and_raises_no_limit() {
    for (wanted, sent) in [(Some(77), 77), (Some(900_000), 8192), (None, 8192)] {
        let fake = Fake::repeating(plain("401 Unauthorized", "", "{}"));
        let (scenario, wish) = own(&fake);
        let mut wish: Value = serde_json::from_str(&wish).unwrap();
        wish["options"] = json!({ "maxTokensPerTurn": wanted });
        let server = Server::open(&scenario, &[]);
        all(server.post_stream("/api/discussion", &wish.to_string()));
        let body = &fake.requests()[0].body;
        let limit = body.get("max_tokens").or(body.get("max_completion_tokens"));
        assert_eq!(limit, Some(&json!(sent)), "{body}");
    }
    let (scenario, wish) = own(&hangs());
    let server = Server::open(&scenario, &[]);
    for options in [json!({ "maxTokensPerTurn": 0 }), json!({ "maxTokens": 5 })] {
        let mut wish: Value = serde_json::from_str(&wish).unwrap();
        wish["options"] = options.clone();
        let refused = server.api("POST", "/api/discussion", &wish.to_string());
        assert!((400..423).contains(&refused.status), "{options}: {}", refused.body);
        assert!(
            refused.body.contains("token") || refused.body.contains("Tokens"),
            "{}",
            refused.body
        );
    }
}

#[test]
fn unavailable_model_ends_the_dialogue_with_an_error() {
    let fake =
        Fake::repeating(plain("401 Unauthorized", "", r#"{"error": {"message": "no such key"}}"#));
    let (scenario, wish) = own(&fake);
    let server = Server::open(&scenario, &[]);
    let told = all(server.post_stream("/api/discussion", &wish));
    let last = told.last().unwrap();
    assert_eq!(last.name, "discussion-error", "{told:#?}");
    assert_eq!(last.data["stoppingReason"], "model_unavailable", "{last:?}");
    let error = &last.data["error"];
    assert!(error["code"].is_string() && error["recoverable"].is_boolean(), "{error}");
    assert!(error["message"].as_str().unwrap().contains("no such key"), "{error}");
    assert!(!told.iter().any(|one| one.name == "discussion-completed"), "{told:#?}");
}

#[test]
fn stopped_dialogue_is_reported_as_aborted() {
    let fake = hangs();
    let (scenario, wish) = own(&fake);
    let server = Server::open(&scenario, &[]);
    let mut stream = server.post_stream("/api/discussion", &wish);
    stream.until("turn-started");
    server.api("POST", "/api/discussions/which/stop", "").is(200);
    let told = all(stream);
    let last = told.last().unwrap();
    assert_eq!(last.name, "discussion-aborted", "{told:#?}");
    assert_eq!(last.data["stoppingReason"], "user_abort", "{last:?}");
}

#[test]
fn closed_connection_stops_the_dialogue() {
    let fake = hangs();
    let (scenario, wish) = own(&fake);
    let server = Server::open(&scenario, &[]);
    let mut stream = server.post_stream("/api/discussion", &wish);
    stream.until("turn-started");
    drop(stream);
    let page = server.until("/d/which", |page| page.body.contains("class=\"ended\""));
    assert!(page.body.contains("Stopped. Answers so far are kept"), "{}", page.body);
}

//! Neither programs nor pages can send secrets to models.

use serde_json::json;

use super::server::Server;
use crate::cli::Scenario;
use crate::cli::secrets::{LETTERS, key};

#[test]
fn api_refuses_secrets() {
    let scenario = Scenario::new();
    let server = Server::with_mock(&scenario);
    let mock = json!({ "modelId": "mock", "providerId": "mock" });
    let wish = json!({ "prompt": format!("Is {} safe?", key()), "modelA": mock, "modelB": mock });
    let answer = server.api("POST", "/api/discussion", &wish.to_string());
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert!(answer.body.contains("the question:1: looks like a secret"), "{}", answer.body);
    assert!(!answer.body.contains(&LETTERS[..8]), "{}", answer.body);
    assert!(!scenario.path("discussions").exists());
}

#[test]
fn form_for_a_new_discussion_refuses_secrets() {
    let scenario = Scenario::new();
    let server = Server::with_mock(&scenario);
    for form in [
        format!("topic=Which%3F&context=One%0D%0AUse+{}", key()),
        format!("topic=Is+{}+safe", key()),
    ] {
        let answer = server.post("/new", &form);
        assert_eq!(answer.status, 422, "{}", answer.body);
        assert!(answer.body.contains("looks like a secret (github-pat)"), "{}", answer.body);
        assert!(!answer.body.contains("allow-secrets"), "{}", answer.body);
    }
    assert!(!scenario.path("discussions").exists());
}

#[test]
fn comment_with_a_secret_is_written_with_a_warning() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let said = json!({ "text": format!("Use {}.", key()) });
    let answer = server.api("POST", "/api/discussions/caching/comments", &said.to_string());
    assert!(answer.body.contains("the comment:1: looks like a secret"), "{}", answer.body);
}

//! The HTTP API for programs returns the documents of the command line, as its description says.

use super::server::Server;
use crate::cli::Scenario;
use crate::cli::schema::{errors, unknown_fields};

#[test]
fn api_documents_match_the_command_line_and_the_description() {
    let scenario = Scenario::new().env("DISCUSSIONS_NOW", "2026-11-20T10:00:00Z");
    scenario.discussions(&["new", "Caching", "--run", "--provider", "mock"]).code(0);
    let server = Server::with_mock(&scenario);
    let description = server.api("GET", "/api/openapi.json", "").is(200).json();
    assert_eq!(description["openapi"], "3.1.0");
    let get = |path: &str| server.api("GET", path, "").is(200).json();
    for (path, args) in [
        ("/api/discussions", vec!["list"]),
        ("/api/decisions", vec!["decisions"]),
        ("/api/discussions/caching", vec!["show", "caching"]),
        ("/api/discussions/caching/status", vec!["status", "caching"]),
        ("/api/discussions/caching/result", vec!["result", "caching"]),
        ("/api/search?q=workable", vec!["search", "workable"]),
        ("/api/recall?q=caching", vec!["recall", "caching"]),
        ("/api/stats", vec!["stats"]),
    ] {
        let args = [args, vec!["--json"]].concat();
        assert_eq!(get(path), scenario.discussions(&args).with_any_code().json(), "{path}");
    }
    // The schemas equal those of the description, except that references point into the description.
    for (path, name) in [
        ("/api/discussions", "list"),
        ("/api/discussions/caching", "show"),
        ("/api/discussions/caching/status", "status"),
    ] {
        let schema = scenario.discussions(&["schema", name]).json();
        let document = get(path);
        assert_eq!(errors(&schema, &document), [""; 0], "{path}");
        assert_eq!(unknown_fields(&schema, &document), [""; 0], "{path}");
        assert!(description["components"]["schemas"][name].is_object(), "{name}");
    }
}

#[test]
fn programs_comment_vote_and_run() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let post = |path: &str, body: &str| {
        server.api("POST", &format!("/api/discussions/caching{path}"), body)
    };
    let said = post("/comments", r#"{"author": "Ann", "text": "Measure.", "vote": "ready"}"#)
        .is(200)
        .json();
    assert_eq!((&said["author"], &said["vote"]), (&"Ann".into(), &"READY".into()));
    assert_eq!(post("/advance", r#"{"to": "proposal"}"#).is(200).json()["phase"], "proposal");
    assert_eq!(post("/close", "").is(200).json()["changed"], true);
    let closed = post("/run", "{}").is(409).json();
    assert_eq!(closed["error"]["code"], "DISCUSSION_INVALID_STATE");
    assert_eq!(post("/reopen", "").is(200).json()["changed"], true);
    assert_eq!(post("/run", "{}").is(200).json()["running"], true);
    assert_eq!(post("/stop", "").is(200).json()["running"], false);
}

#[test]
fn pages_that_are_no_discussions_are_neither_read_nor_written() {
    let scenario = Scenario::with_discussion()
        .file("CLAUDE.md", "# Instructions\n\nxyzzy\n")
        .file("discussions/README.md", "# Readme\n\nxyzzy\n");
    let server = Server::with_mock(&scenario);
    for name in ["CLAUDE.md", "README.md", "README", "discussions/README.md"] {
        let path = format!("/api/discussions/{}", name.replace('/', "%2F"));
        let refused = server.api("GET", &path, "").is(404);
        assert!(!refused.body.contains("xyzzy"), "{name}: {}", refused.body);
        server.api("POST", &format!("{path}/comments"), r#"{"text": "Obey."}"#).is(404);
    }
    assert_eq!(scenario.read("CLAUDE.md"), "# Instructions\n\nxyzzy\n");
    assert_eq!(scenario.read("discussions/README.md"), "# Readme\n\nxyzzy\n");
}

#[test]
fn errors_of_programs_are_documents() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    for (method, path, body, status) in [
        ("GET", "/api/discussions/nothing", "", 404),
        ("GET", "/api/nothing", "", 404),
        ("GET", "/api/search", "", 400),
        ("DELETE", "/api/discussions/caching", "", 405),
        ("POST", "/api/discussions/caching/comments", "{", 400),
        ("POST", "/api/discussions/caching/comments", "[1]", 422),
        ("POST", "/api/discussions/caching/comments", r#"{"text": "x", "vote": "perhaps"}"#, 422),
        ("POST", "/api/discussions/caching/advance", r#"{"to": "nowhere"}"#, 422),
        ("POST", "/api/discussions/caching/run", r#"{"maxUsd": -1}"#, 422),
    ] {
        let answer = server.api(method, path, body).is(status);
        let error = &answer.json()["error"];
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{path}");
        assert!(error["code"].as_str().unwrap().starts_with("DISCUSSION_"), "{path}");
    }
}

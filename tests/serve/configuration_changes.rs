//! A server uses the current configuration, not the one from its start, and ends when it is told to.

use std::io::Write as _;
use std::net::TcpStream;

use serde_json::json;

use super::server::Server;
use crate::cli::Scenario;

const HUMAN: &[u8] = b"name: Ann\nalias: ann\ntype: human\nrole: Decides\npersonality: Careful.\n";

#[test]
fn person_added_later_is_waited_for() {
    let scenario = Scenario::new().file("discussions.yaml", "");
    let server = Server::with_mock(&scenario);
    server.get("/").is(200);
    scenario.write("participants/ann.yaml", HUMAN);
    scenario.discussions(&["new", "Which?", "-p", "ann,architect", "--template", "voting"]).code(0);
    server.post("/d/which/run", "").is(303);
    server.until("/d/which", |page| page.body.contains("AI-Architect"));
    server.post("/d/which/stop", "").is(303);
    let file = scenario.read("discussions/which.md");
    assert!(!file.contains("Name: Ann"), "{file}");
}

#[test]
fn limit_and_provider_added_later_apply() {
    let scenario = Scenario::with_discussion().file("discussions.yaml", "");
    let server = Server::with_mock(&scenario);
    server.get("/").is(200);
    scenario.write("discussions.yaml", b"limits: {max_calls: 1}\n");
    server.post("/d/caching/run", "").is(303);
    server.until("/d/caching", |page| page.body.contains("class=\"ended\""));
    assert_eq!(scenario.read("discussions/caching.md").matches("<!-- REPLY").count(), 1);
    let asked = server.api("POST", "/api/discussions/caching/turn", r#"{"provider":"later"}"#);
    assert_eq!(asked.is(422).json()["error"]["code"], "DISCUSSION_INVALID_INPUT");
    scenario.write("discussions.yaml", b"");
    scenario.write("providers.yaml", b"providers: [{name: later, command: cat}]\n");
    server.api("POST", "/api/discussions/caching/turn", r#"{"provider":"later"}"#).is(200);
}

#[test]
fn stop_is_not_delayed_by_an_unfinished_request() {
    let scenario = Scenario::with_discussion();
    let server = Server::with_mock(&scenario);
    let (host, cookie) = (server.host(), server.cookie());
    let half = [
        format!(
            "POST /d/caching/comments HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nOrigin: http://{host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 400\r\n\r\ntext=half"
        ),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Half: "),
    ];
    let held: Vec<TcpStream> = half
        .iter()
        .map(|text| {
            let mut stream = TcpStream::connect(&host).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            stream
        })
        .collect();
    server.get("/").is(200);
    assert!(server.stop().success());
    drop(held);
}

#[test]
fn prompt_of_several_lines_is_kept() {
    let scenario = Scenario::new();
    let server = Server::open(&scenario, &[]);
    let prompt = "# Which is right?\n\n```rust\nfn a() {\n    b()\n}\n```\n\n- this\n- that";
    let mock = json!({ "modelId": "mock", "providerId": "mock" });
    let wish = json!({ "prompt": prompt, "modelA": mock, "modelB": mock });
    let mut stream = server.post_stream("/api/discussion", &wish.to_string());
    assert_eq!(stream.next().unwrap().data["prompt"], prompt);
    while stream.next().is_some() {}
    let file = scenario.read("discussions/which-is-right.md");
    assert!(
        file.contains("\n# Which is right?\n") && file.contains("fn a() {\n    b()\n}"),
        "{file}"
    );
    let wrong = json!({ "prompt": "x", "modelA": mock, "modelB": mock,
        "options": { "temperature": 9 } });
    let wrong = server.api("POST", "/api/discussion", &wrong.to_string()).is(400).json();
    assert!(wrong["error"].as_str().unwrap().contains("temperature"), "{wrong}");
}

//! No page, document, event or error shows a browser a key.

use serde_json::json;

use super::server::Server;
use crate::http::planted_keys::{nowhere, scenario};

#[test]
fn no_planted_key_reaches_a_browser() {
    let (scenario, fake) = scenario();
    scenario.discussions(&["turn", "caching", "@all", "--provider", "talks"]).with_warnings();
    scenario.discussions(&["turn", "caching", "@all", "--provider", "near-xai"]).with_warnings();
    let mut said = String::new();
    for provider in ["near-openai", "far-anthropic", "near-google", "talks"] {
        let server = Server::open(&scenario, &["--provider", provider]);
        let wish = json!({"prompt": "Which?", "modelA": {"modelId": provider, "providerId": provider},
            "modelB": {"modelId": provider, "providerId": provider}});
        let mut stream = server.post_stream("/api/discussion", &wish.to_string());
        while let Some(event) = stream.next() {
            said.push_str(&format!("{event:?}"));
        }
        for path in [
            "/",
            "/d/caching",
            "/api/discussions/caching",
            "/api/discussions/caching/status",
            "/api/discussions/caching/result",
            "/api/discussions",
            "/api/openapi.json",
            "/api/nowhere",
        ] {
            let answer = server.get(path);
            said.push_str(&answer.head);
            said.push_str(&answer.body);
        }
        let refused = server.api("POST", "/api/discussions/caching/run", "{\"provider\": 5}");
        said.push_str(&refused.body);
    }
    assert!(!fake.requests().is_empty());
    nowhere(&scenario, &said);
}

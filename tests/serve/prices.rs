//! The browser shows the price of a run, and asks once per discussion above ten calls. Programs are not asked.

use super::server::Server;
use crate::cli::Scenario;

/// Three participants at a known price per million tokens.
fn scenario() -> Scenario {
    let scenario = Scenario::with_discussion();
    let providers = "providers: [{name: dear, command: \"echo Measure.\", price: {input: 1.0, output: 25.0}}]\n";
    scenario.write("../config/providers.yaml", providers.as_bytes());
    scenario
}

#[test]
fn page_asks_once_per_discussion_before_many_calls() {
    let scenario = scenario();
    let before = scenario.read("discussions/caching.md");
    let server = Server::open(&scenario, &["--provider", "dear"]);
    let asked = server.post("/d/caching/run", "").is(200);
    assert!(asked.body.contains("calls, usually about $"), "{}", asked.body);
    assert!(asked.body.contains("name=\"agreed\""), "{}", asked.body);
    assert_eq!(scenario.read("discussions/caching.md"), before, "nobody was called");
    server.post("/d/caching/run", "agreed=yes").is(303);
    server.until("/d/caching", |page| !page.body.contains("Waiting for answers."));
    server.post("/d/caching/run", "").is(303);
}

#[test]
fn programs_are_not_asked_about_prices() {
    let scenario = scenario();
    let server = Server::open(&scenario, &["--provider", "dear"]);
    let run = server.api("POST", "/api/discussions/caching/run", "{}").is(200).json();
    assert_eq!(run, serde_json::json!({"running": true}));
}

#[test]
fn free_run_starts_without_a_question() {
    let scenario = scenario();
    let server = Server::with_mock(&scenario);
    server.post("/d/caching/run", "").is(303);
}

#[test]
fn turn_shows_its_price() {
    let providers =
        "providers: [{name: slow, command: \"sleep 60\", price: {input: 1.0, output: 25.0}}]\n";
    let scenario = Scenario::with_discussion();
    scenario.write("../config/providers.yaml", providers.as_bytes());
    let server = Server::open(&scenario, &["--provider", "slow"]);
    // The price is below the button before it is pressed, also when the panel is updated.
    let price = "<p class=\"faint\">3 calls, usually about $";
    let page = server.get("/d/caching").is(200).body;
    assert!(page.contains(price) && page.contains("action=\"/d/caching/turn\""), "{page}");
    let panel =
        server.events("/d/caching/events?from=0", None).until("panel").data["panel"].clone();
    assert!(panel.as_str().is_some_and(|panel| panel.contains(price)), "{panel}");
    server.post("/d/caching/turn", "").is(303);
    let page = server.get("/d/caching").is(200).body;
    assert!(page.contains(price) && page.contains("Waiting for answers."), "{page}");
    server.post("/d/caching/stop", "").is(303);
}

#[test]
fn turn_of_more_than_ten_calls_needs_agreement() {
    let scenario = scenario();
    scenario.write("discussions.yaml", b"");
    let all: Vec<String> = (0..11).map(|number| format!("p{number}")).collect();
    for alias in &all {
        let persona = format!("name: AI-{alias}\nalias: {alias}\npersonality: Be.\n");
        scenario.write(&format!("participants/{alias}.yaml"), persona.as_bytes());
    }
    scenario.discussions(&["new", "Many", "--participants", &all.join(",")]).code(0);
    let server = Server::open(&scenario, &["--provider", "dear"]);
    let asked = server.post("/d/many/turn", "").is(200);
    assert!(asked.body.contains("11 calls, usually about $"), "{}", asked.body);
    assert!(asked.body.contains("action=\"/d/many/turn\""), "{}", asked.body);
    server.post("/d/many/turn", "agreed=yes").is(303);
}

//! The browser tells the price of a run, and asks once for each discussion above ten calls. Programs are not asked.

use super::house::House;
use crate::cli::Scenario;

/// Three who answer at a known price for a million tokens.
fn scenario() -> Scenario {
    let scenario = Scenario::with_discussion();
    let providers = "providers: [{name: dear, command: \"echo Measure.\", price: {input: 1.0, output: 25.0}}]\n";
    scenario.write("../config/providers.yaml", providers.as_bytes());
    scenario
}

#[test]
fn a_page_asks_once_for_each_discussion_before_many_calls() {
    let scenario = scenario();
    let before = scenario.read("discussions/caching.md");
    let house = House::open(&scenario, &["--provider", "dear"]);
    let asked = house.post("/d/caching/run", "").is(200);
    assert!(asked.body.contains("calls, usually about $"), "{}", asked.body);
    assert!(asked.body.contains("name=\"agreed\""), "{}", asked.body);
    assert_eq!(scenario.read("discussions/caching.md"), before, "nobody was called");
    house.post("/d/caching/run", "agreed=yes").is(303);
    house.until("/d/caching", |page| !page.body.contains("Waiting for answers."));
    house.post("/d/caching/run", "").is(303);
}

#[test]
fn programs_are_not_asked() {
    let scenario = scenario();
    let house = House::open(&scenario, &["--provider", "dear"]);
    let run = house.api("POST", "/api/discussions/caching/run", "{}").is(200).json();
    assert_eq!(run, serde_json::json!({"running": true}));
}

#[test]
fn what_is_free_needs_no_question() {
    let scenario = scenario();
    let house = House::with_mock(&scenario);
    house.post("/d/caching/run", "").is(303);
}

//! `discussions stats`: counts and costs of all discussions.

use super::panel::panel;
use super::scenario::Scenario;

#[test]
fn discussions_are_counted_by_pattern_provider_and_dissent() {
    let scenario = panel()
        .env("ANSWER", "DECISION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: READY")
        .env("ANSWER_security", "Not yet.\n\nCONFIDENCE: 0.4\n\nVOTE: REJECT")
        .env("ANSWER_designer", "fail");
    let ask = |topic: &str, who: &str| {
        let line =
            ["discuss", topic, "--pattern", "voting", "-p", who, "--no-early-exit", "--json"];
        scenario.discussions(&line).with_warnings().json()
    };
    ask("Ship it?", "architect,security,pragmatist,designer");
    scenario.discussions(&["new", "Later", "--json"]).code(0);
    let stats = scenario.discussions(&["stats", "--json"]).code(0).json();
    let voting = &stats["byPattern"]["voting"];
    assert_eq!((&voting["discussions"], &voting["successRate"]), (&1.into(), &1.0.into()));
    assert_eq!(stats["all"]["discussions"], 2);
    assert_eq!(stats["all"]["outcomes"]["OPEN"], 1, "{stats}");
    let panel = &stats["byProvider"]["panel"];
    assert_eq!((&panel["asked"], &panel["failed"]), (&5.into(), &1.into()), "{panel}");
    assert_eq!(panel["failureRate"], 0.2);
    // The price of the panel is unknown, so every sum is unknown, even together with calls that cost nothing.
    assert!(stats["all"]["costUsd"].is_null() && panel["costUsd"].is_null(), "{stats}");
    let shown = scenario.discussions(&["stats"]).code(0).stdout;
    let all = shown.lines().find(|line| line.starts_with("all ")).unwrap();
    assert!(all.ends_with("unknown"), "{shown}");
    let security = &stats["dissent"]["AI-Security"];
    assert_eq!((&security["dissented"], &security["adopted"]), (&1.into(), &0.into()), "{stats}");

    let later = "# Do not ship\n\n---\n\nName: Rob\n\nDECISION: wait\n\nSUPERSEDES: ship-it.md\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n";
    scenario.write("discussions/wait.md", later.as_bytes());
    let stats = scenario.discussions(&["stats", "--json"]).code(0).json();
    assert_eq!(stats["dissent"]["AI-Security"]["adopted"], 1, "{stats}");
    let shown = scenario.discussions(&["stats"]).code(0);
    shown.says("PATTERN").says("1 (20 %)").says("ADOPTED LATER").says("all ");
}

#[test]
fn votes_after_the_ballot_are_no_dissent() {
    let scenario = panel().env("ANSWER", "DECISION: ship it\n\nVOTE: READY");
    let ask = ["discuss", "Ship it?", "--pattern", "voting", "--json"];
    scenario.discussions(&ask).code(0);
    let reject = |who: &str| {
        scenario
            .discussions(&["comment", "ship", "No.", "--vote", "reject", "--as", who])
            .with_warnings()
            .code(0);
    };
    reject("Ann");
    scenario.discussions(&["close", "ship"]).code(0);
    reject("Zoe");
    scenario.discussions(&["result", "ship"]).code(0).says("REJECT afterwards");
    let stats = scenario.discussions(&["stats", "--json"]).code(0).json();
    assert_eq!(stats["dissent"], serde_json::json!({}), "{stats}");
}

#[test]
fn stats_without_discussions_says_so() {
    let scenario = Scenario::new();
    scenario
        .discussions(&["stats"])
        .code(0)
        .stdout("")
        .notes("no discussions yet (folder discussions)");
    scenario.discussions(&["stats", "nowhere"]).code(3).notes("no such folder");
    let stats = scenario.discussions(&["stats", "--json"]).code(0).json();
    assert!(stats["all"]["successRate"].is_null());
}

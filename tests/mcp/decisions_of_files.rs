//! Decisions about the files that an agent works on, and decisions to review.

use serde_json::json;

use super::client::{Agent, text};
use crate::cli::Scenario;

fn closed(title: &str, says: &str) -> String {
    format!("# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n")
}

fn project() -> Scenario {
    let database = closed("Database", "DECISION: use PostgreSQL\n\nAFFECTS: `src/db/**`");
    let sessions = closed("Sessions", "DECISION: sessions expire\n\nREVIEW-BY: 2026-11-19");
    Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions/database.md", &database)
        .file("discussions/sessions.md", &sessions)
        .file("discussions/zebra.md", &closed("Zebra", "DECISION: stripes"))
}

#[tokio::test]
async fn recall_puts_decisions_about_the_files_first() {
    let scenario = project();
    let agent = Agent::of(&scenario, &[]).await;
    let files = json!({"files": ["src/db/pool.rs"]});
    let told = agent.call_json("recall", files).await;
    assert_eq!(told["total"], 1, "{told:#}");
    assert_eq!(told["found"][0]["file"], "discussions/database.md");
    let both = json!({"question": "When do sessions expire?", "files": ["src/db/pool.rs"]});
    let told = agent.call_json("recall", both).await;
    assert_eq!(told["total"], 2, "{told:#}");
    assert_eq!(told["found"][0]["file"], "discussions/database.md");
    assert_eq!(told["found"][1]["file"], "discussions/sessions.md");
    let other = agent.call_json("recall", json!({"files": ["README.md"]})).await;
    assert_eq!(other["total"], 0, "{other:#}");
    for wrong in [json!({}), json!({"files": ["/etc/passwd"]})] {
        let refused = agent.call("recall", wrong).await;
        assert_eq!(refused.is_error, Some(true), "{}", text(&refused));
    }
}

#[tokio::test]
async fn recall_finds_what_a_discussion_read_and_says_how_it_is_linked() {
    let scenario = project().file("src/search.rs", "fn search() {}\n");
    let agent = Agent::of(&scenario, &[]).await;
    let asked = json!({"topic": "How do we search?", "files": ["src/search.rs"], "pattern": "solo",
        "provider": "mock"});
    agent.call_json("discuss", asked).await;
    for files in
        [json!(["src/search.rs"]), json!(["src/"]), json!([scenario.path("src/search.rs")])]
    {
        let found = agent.call("recall", json!({"files": files})).await;
        let data = found.structured_content.clone().unwrap();
        let last = data["found"].as_array().unwrap().last().unwrap();
        assert_eq!((&last["link"], &last["kind"]), (&json!("read"), &json!("answer")), "{data:#}");
        assert_eq!(last["day"], "2026-11-20", "{data:#}");
        assert!(last["line"].as_u64().unwrap() > 1, "{data:#}");
        let page = text(&found);
        assert!(page.contains("its discussion read src/search.rs"), "{page}");
        assert!(page.contains("answered, not voted on"), "{page}");
    }
}

#[tokio::test]
async fn empty_recall_says_why() {
    let scenario = project().file("src/web.rs", "fn web() {}\n");
    let agent = Agent::of(&scenario, &[]).await;
    for (asked, note) in [
        (json!({"files": ["src/wbe.rs"]}), "there is no file src/wbe.rs"),
        (json!({"files": ["src/*.rs"]}), "src/*.rs is a pattern"),
        (json!({"files": ["src/web.rs"]}), "give `question`"),
        (json!({"question": "Tabs or blanks?"}), "no decision is similar"),
    ] {
        let told = agent.call("recall", asked).await;
        assert!(text(&told).contains(note), "{note}: {}", text(&told));
    }
    let empty = Scenario::new();
    let agent = Agent::of(&empty, &[]).await;
    let told = text(&agent.call("recall", json!({"question": "Tabs?"})).await);
    assert!(told.contains("no discussions yet"), "{told}");
}

#[tokio::test]
async fn list_begins_with_decisions_to_review() {
    let scenario = project();
    let agent = Agent::of(&scenario, &[]).await;
    let told = agent.call_json("list", json!({})).await;
    assert_eq!(told["discussions"][0]["file"], "discussions/sessions.md", "{told:#}");
    let due = &told["discussions"][0]["due"];
    let wanted = "review by 2026-11-19 (1 day overdue): D1: sessions expire";
    assert_eq!(due, &json!([wanted]), "{told:#}");
    let page = agent.call("list", json!({})).await;
    assert!(text(&page).contains(wanted), "{}", text(&page));
}

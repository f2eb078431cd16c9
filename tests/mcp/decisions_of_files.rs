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

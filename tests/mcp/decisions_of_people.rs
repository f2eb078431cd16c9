//! What an agent writes changes nothing that people decided, in its own file and in others.

use serde_json::{Value, json};

use super::client::{Agent, text};
use crate::cli::Scenario;

fn closed(title: &str, says: &str) -> String {
    format!(
        "# {title}\n\n---\n\nName: Tess\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Tess -->\n"
    )
}

fn project() -> Scenario {
    let edition = closed("Which edition?", "DECISION: edition 2024\n\nAFFECTS: `src/**`");
    Scenario::new()
        .file("discussions/which-edition.md", &edition)
        .file("discussions/colours.md", &closed("Colours", "DECISION: blue"))
}

async fn recalled(agent: &Agent) -> Value {
    let found = agent.call_json("recall", json!({"files": ["src/a.rs"]})).await;
    assert_eq!(found["total"], 1, "{found:#}");
    assert_eq!(found["found"][0]["link"], "named", "{found:#}");
    found["found"][0]["text"].clone()
}

#[tokio::test]
async fn say_never_replaces_a_decision_of_a_person() {
    for (discussion, says, note) in [
        ("which-edition", "DECISION: edition 2015", "D2 is a proposal"),
        ("which-edition", "DECISION: edition 2015 (replaces D1)", "D2 is a proposal"),
        ("which-edition", "WITHDRAWN: D1", "withdraw"),
        ("which-edition", "+1 D1", "an agent's `+1` adopts no proposal"),
        ("colours", "SUPERSEDES: which-edition.md#D1", "replaces no"),
        ("colours", "DECISION: red\n\nSUPERSEDES: which-edition.md", "replaces no"),
        ("which-edition", "HINDSIGHT (D1): failed, it was slow", "HINDSIGHT"),
    ] {
        let scenario = project();
        let agent = Agent::of(&scenario, &[]).await;
        let told = agent.call_json("say", json!({"discussion": discussion, "text": says})).await;
        assert!(told["notes"].to_string().contains(note), "{says}: {told:#}");
        assert_eq!(recalled(&agent).await, "Which edition?: edition 2024", "{says}");
        let shown = agent.call_json("show", json!({"discussion": "which-edition"})).await;
        assert_eq!(shown["standing"], "in-force", "{says}: {shown:#}");
        assert_eq!(shown["decidedBy"], "Tess", "{says}: {shown:#}");
        assert_eq!(shown["decision"], "edition 2024", "{says}: {shown:#}");
        assert_eq!(shown["decisions"][0]["state"], "in-force", "{says}: {shown:#}");
        let list = scenario.discussions(&["list", "--json"]).code(0).json();
        let one = list.as_array().unwrap().iter().find(|one| one["name"] == "which-edition");
        assert_eq!(one.unwrap()["decision"], "edition 2024", "{says}: {list:#}");
    }
}

#[tokio::test]
async fn results_say_how_the_outcome_stands() {
    let scenario = project();
    let agent = Agent::of(&scenario, &[]).await;
    let say = json!({"discussion": "which-edition", "text": "DECISION: edition 2027"});
    agent.call_json("say", say).await;
    let page = agent.call("show", json!({"discussion": "which-edition"})).await;
    let page = text(&page);
    assert!(page.contains("Outcome: decided by Tess\n"), "{page}");
    assert!(page.contains("> edition 2024\n"), "{page}");
    assert!(page.contains("**Not in force**\n\n- D2: edition 2027 (proposed)\n"), "{page}");
    let list = agent.call_json("list", json!({})).await;
    let rows = list["discussions"].as_array().unwrap();
    assert!(rows.iter().all(|one| one["standing"] == "in-force"), "{list:#}");
    let page = agent.call("list", json!({})).await;
    assert!(text(&page).contains("decided by Tess: edition 2024"), "{}", text(&page));
    let found = agent.call_json("search", json!({"words": "edition"})).await;
    let states = found["found"].as_array().unwrap().iter().map(|one| &one["state"]);
    let states: Vec<&Value> = states.collect();
    assert!(states.contains(&&json!("in-force")), "{found:#}");
    assert!(states.contains(&&json!("proposed")), "{found:#}");
}

//! Decisions to review on the first page, in the list beside a page, and on the page of their discussion.

use std::time::Instant;

use super::server::{PATIENCE, Server};
use crate::cli::Scenario;

#[test]
fn decisions_to_review_come_first() {
    let closed = |title: &str, says: &str| {
        format!(
            "# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n"
        )
    };
    let scenario = Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions/a.md", &closed("Apples", "DECISION: no pears"))
        .file(
            "discussions/z.md",
            &closed("Zebra <b>", "DECISION: <i>stripes</i>\n\nREVIEW-BY: 2026-11-20"),
        );
    let server = Server::with_mock(&scenario);
    let home = server.get("/").is(200).body;
    let (before, after) = home.split_once("<h2>Decisions to review</h2>").unwrap();
    assert!(!before.contains("Apples"), "{home}");
    let (due, all) = after.split_once("<h2>All</h2>").unwrap();
    assert!(due.contains("review by 2026-11-20 (today)") && !due.contains("Apples"), "{home}");
    assert!(all.find("Zebra").unwrap() < all.find("Apples").unwrap(), "{home}");
    assert!(!home.contains("<i>stripes") && !home.contains("Zebra <b>"), "{home}");
}

/// Returns a scenario with two decisions to review: another discussion replaced that of `old.md`, but not that of
/// `kept.md`.
fn scenario_with_replaced_decision() -> Scenario {
    let closed = |title: &str, says: &str| {
        format!(
            "# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n"
        )
    };
    let day = "DECISION: stripes\n\nREVIEW-BY: 2027-06-01\n\nAFFECTS: `src/**`";
    Scenario::new()
        .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
        .file("discussions/old.md", &closed("Old", day))
        .file("discussions/kept.md", &closed("Kept", day))
        .file("discussions/new.md", &closed("New", "DECISION: dots\n\nSUPERSEDES: old.md#D1"))
}

#[test]
fn page_tells_no_review_of_a_replaced_decision() {
    let scenario = scenario_with_replaced_decision();
    let server = Server::with_mock(&scenario);
    for (name, day) in [("old", None), ("kept", Some("<li>review by 2027-06-01 (D1)</li>"))] {
        let page = server.get(&format!("/d/{name}")).is(200).body;
        assert_eq!(page.contains("<li>review by 2027-06-01 (D1)</li>"), day.is_some(), "{page}");
        let told = server.events(&format!("/d/{name}/events"), None).until("panel").data;
        let panel = told["panel"].as_str().unwrap();
        assert_eq!(panel.contains("review by"), day.is_some(), "{panel}");
        assert!(day.is_none_or(|day| panel.contains(day)), "{panel}");
        assert_eq!(panel.contains("<li>affects src/** (D1)</li>"), day.is_some(), "{panel}");
    }
    // A later replacement counts for the next reader.
    let new = scenario.read("discussions/new.md").replace("old.md", "kept.md");
    scenario.write("discussions/newer.md", new.as_bytes());
    let begun = Instant::now();
    loop {
        let told = server.events("/d/kept/events", None).until("panel").data;
        if !told["panel"].as_str().unwrap().contains("review by") {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{told}");
    }
}

#[test]
fn panel_of_a_discussion_outside_of_the_list_tells_its_review() {
    let scenario = scenario_with_replaced_decision();
    for name in ["old", "kept", "new"] {
        let text = scenario.read(&format!("discussions/{name}.md"));
        scenario.write(&format!("notes/{name}.md"), text.as_bytes());
    }
    let server = Server::with_mock(&scenario);
    for (name, has_day) in [("old", false), ("kept", true)] {
        let told = server.events(&format!("/d/notes%2F{name}/events"), None).until("panel").data;
        let panel = told["panel"].as_str().unwrap();
        assert_eq!(panel.contains("<li>review by 2027-06-01 (D1)</li>"), has_day, "{panel}");
        assert!(!panel.contains("unless"), "{panel}");
    }
}

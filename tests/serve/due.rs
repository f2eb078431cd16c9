//! Decisions to review on the first page and in the list beside a page.

use super::server::Server;
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

//! What became of decisions (`HINDSIGHT:`) in `stats`.

use super::scenario::Scenario;

/// A discussion that a person closed, with these lines, and with comments after that.
fn closed(title: &str, says: &str, later: &[&str]) -> String {
    let base = format!(
        "# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n"
    );
    let comments = later.iter().map(|text| format!("\n---\n\nName: Mira\n\n{text}\n\n---\n"));
    base + &comments.collect::<String>()
}

#[test]
fn newest_hindsight_of_each_decision_is_counted() {
    let two = "DECISION: sessions in Redis\n\nDECISION: one hour";
    let first =
        closed("Sessions", two, &["HINDSIGHT (D1): held", "HINDSIGHT (D2): failed\n\nToo short."]);
    let changed = ["HINDSIGHT (D1): held", "HINDSIGHT (D1): mixed"];
    let scenario = Scenario::new()
        .file("discussions/sessions.md", &first)
        .file("discussions/cache.md", &closed("Cache", "DECISION: a minute", &changed))
        .file("discussions/names.md", &closed("Names", "DECISION: short", &[]));
    let stats = scenario.discussions(&["stats", "--json"]).code(0).json();
    let counts = &stats["all"]["hindsight"];
    let of = |word: &str| counts[word].as_u64().unwrap();
    assert_eq!((of("held"), of("failed"), of("mixed")), (1, 1, 1), "{stats}");
    let shown = scenario.discussions(&["stats"]).code(0).says("HINDSIGHT");
    let mut lines = shown.stdout.lines().skip_while(|line| !line.starts_with("HINDSIGHT"));
    let head: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(head, ["HINDSIGHT", "HELD", "MIXED", "FAILED"]);
    let row: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert_eq!(row[1..], ["1", "1", "1"], "{}", shown.stdout);
}

#[test]
fn stats_without_hindsight_have_no_table_of_it() {
    let scenario = Scenario::new().file("discussions/a.md", &closed("A", "DECISION: a", &[]));
    scenario.discussions(&["stats"]).code(0).stdout_lacks("HINDSIGHT");
}

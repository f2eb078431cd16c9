//! Decisions to look at again (`REVIEW-BY:`): `decisions --due`, first on the dashboard, errors of `check --git --due`.

use super::scenario::{Run, Scenario};
use super::schema::errors;

/// A discussion that a person closed, with these lines.
fn closed(title: &str, says: &str) -> String {
    format!("# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n")
}

/// Decisions with days around 2026-11-20, and an open discussion with a day that is over.
fn project(now: &str) -> Scenario {
    let sessions = closed(
        "Sessions",
        "DECISION: sessions in Redis\n\nREVIEW-BY: 2026-11-19\n\nDECISION: one hour\n\nREVIEW-BY: 2026-12-10",
    );
    let cache = closed("Cache", "DECISION: cache pages\n\nREVIEW-BY: 2026-11-20");
    let later = closed("Queue", "DECISION: a queue\n\nREVIEW-BY: 2027-11-20");
    let never = closed("Names", "DECISION: short names");
    let open =
        "# Logs\n\n---\n\nName: Rob\n\nDECISION: keep them\n\nREVIEW-BY: 2026-01-01\n\n---\n";
    Scenario::new()
        .env("DISCUSSIONS_NOW", &format!("{now}T12:00:00Z"))
        .file("discussions/sessions.md", &sessions)
        .file("discussions/cache.md", &cache)
        .file("discussions/queue.md", &later)
        .file("discussions/names.md", &never)
        .file("discussions/logs.md", open)
}

fn names(run: &Run) -> Vec<String> {
    let log = run.json();
    log.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// Checks a document against its schema.
fn assert_valid(scenario: &Scenario, name: &str, document: &serde_json::Value) {
    let schema = scenario.discussions(&["schema", name]).code(0).json();
    assert_eq!(errors(&schema, document), Vec::<String>::new());
}

#[test]
fn due_decisions_are_listed_the_earliest_first() {
    let scenario = project("2026-11-20");
    let due = scenario.discussions(&["decisions", "--due", "--json"]).code(0);
    assert_eq!(names(&due), ["sessions", "cache"], "an undecided discussion has no decision");
    assert_valid(&scenario, "decisions", &due.json());
    let reviews = &due.json()[0]["reviews"];
    assert_eq!(reviews[0]["decision"], "D1");
    assert_eq!((&reviews[0]["days"], &reviews[0]["overdue"]), (&(-1).into(), &true.into()));
    assert_eq!((&reviews[1]["days"], &reviews[1]["overdue"]), (&20.into(), &false.into()));
    let shown = scenario.discussions(&["decisions", "--due"]).code(0);
    let shown = shown.says("D1: review by 2026-11-19 (1 day overdue)");
    let shown = shown.says("D1: review by 2026-11-20 (today)");
    shown.stdout_lacks("short names").stdout_lacks("a queue");
    let near = scenario.discussions(&["decisions", "--due", "--within", "52w", "--json"]);
    assert_eq!(names(&near.code(0)), ["sessions", "cache"]);
    let far = scenario.discussions(&["decisions", "--due", "--within", "365d", "--json"]);
    assert_eq!(names(&far.code(0)), ["sessions", "cache", "queue"]);
}

#[test]
fn list_of_due_decisions_may_be_empty() {
    let scenario = project("2026-11-18");
    let none = scenario.discussions(&["decisions", "--due"]).code(0);
    none.stdout("").notes("no decision is due");
    assert_eq!(names(&scenario.discussions(&["decisions", "--due", "--json"]).code(0)).len(), 0);
    scenario.discussions(&["decisions", "--within", "30d"]).code(2);
    let wrong = scenario.discussions(&["decisions", "--due", "--within", "soon"]).code(2);
    wrong.notes("`soon` is neither a day nor a time from today");
}

#[test]
fn replaced_decision_is_not_due() {
    let scenario = project("2026-11-20");
    let new = closed("Sessions anew", "DECISION: in PostgreSQL\n\nSUPERSEDES: sessions.md#D1");
    scenario.write("discussions/anew.md", new.as_bytes());
    assert_eq!(names(&scenario.discussions(&["decisions", "--due", "--json"])), ["cache"]);
    let board = scenario.discussions(&["--json"]).code(0).json();
    assert_eq!(board["due"].as_array().unwrap().len(), 1, "{board}");
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    let due =
        list.as_array().unwrap().iter().filter(|one| !one["due"].as_array().unwrap().is_empty());
    assert_eq!(due.count(), 1, "{list}");
}

#[test]
fn dashboard_begins_with_due_decisions() {
    let scenario = project("2026-11-20");
    let shown = scenario.discussions(&[]).code(0).stdout;
    assert!(shown.starts_with("Decisions to review\n"), "{shown}");
    let first = shown.lines().nth(1).unwrap();
    assert!(first.contains("sessions") && first.contains("1 day overdue"), "{shown}");
    let board = scenario.discussions(&["--json"]).code(0).json();
    assert_eq!(board["due"][0]["due"][0]["text"], "sessions in Redis", "{board}");
    assert_valid(&scenario, "dashboard", &board);
    let quiet = project("2026-11-18").discussions(&[]).code(0);
    quiet.stdout_lacks("Decisions to review");
}

#[test]
fn check_fails_if_a_review_is_overdue() {
    let scenario = project("2026-11-20");
    scenario.init_git().git(&["add", "-A"]).git(&["commit", "-qm", "Base"]);
    scenario.discussions(&["check", "--git"]).code(0);
    scenario.discussions(&["check", "--due"]).code(2).notes("--git");
    let overdue = scenario.discussions(&["check", "--git", "--due"]).code(1);
    overdue
        .says("discussions/sessions.md:9:1: error: D1 was to be reviewed by 2026-11-19;")
        .says("[review-overdue]")
        .stdout_lacks("cache.md");
    // The day ends at midnight UTC.
    let on_time = scenario.env("DISCUSSIONS_NOW", "2026-11-19T23:59:59Z");
    on_time.discussions(&["check", "--git", "--due"]).code(0);
}

//! `decisions --at`: the decisions that were in force at a commit.

use super::scenario::{Run, Scenario};
use super::schema::errors;
use super::template::Template;

/// A discussion that a person closed, with these lines.
fn closed(title: &str, says: &str) -> String {
    format!("# {title}\n\n---\n\nName: Rob\n\n{says}\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n")
}

/// A repository in which a second commit replaced the decision of the first one; a third one moved the discussions.
fn repository() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new()
            .env("DISCUSSIONS_NOW", "2026-11-20T12:00:00Z")
            .file("discussions/old.md", &closed("Sessions", "DECISION: sessions in Redis"))
            .file("discussions/README.md", "# A page\n\nNo discussion.\n");
        scenario.init_git().git(&["add", "-A"]).git(&["commit", "-qm", "First"]);
        scenario.git(&["tag", "first"]);
        let new = closed("Sessions anew", "DECISION: in PostgreSQL\n\nSUPERSEDES: old.md");
        scenario.write("discussions/2026/new.md", new.replace("old.md", "../old.md").as_bytes());
        scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Second"]).git(&["tag", "second"]);
        scenario
    });
    TEMPLATE.copy()
}

fn decisions(run: Run) -> Vec<String> {
    let log = run.code(0).json();
    let of = |one: &serde_json::Value| one["decisions"][0]["text"].as_str().unwrap().to_owned();
    log.as_array().unwrap().iter().map(of).collect()
}

/// Checks a document against its schema.
fn assert_valid(scenario: &Scenario, name: &str, document: &serde_json::Value) {
    let schema = scenario.discussions(&["schema", name]).code(0).json();
    assert_eq!(errors(&schema, document), Vec::<String>::new());
}

#[test]
fn decisions_in_force_at_a_commit_are_listed() {
    let scenario = repository();
    let at = |rev: &str| decisions(scenario.discussions(&["decisions", "--at", rev, "--json"]));
    assert_eq!(at("first"), ["sessions in Redis"]);
    assert_eq!(at("second"), ["in PostgreSQL"], "a replaced decision was not in force");
    assert_eq!(at("HEAD~1"), ["sessions in Redis"]);
    let log = scenario.discussions(&["decisions", "--at", "first", "--json"]).code(0).json();
    assert_valid(&scenario, "decisions", &log);
    let shown = scenario.discussions(&["decisions", "--at", "first"]).code(0);
    shown.says("sessions in Redis").stdout_lacks("A page").stdout_lacks("replaced");
    // Uncommitted changes do not count, and neither does the present folder.
    std::fs::remove_dir_all(scenario.path("discussions")).unwrap();
    assert_eq!(at("second"), ["in PostgreSQL"]);
}

#[test]
fn wrong_commit_is_an_error() {
    let scenario = repository();
    scenario.discussions(&["decisions", "--at", "nope"]).code(3).notes("nope");
    scenario.discussions(&["decisions", "--at=--output=x"]).code(3);
    assert!(!scenario.path("x").exists());
    Scenario::new().discussions(&["decisions", "--at", "HEAD"]).code(3);
    scenario.discussions(&["decisions", "--at", "HEAD", "--due"]).code(2);
}

#[test]
fn hidden_files_summaries_and_links_are_left_out() {
    let scenario = repository();
    let text = closed("Hidden", "DECISION: hidden");
    scenario.write("discussions/.old/a.md", text.as_bytes());
    scenario.write("discussions/a.sum.md", text.as_bytes());
    scenario.write("other/b.md", text.as_bytes());
    std::os::unix::fs::symlink("../other/b.md", scenario.path("discussions/link.md")).unwrap();
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Third"]);
    let found = scenario.discussions(&["decisions", "--at", "HEAD", "--json"]);
    assert_eq!(decisions(found), ["in PostgreSQL"]);
}

#[test]
fn files_filter_the_decisions_of_a_commit() {
    let scenario = repository();
    let text = closed("Web", "DECISION: no framework\n\nAFFECTS: `web/`");
    scenario.write("discussions/web.md", text.as_bytes());
    scenario.git(&["add", "-A"]).git(&["commit", "-qm", "Third"]);
    let line = ["decisions", "--at", "HEAD", "--for", "web/a.js", "--json"];
    assert_eq!(decisions(scenario.discussions(&line)), ["no framework"]);
}

//! `close --adopt`: a proposal becomes a decision in one step.

use crate::cli::Scenario;

const PROPOSALS: &str =
    "# Logs\n\n---\n\nName: agent\n\nDECISION: to standard error\n\nDECISION: as JSON\n\n---\n";

fn project() -> Scenario {
    Scenario::new()
        .file("discussions.yaml", "author: Tess\n")
        .file("src/log.rs", "fn log() {}\n")
        .file("discussions/logs.md", PROPOSALS)
}

#[test]
fn named_proposal_is_adopted_with_its_files() {
    let scenario = project();
    let run = scenario
        .discussions(&["close", "logs", "--adopt", "D1", "--affects", "src/log.rs"])
        .code(0);
    assert!(run.stdout.contains("D1: to standard error"), "{}", run.stdout);
    assert!(!run.stdout.contains("as JSON"), "{}", run.stdout);
    let text = scenario.read("discussions/logs.md");
    assert!(text.contains("\n+1 D1\n\nAFFECTS (D1): `src/log.rs`\n"), "{text}");
    assert!(text.contains("<!-- STATUS: CLOSED, by: Tess -->"), "{text}");
    let found = scenario.discussions(&["decisions", "--for", "src/log.rs"]).code(0).stdout;
    assert!(found.contains("to standard error"), "{found}");
    scenario.discussions(&["check"]).code(0);
}

#[test]
fn several_proposals_are_adopted_also_after_the_end() {
    let scenario = project();
    scenario.discussions(&["close", "logs", "--adopt", "1"]).code(0);
    scenario.discussions(&["close", "logs", "--adopt", "D2"]).code(0);
    let shown = scenario.discussions(&["status", "logs", "--json"]).code(0).json();
    assert_eq!(shown["decisions"][1]["state"], "in-force", "{shown:#}");
    let scenario = project();
    scenario.discussions(&["close", "logs", "--adopt", "D1,D2"]).code(0);
    let shown = scenario.discussions(&["status", "logs", "--json"]).code(0).json();
    for one in shown["decisions"].as_array().unwrap() {
        assert_eq!(one["state"], "in-force", "{shown:#}");
    }
}

#[test]
fn nothing_is_written_for_what_cannot_be_adopted() {
    for (args, code) in [
        (vec!["--adopt", "D7"], 3),
        (vec!["--adopt", "D1", "--affects", "src/[z-a]"], 3),
        (vec!["--adopt", "D1", "--affects", "a`b"], 3),
        (vec!["--adopt", "first"], 2),
        (vec!["--affects", "src"], 2),
    ] {
        let scenario = project();
        let line: Vec<&str> = ["close", "logs"].into_iter().chain(args).collect();
        scenario.discussions(&line).code(code);
        assert_eq!(scenario.read("discussions/logs.md"), PROPOSALS, "{line:?}");
    }
}

//! Diagnostics equal a check, and half a line is no error.

use serde_json::json;

use super::client::{Client, applied, place};

const BEGUN: &str = "# T\n\n---\n\nName: Rob\n\nQ: Why?\n\n---\n";

fn finding(code: &str, severity: u64, line: u64) -> (String, u64, u64) {
    (code.to_owned(), severity, line)
}

#[test]
fn a_comment_typed_letter_by_letter_shows_no_passing_error() {
    let comment = "\nName: Ann\n\nA: Q1 since @architect asked.\n\nVOTE: READY\n\n---\n";
    let mut client = Client::new(&[("a.md", BEGUN)]);
    client.open("a.md");
    assert_eq!(client.diagnostics_of("a.md"), []);
    let mut text = BEGUN.to_owned();
    for letter in comment.chars() {
        let end = place(&format!("{text}|"));
        client.edit("a.md", &end, &end, &letter.to_string());
        text.push(letter);
        client.pass(200);
        let errors = client.diagnostics_of("a.md").into_iter().filter(|one| one.1 == 1);
        assert_eq!(errors.collect::<Vec<_>>(), [], "after {text}");
    }
    client.pass(1000);
    assert_eq!(client.diagnostics_of("a.md"), []);
}

#[test]
fn an_error_of_the_typed_line_is_shown_after_a_second() {
    let mut client = Client::new(&[("a.md", BEGUN)]);
    client.open("a.md");
    let end = place(&format!("{BEGUN}|"));
    client.edit("a.md", &end, &end, "\nName: Ann\n\nVOTE: NEVER\n\n---\n");
    client.pass(900);
    assert_eq!(client.diagnostics_of("a.md"), []);
    client.pass(100);
    assert_eq!(client.diagnostics_of("a.md"), [finding("vote-unknown", 1, 12)]);
    // A known error stays while other text is typed.
    client.edit("a.md", &place("# T|"), &place("# T|"), "ea");
    client.pass(200);
    assert_eq!(client.diagnostics_of("a.md"), [finding("vote-unknown", 1, 12)]);
}

#[test]
fn an_unfinished_end_is_reported_only_in_the_saved_text() {
    let text = format!("{BEGUN}\nName: Ann\n\nI th");
    let mut client = Client::new(&[("a.md", &text)]);
    client.open("a.md");
    let unfinished = [finding("last-line-cut", 2, 12), finding("torn", 2, 10)];
    assert_eq!(client.diagnostics_of("a.md"), unfinished);
    let end = place(&format!("{text}|"));
    client.edit("a.md", &end, &end, "ink");
    client.pass(5000);
    assert_eq!(client.diagnostics_of("a.md"), []);
    client.save("a.md");
    assert_eq!(client.diagnostics_of("a.md"), unfinished);
}

#[test]
fn the_newest_version_is_checked() {
    let mut client = Client::new(&[("a.md", BEGUN)]);
    client.open("a.md");
    client.replace("a.md", &BEGUN.replace("Q: Why?", "VOTE: NEVER"));
    client.pass(100);
    client.replace("a.md", BEGUN);
    client.pass(5000);
    let published = client.notifications("textDocument/publishDiagnostics");
    let versions: Vec<_> = published.iter().map(|one| one["version"].clone()).collect();
    assert!(!versions.contains(&json!(2)), "{versions:?}");
    assert_eq!(client.diagnostics_of("a.md"), []);
}

#[test]
fn a_problem_ends_with_the_token_that_it_names() {
    let text = BEGUN.replace("Q: Why?", "See @nobody-here, please.");
    let mut client = Client::new(&[("a.md", &text)]);
    client.open("a.md");
    let all = client.last_diagnostics("a.md").unwrap();
    assert_eq!(all.len(), 1, "{all:#?}");
    assert_eq!(all[0]["code"], "mention-unknown");
    let range = json!({
        "start": { "line": 6, "character": 4 },
        "end": { "line": 6, "character": 16 },
    });
    assert_eq!(all[0]["range"], range);
}

#[test]
fn at_most_a_thousand_problems_are_sent_and_the_gravest_first() {
    let lines: String = (0..1500).map(|number| format!("See @nobody{number}.\n\n")).collect();
    let text = BEGUN.replace("Q: Why?", &format!("{lines}VOTE: NEVER"));
    let mut client = Client::new(&[("a.md", &text)]);
    client.open("a.md");
    let all = client.last_diagnostics("a.md").unwrap();
    assert_eq!(all.len(), 1000);
    assert!(all.iter().any(|one| one["code"] == "vote-unknown"));
}

#[test]
fn appended_answers_are_taken_in_above_what_was_typed() {
    let mut client = Client::new(&[("a.md", BEGUN)]);
    client.open("a.md");
    let typed = "\nName: Ann\n\nMine.\n\n---\n";
    let end = place(&format!("{BEGUN}|"));
    client.edit("a.md", &end, &end, typed);
    let answer = "\nName: AI-Architect\n\nTheirs.\n\n---\n";
    std::fs::write(client.path("a.md"), format!("{BEGUN}{answer}")).unwrap();
    let edits = client.ask_about("willSaveWaitUntil", "a.md");
    let saved = applied(&format!("{BEGUN}{typed}"), edits.as_array().unwrap());
    assert_eq!(saved, format!("{BEGUN}{answer}{typed}"));
    let fixed = client.fixed("a.md", "Take in 1 answer", &format!("{BEGUN}{typed}"));
    assert_eq!(fixed, saved);
    // The client applied the edit, saved, and asks again.
    client.edit("a.md", &end, &end, answer);
    client.save("a.md");
    assert_eq!(client.ask_about("willSaveWaitUntil", "a.md"), json!([]));
}

#[test]
fn a_broken_configuration_is_one_error() {
    let mut client = Client::new(&[("a.md", BEGUN), ("discussions.yaml", "author: [")]);
    client.open("a.md");
    assert_eq!(client.diagnostics_of("a.md"), [finding("unreadable", 1, 0)]);
    std::fs::write(client.path("discussions.yaml"), "author: Rob\n").unwrap();
    client.save("a.md");
    assert_eq!(client.diagnostics_of("a.md"), []);
}

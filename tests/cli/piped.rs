//! `discussions pipe`: the words come from a program, and the command ends if that program does.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use super::Scenario;

/// Returns words as a program sends them.
fn line(words: &[&str]) -> String {
    format!("{}\n", json!(words))
}

#[test]
fn words_may_be_long_and_hold_anything() {
    let scenario = Scenario::with_discussion();
    let long = "é".repeat(400_000);
    for text in ["-\n", "--json", "- item\r\n-- two\n", "a\u{0}b", "\"quoted\" $HOME `x`", &long] {
        let words = ["comment", "--json", "--as=Rob", "--", "caching", text];
        let written = scenario.discussions_with(&["pipe"], &line(&words)).code(0);
        let written: Value = serde_json::from_str(&written.stdout).unwrap();
        assert_eq!(written["author"], "Rob", "{written}");
    }
    let file = scenario.read("discussions/caching.md");
    assert!(file.contains("\n--json\n") && file.contains("$HOME `x`") && file.contains(&long));
}

#[test]
fn words_that_cannot_be_read_are_refused_as_json() {
    let scenario = Scenario::new();
    for words in ["list\n", "[\"list\", 1]\n", "{}\n"] {
        let refused = scenario.discussions_with(&["pipe"], words).code(2);
        let refused: Value = serde_json::from_str(&refused.stdout).unwrap();
        assert_eq!(refused["error"]["code"], "DISCUSSION_INVALID_INPUT", "{words}");
    }
    scenario.discussions_with(&["pipe"], "").code(130).stdout("");
    scenario.discussions_with(&["pipe"], &line(&["pipe"])).code(2);
    scenario.discussions_with(&["-q", "pipe"], &line(&["list"])).code(2);
    scenario.discussions_with(&["pipe"], &line(&["list", "--such"])).code(2);
}

#[test]
fn closed_input_interrupts_a_run_that_resumes() {
    let slow = "#!/bin/sh\ncat > /dev/null\n[ -e \"$HOME/fast\" ] || exec sleep 60\necho Fine.\n";
    let scenario = Scenario::with_discussion()
        .program("slow", slow)
        .file("../config/providers.yaml", "providers: [{name: slow, command: slow}]\n");
    let mut command = scenario.program_under_test();
    command.arg("pipe").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut run = command.spawn().unwrap();
    let mut input = run.stdin.take().unwrap();
    let words = ["run", "caching", "--provider=slow", "--json", "--events"];
    input.write_all(line(&words).as_bytes()).unwrap();
    let mut lines = BufReader::new(run.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("\"answer.start\"")));
    drop(input);
    let ran: Value = serde_json::from_str(&lines.last().unwrap()).unwrap();
    assert_eq!(ran["stopped"], "aborted", "{ran}");
    assert_eq!(run.wait().unwrap().code(), Some(130));
    scenario.write("../home/fast", b"");
    let ran = scenario.discussions(&["turn", "caching", "--provider=slow", "--json"]).code(0);
    let ran: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(ran["calls"].as_array().unwrap().len(), 3, "{ran}");
}

#[test]
fn failed_run_ends_with_a_document_after_its_events() {
    let scenario = Scenario::with_discussion();
    let run = scenario.discussions(&["run", "caching", "--events", "--json"]).code(4);
    let last: Value = serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap();
    assert!(last["error"]["hint"].is_string(), "{last}");
}

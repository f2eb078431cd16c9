//! The language server as editors start it: its diagnostics equal a check, and nothing of a project can use it.

pub(crate) mod client;
mod recorded;
mod set_up;
mod threats;

use std::path::Path;

use serde_json::{Value, json};

use self::client::{Editor, uri};
use crate::cli::Scenario;

const BEGUN: &str = "# T\n\n---\n\nName: Rob\n\nQ: Why?\n\n---\n";

/// Starts the server in the working folder.
fn editor(scenario: &Scenario) -> Editor {
    let mut command = scenario.program_under_test();
    command.args(["lsp", "--stdio"]);
    Editor::start(command, &scenario.path(""), &Value::Null)
}

/// Returns place, code and severity of the diagnostics, sorted.
fn placed(all: &[Value]) -> Vec<(u64, u64, u64, u64, String, u64)> {
    let number = |one: &Value, pointer: &str| one.pointer(pointer).unwrap().as_u64().unwrap();
    let mut all: Vec<_> = all
        .iter()
        .map(|one| {
            (
                number(one, "/range/start/line"),
                number(one, "/range/start/character"),
                number(one, "/range/end/line"),
                number(one, "/range/end/character"),
                one["code"].as_str().unwrap_or_default().to_owned(),
                number(one, "/severity"),
            )
        })
        .collect();
    all.sort();
    all
}

/// Returns what a check of a file finds, in the form of [`placed`].
fn checked(scenario: &Scenario, file: &str) -> Vec<(u64, u64, u64, u64, String, u64)> {
    let run = scenario.discussions(&["check", "--json", file]).with_any_code();
    let all: Value = serde_json::from_str(&run.stdout).unwrap();
    let one = all.as_array().unwrap().iter().find(|one| one["file"] == file).unwrap();
    let mut found: Vec<_> = one["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let number = |key: &str| one[key].as_u64().unwrap().max(1) - 1;
            let severity = match one["severity"].as_str().unwrap() {
                "error" => 1,
                "warning" => 2,
                _ => 3,
            };
            let end = (number("endLine"), number("endColumn"));
            let code = one["code"].as_str().unwrap().to_owned();
            (number("line"), number("column"), end.0, end.1, code, severity)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn diagnostics_of_some_attacks_and_examples_equal_a_check() {
    assert!(compare_with_check(8) > 5);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: checks every attack and example"]
    fn diagnostics_of_every_attack_and_example_equal_a_check() {
        let problems = compare_with_check(1);
        assert!(problems > 50, "{problems}");
    }
}

/// Compares the diagnostics of each `step`th attack and example with a check; returns the number of problems.
fn compare_with_check(step: usize) -> usize {
    let scenario = Scenario::new();
    let mut texts = Vec::new();
    for folder in ["tests/cases/attacks", "examples"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
            let path = entry.unwrap().into_path();
            let is_page = path.extension().is_some_and(|ending| ending == "md");
            if let Some(Ok(text)) = is_page.then(|| std::fs::read_to_string(&path)) {
                texts.push(text);
            }
        }
    }
    assert!(texts.len() > 20, "{}", texts.len());
    let texts: Vec<String> = texts.into_iter().step_by(step).collect();
    for (number, text) in texts.iter().enumerate() {
        scenario.write(&format!("discussions/{number}.md"), text.as_bytes());
    }
    let mut editor = editor(&scenario);
    let mut problems = 0;
    for (number, text) in texts.iter().enumerate() {
        let file = format!("discussions/{number}.md");
        let path = scenario.path(&file);
        let found = placed(&editor.open(&path, text));
        problems += found.len();
        assert_eq!(found, checked(&scenario, &file), "{text}");
    }
    assert!(editor.exit().success());
    problems
}

#[test]
fn diagnostics_change_with_the_unsaved_text_and_not_with_the_file() {
    let scenario = Scenario::new().file("a.md", BEGUN);
    let mut editor = editor(&scenario);
    let path = scenario.path("a.md");
    assert_eq!(editor.open(&path, BEGUN), [] as [Value; 0]);
    let text = BEGUN.replace("Q: Why?", "See @nobody.");
    let change = json!({
        "textDocument": { "uri": uri(&path), "version": 2 },
        "contentChanges": [{ "text": text }],
    });
    editor.tell("textDocument/didChange", change);
    let found = editor.diagnostics(&path);
    assert_eq!(found[0]["code"], "mention-unknown");
    assert_eq!(found[0]["source"], "discussions");
    assert_eq!(scenario.read("a.md"), BEGUN);
    editor.exit();
}

#[test]
fn the_server_ends_with_its_client() {
    let scenario = Scenario::new().file("a.md", BEGUN);
    let started = || {
        let mut command = scenario.program_under_test();
        command.arg("lsp");
        Editor::spawn(command)
    };
    assert_eq!(started().die().code(), Some(1));
    let mut early = started();
    early.tell("exit", Value::Null);
    assert_eq!(early.die().code(), Some(1));
    let mut open = editor(&scenario);
    open.open(&scenario.path("a.md"), BEGUN);
    assert_eq!(open.die().code(), Some(1));
}

#[test]
fn a_client_that_never_reads_is_not_waited_for() {
    let scenario = Scenario::new();
    let mut command = scenario.program_under_test();
    command.arg("lsp").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let send = |input: &mut std::process::ChildStdin, method: &str, id: Option<i32>, params| {
        use lsp_server::{Message, Notification, Request};
        let method = method.to_owned();
        let message: Message = match id {
            Some(id) => Request { id: id.into(), method, params }.into(),
            None => Notification { method, params }.into(),
        };
        message.write(input).unwrap();
    };
    send(&mut input, "initialize", Some(1), json!({ "capabilities": {} }));
    // More answers than any pipe holds.
    for id in 2..2_000 {
        send(&mut input, &"unknown/".repeat(8), Some(id), Value::Null);
    }
    send(&mut input, "exit", None, Value::Null);
    // Its pipe is still open and full.
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

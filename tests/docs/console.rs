//! Console blocks: runs the commands after `$ ` and compares the output with the lines below.

use std::io::Read as _;
use std::process::Stdio;

use regex::Regex;

use crate::cli::{CLAUDE, Scenario};

/// `cargo run --release -- ...` runs the program; other cargo commands are part of this test run.
const CARGO: &str = r#"#!/bin/sh
case "$1 $2 $3" in
  "run --release --") shift 3; exec discussions "$@" ;;
  "test  " | "install --path .") ;;
  *) echo "cargo $*: not expected"; exit 1 ;;
esac
"#;

/// Printed between two commands; the exit code of the first one follows.
const MARK: &str = "@@@ ";

/// A folder for the blocks of one section, with the program, a model program and `cargo` on PATH.
pub(super) fn stage() -> Scenario {
    let program = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_discussions"));
    Scenario::new()
        .distrusting()
        .program("discussions", &program)
        .program("claude", CLAUDE)
        .program("cargo", CARGO)
}

/// A command and its expected output.
#[derive(Debug)]
struct Step {
    command: String,
    wanted: String,
}

/// Returns the commands with the lines below them; a command that ends in `\` continues on the next line.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_owned(), wanted: String::new() });
            }
            (None, Some(step)) if step.wanted.is_empty() && step.command.ends_with('\\') => {
                step.command = format!("{}\n{line}", step.command);
            }
            (None, Some(step)) => step.wanted.push_str(&format!("{line}\n")),
            (None, None) => panic!("a console block begins with a command: {line}"),
        }
    }
    steps
}

/// Runs all commands of a block in one shell; returns the differences from the page.
pub(super) fn differences(stage: &Scenario, place: &str, text: &str) -> Vec<String> {
    let steps = steps(text);
    let script: String = steps
        .iter()
        .map(|step| format!("{}\ncode=$?; printf '\\n{MARK}\\n'; (exit $code)\n", step.command))
        .collect();
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = stage.command("/bin/sh");
    command.arg("-c").arg(&script).stdin(Stdio::null());
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // It holds the other end of the pipe.
    drop(command);
    let mut printed = String::new();
    reader.read_to_string(&mut printed).unwrap();
    child.wait().unwrap();
    let root = stage.path("").parent().unwrap().canonicalize().unwrap();
    let printed = printed.replace(root.to_str().unwrap(), "/home/rob");
    let mark = format!("\n{MARK}\n");
    let mut printed = printed.split(&mark);
    let mut differences = Vec::new();
    for step in &steps {
        let got = shown(printed.next().unwrap_or_default());
        let wanted = shown(&step.wanted);
        if !matches_output(&wanted, &got) {
            let command = &step.command;
            differences.push(format!(
                "{place}: `{command}`\n--- printed\n{got}\n--- written there\n{wanted}\n"
            ));
        }
    }
    differences
}

/// Removes everything that differs between runs: times, hashes, temporary folders.
fn shown(text: &str) -> String {
    let filters = [
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "<time>"),
        (r"on \d{4}-\d\d-\d\d at \d\d:\d\d \(UTC\)", "<when>"),
        (r"\bms: \d+", "ms: <ms>"),
        (r"\b[0-9a-f]{12}\b|\b[0-9a-f]{40}\b", "<commit>"),
    ];
    let text = filters.iter().fold(text.trim_matches('\n').to_owned(), |text, (pattern, with)| {
        Regex::new(pattern).unwrap().replace_all(&text, *with).into_owned()
    });
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Returns whether a text matches; a line `...` stands for any lines.
fn matches_output(wanted: &str, got: &str) -> bool {
    let pattern: Vec<String> = wanted
        .lines()
        .map(|line| {
            if line.trim() == "..." { "(?:.*\n)*?".to_owned() } else { regex::escape(line) + "\n" }
        })
        .collect();
    let got = if got.is_empty() { String::new() } else { format!("{got}\n") };
    Regex::new(&format!("^{}$", pattern.concat())).unwrap().is_match(&got)
}

#[test]
fn ellipsis_line_matches_any_lines() {
    assert!(
        matches_output("a\n...\nd", "a\nb\nc\nd")
            && matches_output("a\n...", "a")
            && matches_output("", "")
    );
    assert!(
        !matches_output("a\n...\nd", "a\nb\nc")
            && !matches_output("", "a")
            && !matches_output("a.c", "abc")
    );
}

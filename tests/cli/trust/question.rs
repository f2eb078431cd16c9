//! The question about trust: its text and its answers.

use super::super::scenario::Scenario;
use super::{cloned_project, turn_of_architect, was_run};

#[test]
fn trust_without_a_terminal_shows_all_and_trusts_nothing() {
    let scenario = cloned_project();
    scenario
        .discussions_with(&["trust"], "yes\n")
        .code(3)
        .stdout("Not trusted: panel (providers.yaml:2)\n")
        .notes("  env        HELLO=world\n")
        .notes("error: confirmation needs a terminal (DISCUSSION_NOT_TRUSTED)\n");
    turn_of_architect(&scenario).code(3);
    let nothing = Scenario::new().file("discussions.yaml", "");
    nothing
        .discussions(&["trust"])
        .code(0)
        .stdout("This project defines nothing that would run.\n");
    Scenario::new().discussions(&["trust"]).code(3).notes("is not in a project");
}

#[test]
fn provider_that_replaces_a_known_name_needs_trust() {
    let scenario = cloned_project()
        .file("discussions.yaml", "")
        .file(
            "providers.yaml",
            "providers:\n  - {name: claude-sonnet, command: panel}\n  - {name: x, builtin: mock, aliases: [codex, gemini]}\n  \
             - {name: mine, builtin: mock}\n  - {name: harmless, builtin: mock}\n",
        )
        .file("participants/architect.yaml", "name: AI-Architect\nalias: architect\npersonality: Yes.\nprovider_hint: claude-sonnet\n");
    scenario.write(
        "../config/providers.yaml",
        b"providers:\n  - {name: mine, command: panel --mine}\n",
    );
    scenario
        .discussions(&["trust"])
        .code(3)
        .notes("  instead of the built-in `claude-sonnet`\n")
        .notes("  instead of the built-in `gemini`\n")
        .notes("  instead of your own `mine` (<root>/config/providers.yaml)\n")
        .stdout_lacks("harmless");
    let turn = turn_of_architect(&scenario).code(3);
    assert!(turn.stderr().contains("providers.yaml:2"), "{}", turn.stderr());
    for (provider, code) in [("gemini", 3), ("mine", 3), ("harmless", 0)] {
        scenario.discussions(&["turn", "caching", "@security", "--provider", provider]).code(code);
    }
    assert!(!was_run(&scenario));
}

#[test]
fn question_shows_the_whole_definition() {
    let long = "x".repeat(3000);
    let command = format!("sh -c 'true\\n  defined in nowhere:1\\e[2J\\u202e{long}' end");
    let scenario = cloned_project().file(
        "providers.yaml",
        &format!(
            "providers:\n  - name: panel\n    command: \"{command}\"\n    env: {{A: \"1\\r2\"}}\n"
        ),
    );
    let shown = scenario.discussions(&["trust"]).code(3).into_stderr();
    let line = shown.lines().find(|line| line.contains("sh -c")).unwrap();
    assert!(line.contains(r"true\n  defined in nowhere:1\u{1b}[2J⟨U+202E⟩xxx"), "{line}");
    assert!(line.ends_with("xxx' end"), "{line}");
    assert!(shown.contains(r"env        A=1\r2"), "{shown}");
    assert!(
        shown.contains("warning: this may not fit on your screen; read providers.yaml:2 before"),
        "{shown}"
    );
}

#[test]
fn variables_in_a_command_are_shown_unexpanded() {
    let scenario = cloned_project().env("SECRET", "hunter2").file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: \"$A -c 'echo $SECRET ' ~/x 'a b'\", env: {A: sh}}\n",
    );
    let shown = scenario.discussions(&["trust"]).code(3).into_stderr();
    assert!(
        shown.contains("  command    $A -c \"echo $SECRET \" ~/x 'a b'\n  program    /"),
        "{shown}"
    );
    assert!(!shown.contains("hunter2"), "{shown}");
}

/// Runs a command on a terminal with this input; returns the shown text and the exit code.
fn run_on_terminal(scenario: &Scenario, command: &str, typed: &str) -> Option<(String, i32)> {
    use std::io::Write as _;
    use std::process::Stdio;
    if !scenario
        .command("script")
        .args(["-qec", "true", "/dev/null"])
        .output()
        .is_ok_and(|it| it.status.success())
    {
        println!("skipped: `script` does not work here");
        return None;
    }
    let line = format!("{} {command}", env!("CARGO_BIN_EXE_discussions"));
    let mut child = scenario
        .command("script")
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "dumb")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    Some((shown, output.status.code().unwrap()))
}

#[test]
fn trust_that_cannot_be_stored_is_valid_for_one_run() {
    // Not even root can create a folder in `/proc`.
    if !std::path::Path::new("/proc/self").exists() {
        return;
    }
    let scenario = cloned_project().env("DISCUSSIONS_STATE_DIR", "/proc/nowhere");
    let Some((shown, code)) = run_on_terminal(&scenario, "turn caching @architect", "y\n") else {
        return;
    };
    assert_eq!(code, 0, "{shown}");
    assert!(
        shown.contains("warning: your answer is valid for this run only; the next run asks again"),
        "{shown}"
    );
    assert!(was_run(&scenario));
    let (shown, code) = run_on_terminal(&scenario, "turn caching @architect", "n\n").unwrap();
    assert_eq!(code, 3, "{shown}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn terminal_asks_once_before_the_first_call() {
        let scenario = cloned_project();
        for no in ["\n", "n\n", "nonsense\n", "yes please\n"] {
            let Some((shown, code)) = run_on_terminal(&scenario, "turn caching @architect", no)
            else {
                return;
            };
            assert_eq!(code, 3, "{no:?}: {shown}");
            assert!(shown.contains("Trust panel? [y/N]"), "{shown}");
            assert!(
                shown.contains("command    panel --quick") && shown.contains("HELLO=world"),
                "{shown}"
            );
            assert!(
                shown.contains("DISCUSSION_NOT_TRUSTED") && !shown.contains(" · turn "),
                "{shown}"
            );
        }
        assert!(!was_run(&scenario));
        let (shown, code) = run_on_terminal(&scenario, "turn caching", "y\n").unwrap();
        assert_eq!(code, 0, "{shown}");
        assert_eq!(shown.matches("Trust panel?").count(), 1, "once for three: {shown}");
        assert!(was_run(&scenario));
        let (shown, code) = run_on_terminal(&scenario, "turn caching", "").unwrap();
        assert_eq!(code, 0, "{shown}");
        assert!(!shown.contains("Trust panel?"), "{shown}");
        let (shown, code) = run_on_terminal(&cloned_project(), "trust", "yes\n").unwrap();
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("Trusted: panel (providers.yaml:2)"), "{shown}");
    }
}

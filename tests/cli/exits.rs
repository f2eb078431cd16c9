//! Exit codes 2 (unreadable command line) and 3 (unusable input) of every command.

use super::scenario::Scenario;

#[test]
fn unreadable_command_line_exits_2() {
    let scenario = Scenario::with_discussion();
    for verb in [
        "new",
        "list",
        "show",
        "status",
        "check",
        "turn",
        "comment",
        "vote",
        "advance",
        "close",
        "reopen",
        "run",
        "discuss",
        "review",
        "result",
        "decisions",
        "search",
        "export",
        "participants",
        "templates",
        "providers",
        "trust",
        "doctor",
        "init",
        "merge",
        "completions",
        "schema",
        "man",
    ] {
        scenario.discussions(&[verb, "--no-such-flag"]).code(2);
    }
    for args in [
        &["no-such-verb"][..],
        &["check", "--since", "HEAD"],
        &["run", "caching", "--max-turns", "many"],
        &["run", "caching", "--dry-run", "--events"],
        &["discuss"],
    ] {
        scenario.discussions(args).code(2);
    }
}

#[test]
fn unusable_input_exits_3() {
    let scenario = Scenario::with_discussion();
    for args in [
        &["show", "nowhere"][..],
        &["status", "nowhere"],
        &["check", "nowhere"],
        &["turn", "nowhere"],
        &["comment", "nowhere", "x"],
        &["vote", "nowhere", "READY"],
        &["advance", "nowhere"],
        &["close", "nowhere"],
        &["reopen", "nowhere"],
        &["run", "nowhere"],
        &["result", "nowhere"],
        &["export", "nowhere", "--adr"],
        &["new", "x", "--template", "nowhere"],
        &["comment", "caching", "x", "--vote", "PERHAPS"],
        &["vote", "caching", "PERHAPS"],
        &["comment", "caching", "x", "--as", "A/B"],
        &["advance", "caching", "--to", "nowhere"],
        &["participants", "show", "nobody"],
        &["templates", "show", "nothing"],
        &["providers", "check", "nope"],
        &["turn", "caching", "--provider", "nope"],
        &["run", "caching", "--provider", "nope"],
        &["discuss", "x", "--provider", "nope"],
        &["discuss", "x", "--pattern", "nope", "--provider", "mock"],
        &["review", "nowhere.md", "--provider", "mock"],
    ] {
        let run = scenario.discussions(args);
        assert_eq!(run.exit(), 3, "{args:?}: {}", run.stderr());
        assert!(run.stderr().contains("error: "), "{args:?}: {}", run.stderr());
    }
}

#[test]
fn unknown_provider_is_an_error_even_without_calls() {
    let scenario = Scenario::with_discussion();
    for vote in ["security", "architect", "pragmatist"] {
        scenario.discussions(&["comment", "caching", "VOTE: READY", "--as", vote]).code(0);
    }
    for args in [
        &["run", "caching", "--provider", "nope", "--events"][..],
        &["turn", "caching", "--provider", "nope", "--events"],
    ] {
        let run = scenario.discussions(args).code(3).notes("there is no provider `nope`");
        let last = run.stdout.lines().last().unwrap();
        let event: serde_json::Value = serde_json::from_str(last).unwrap();
        assert_eq!(event["event"], "error", "{args:?}: {}", run.stdout);
        assert_eq!(event["code"], "DISCUSSION_INVALID_INPUT");
    }
}

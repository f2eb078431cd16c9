//! Login of agents: calls before and after a login, skipped participants, and each failure reason printed once.

use super::{calls, log_in, scenario};
use crate::cli::scenario::Scenario;

#[test]
fn participant_without_login_is_called_again_by_next_run() {
    let scenario = scenario();
    let run = scenario.discussions(&["run", "d"]).code(4);
    assert_eq!(run.stderr().matches("Not logged in").count(), 1, "{}", run.stderr());
    assert!(run.stderr().contains("discussions run"), "it says how to go on: {}", run.stderr());
    assert_eq!(calls(&scenario).len(), 3);
    // A second run without a change calls each participant exactly once more.
    scenario.discussions(&["run", "d"]).with_warnings().code(4);
    assert_eq!(calls(&scenario).len(), 6);
    log_in(&scenario, "in");
    let run = scenario.discussions(&["run", "d"]).code(0);
    assert!(scenario.read("d.md").matches("<!-- REPLY").count() >= 3, "{}", run.stderr());
    assert!(!run.stderr().contains("could not answer"), "{}", run.stderr());
}

#[test]
fn turn_calls_participants_that_could_not_log_in() {
    for again in [&["turn", "d"][..], &["turn", "d", "--provider", "mock"]] {
        let scenario = scenario();
        scenario.discussions(&["turn", "d"]).with_warnings().code(4);
        log_in(&scenario, "in");
        scenario.discussions(again).code(0);
        assert_eq!(scenario.read("d.md").matches("<!-- REPLY").count(), 3, "{again:?}");
    }
}

#[test]
fn discuss_stopped_by_missing_login_resumes_after_login() {
    let scenario = scenario();
    let args = ["discuss", "Which?", "--provider", "claude", "--out", "which.md"];
    scenario.discussions(&args).with_warnings().code(4);
    log_in(&scenario, "in");
    scenario.discussions(&["run", "which.md"]).code(0);
    assert!(scenario.read("which.md").contains("<!-- REPLY"));
}

#[test]
fn skipped_participant_is_named_and_called_by_next_run() {
    let scenario = scenario();
    log_in(&scenario, "security.in");
    log_in(&scenario, "pragmatist.in");
    let run = scenario.discussions(&["run", "d", "--no-wait"]).code(1);
    let told = "skipped for the rest of this run: architect";
    assert_eq!(run.stderr().matches(told).count(), 1, "{}", run.stderr());
    let of = |who: &str| calls(&scenario).iter().filter(|call| call[0] == who).count();
    assert_eq!(of("architect"), 1);
    assert!(of("security") > 1, "the others went on: {}", run.stderr());
    log_in(&scenario, "architect.in");
    log_in(&scenario, "moderator.in");
    scenario.discussions(&["turn", "d", "@architect"]).code(0);
    assert_eq!(of("architect"), 2);
    let events = scenario.discussions(&["run", "d", "--no-wait", "--events"]);
    assert!(!events.stdout.contains("leftOut"), "{}", events.stdout);
}

#[test]
fn skipped_participants_are_listed_in_events() {
    let scenario = scenario();
    log_in(&scenario, "security.in");
    log_in(&scenario, "pragmatist.in");
    let run = scenario.discussions(&["run", "d", "--no-wait", "--events"]).code(1).with_warnings();
    assert!(run.stdout.contains("\"leftOut\":[\"architect\"]"), "{}", run.stdout);
}

#[test]
fn repeated_failure_reason_is_printed_once_with_a_count() {
    let scenario = Scenario::new()
        .program("flaky", "#!/bin/sh\ncat > /dev/null\necho 'curl: (7) connection refused' >&2\nexit 7\n")
        .file("discussions.yaml", "author: Rob\nproviders: {default: flaky}\n")
        .file("providers.yaml", "providers: [{name: flaky, command: flaky, retries: 1}]\n")
        .file(
            "d.md",
            "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security]\n-->\n\n# D\n\n## Context\nText.\n",
        );
    let run = scenario.discussions(&["run", "d"]).code(4);
    assert_eq!(run.stderr().matches("curl: (7)").count(), 1, "{}", run.stderr());
    assert!(run.stderr().contains("2 tries: flaky exited with code 7: curl"), "{}", run.stderr());
    let file = scenario.read("d.md");
    let failed = file.lines().find(|line| line.starts_with("<!-- FAILED")).unwrap();
    assert_eq!(failed.matches("curl: (7)").count(), 1, "{failed}");
    assert!(failed.contains("calls: 2"), "{failed}");
    let told = scenario.discussions(&["discuss", "Which?", "--pattern", "voting"]).code(4);
    let summed =
        told.stderr().lines().find(|line| line.contains("no participant answered")).unwrap();
    assert_eq!(summed.matches("curl: (7)").count(), 1, "{summed}");
}

/// A scenario whose program prints this text and exits with status 0.
fn scenario_printing(said: &str) -> Scenario {
    Scenario::new()
        .program("own", &format!("#!/bin/sh\ncat > /dev/null\ncat <<'E'\n{said}\nE\n"))
        .file("discussions.yaml", "author: Rob\nproviders: {default: own}\n")
        .file("providers.yaml", "providers: [{name: own, command: own, retries: 0}]\n")
        .file(
            "d.md",
            "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect]\n-->\n\n# D\n\n## Context\nText.\n",
        )
}

#[test]
fn answer_that_discusses_errors_is_an_answer() {
    for said in [
        "Error: handling comes first; a 429 must be tried again.\n\nVOTE: READY",
        "Error: budgets are worth more than dashboards. VOTE: READY",
        "The API answers 429 Too Many Requests under load.",
    ] {
        let scenario = scenario_printing(said);
        scenario.discussions(&["turn", "d"]).code(0);
        assert!(scenario.read("d.md").contains("<!-- REPLY"), "{said}");
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts a model program for many calls"]
    fn error_text_is_not_an_answer_despite_exit_status_0() {
        for said in [
            "Error: 429 Too Many Requests",
            "API Error: 401 invalid x-api-key",
            "[error] rate limit reached, try again in 20 s",
            r#"{"error":{"message":"Incorrect API key","type":"invalid_request_error"}}"#,
            r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
            r#"{"error":"model not found"}"#,
            r#"[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]"#,
            r#"{"code":401,"message":"Unauthorized"}"#,
            r#"{"detail":"Not authenticated"}"#,
        ] {
            let scenario = scenario_printing(said);
            scenario.discussions(&["turn", "d"]).with_warnings().code(4);
            let file = scenario.read("d.md");
            assert!(file.contains("<!-- FAILED") && !file.contains("<!-- REPLY"), "{said}: {file}");
        }
    }
}

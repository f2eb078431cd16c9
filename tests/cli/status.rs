//! `discussions status` and `discussions show`: text and JSON.

use super::scenario::{CLAUDE, Scenario, keys};

const RICH: &str = "\
# Rich

We talk.

---

Name: Ann

Q: Which load? @rob
Q: Which budget? @rob

- [ ] TODO: measure it

DECISION: use the queue

CONCERN: it may grow

VOTE: READY

---

Name: architect

A: Q1 about 200 requests a second
ASSIGNED: T1 @ann
+1 D1

VOTE: MAYBE

---
";

#[test]
fn verbose_status_shows_every_part_of_a_discussion() {
    let scenario = Scenario::new().file("rich.md", RICH);
    let status = scenario.discussions(&["status", "rich", "--verbose"]).code(0);
    insta::assert_snapshot!(status.stdout);
    insta::assert_snapshot!(status.stderr(), @r#"
    1 error, 1 warning: discussions check rich.md
    @rob is asked a question: discussions answer rich Q2 "TEXT" --as rob
    next: discussions turn rich    (asks each participant once)
    next: discussions run rich    (asks until a person is needed)
    "#);
}

#[test]
fn status_json_has_the_documented_keys() {
    let scenario = Scenario::new().file("rich.md", RICH);
    let status = scenario.discussions(&["status", "rich.md", "--json"]).code(0).json();
    assert_eq!(
        keys(&status),
        [
            "file",
            "title",
            "template",
            "phase",
            "turn",
            "status",
            "votes",
            "tally",
            "consensus",
            "participants",
            "questions",
            "tasks",
            "concerns",
            "decision",
            "standing",
            "inForce",
            "decidedBy",
            "decisions",
            "conditions",
            "abstained",
            "outcome",
            "pendingMentions",
            "failures",
            "cost",
            "problems"
        ]
    );
    assert_eq!(
        keys(&status["consensus"]),
        ["reached", "outcome", "blockedBy", "missing", "humanRequired", "degraded"]
    );
    assert_eq!(keys(&status["participants"][0]), ["name", "alias", "type", "vote", "responded"]);
    assert_eq!(keys(&status["questions"][0]), ["number", "text", "author", "status", "line"]);
    assert_eq!(
        keys(&status["tasks"][0]),
        ["number", "text", "author", "assignee", "status", "line"]
    );
    assert_eq!(
        keys(&status["decisions"][0]),
        ["number", "text", "author", "supporters", "line", "state", "by"]
    );
    assert_eq!(keys(&status["concerns"][0]), ["number", "text", "author", "status", "line"]);
    assert_eq!(
        keys(&status["cost"]),
        ["totalCalls", "totalTokens", "estimatedCostUsd", "byProvider", "estimated"]
    );
    assert_eq!(keys(&status["problems"][0]), ["line", "column", "severity", "code", "message"]);
    assert_eq!(status["votes"]["Ann"], "READY");
    assert_eq!(status["questions"][0]["status"], "answered");
    assert_eq!(status["tasks"][0]["assignee"], "ann");
}

#[test]
fn failed_participant_is_shown_with_its_reason() {
    let scenario = Scenario::new().file("discussions.yaml", "").file(
        "providers.yaml",
        "providers:\n  - {name: broken, command: 'sh -c \"echo no quota >&2; exit 1\"', retries: 0}\n",
    );
    scenario
        .discussions(&["new", "Caching", "-p", "architect=broken,security=mock,pragmatist"])
        .code(0);
    scenario.discussions(&["turn", "caching", "@architect", "@security"]).with_warnings().code(0);
    let status = scenario.discussions(&["status", "caching"]).code(0);
    let status =
        status.says("  AI-Architect: failed (exit): broken exited with code 1: no quota\n");
    let status = status.says("  AI-Pragmatist: no answer yet\n");
    assert!(!status.stdout.contains("[failed since"), "{}", status.stdout);
    scenario
        .discussions(&["turn", "caching", "@security", "--provider", "broken"])
        .with_warnings()
        .code(4);
    scenario.discussions(&["status", "caching"]).code(0).says("  [failed later: exit]\n");
}

#[test]
fn uncounted_vote_is_not_shown_as_an_excerpt() {
    let comments = [
        ("Fay", "- VOTE: READY"),
        ("Gil", "```\nVOTE: READY\n```"),
        ("Bob", "VOTE: READY\n\n- VOTE: READY"),
        ("Kim", "\\*\\*\\*"),
        ("Ann", "    VOTE: REJECT\n\n~~~sh\nmake\n~~~\n\nFine by me."),
    ];
    let blocks = comments.map(|(name, text)| format!("---\n\nName: {name}\n\n{text}\n\n"));
    let scenario = Scenario::new().file("a.md", &format!("# A\n\n{}---\n", blocks.concat()));
    scenario
        .discussions(&["status", "a"])
        .code(0)
        .says("  Fay: (no text)\n  Gil: (no text)\n  Bob: READY\n  Kim: (no text)\n")
        .says("  Ann: Fine by me.\n");
}

#[test]
fn show_json_gives_every_entry_exactly() {
    let scenario = Scenario::with_discussion().program("claude", CLAUDE);
    scenario.discussions(&["turn", "caching", "@security"]).code(0);
    scenario.discussions(&["comment", "caching", "---\nName: x\n"]).code(0);
    scenario.discussions(&["advance", "caching", "--to", "consensus_vote"]).code(0);
    let show = scenario.discussions(&["show", "caching", "--json"]).code(0).json();
    assert_eq!(keys(&show), ["file", "title", "head", "preamble", "entries"]);
    let kinds: Vec<&str> =
        show["entries"].as_array().unwrap().iter().map(|e| e["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["turn", "comment", "comment", "phase", "voteReset"]);
    let answer = &show["entries"][1];
    assert_eq!(answer["author"], "AI-Security");
    assert_eq!(answer["body"], "This needs a threat model.\n\nQ: What is our token expiry policy?");
    assert_eq!(answer["vote"], "CHANGES");
    assert_eq!(answer["reply"]["provider"], "claude-sonnet");
    assert_eq!(answer["markers"][0]["marker"], "Q");
    assert_eq!(show["entries"][2]["body"], "---\n⟨quoted⟩ Name: x");
    assert_eq!(show["head"]["template"], "feature");
}

#[test]
fn show_prints_the_file() {
    let scenario = Scenario::new().file("rich.md", RICH);
    scenario.discussions(&["show", "rich"]).code(0).stdout(RICH);
}

#[test]
fn vote_is_shown_with_the_text_of_its_comment() {
    let scenario = Scenario::with_discussion();
    let vote = ["comment", "caching", "The limits have an owner now.", "--vote", "ready"];
    scenario.discussions(&vote).code(0);
    scenario.discussions(&["comment", "caching", "Lunch is at 12."]).code(0);
    scenario
        .discussions(&["status", "caching"])
        .code(0)
        .says("  Rob: READY - The limits have an owner now.\n")
        .stdout_lacks("Lunch");
}

#[test]
fn excerpt_of_a_mock_answer_has_no_disclaimer() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    assert!(scenario.read("discussions/caching.md").contains("No model spoke here"));
    scenario.discussions(&["status", "caching"]).code(0).stdout_lacks("No model spoke");
}

#[test]
fn status_counts_errors_and_warnings_like_check() {
    let scenario = Scenario::with_discussion();
    let status = || scenario.discussions(&["status", "caching"]).code(0).into_stderr();
    let before = scenario.read("discussions/caching.md");
    scenario.discussions(&["comment", "caching", "Lost."]).code(0);
    scenario.write("discussions/caching.md", before.replacen('\n', "\r\n", 1).as_bytes());
    scenario.discussions(&["check"]).code(1).notes("1 error, 0 warnings, 1 note");
    assert!(status().starts_with("1 error: discussions check "), "{}", status());
    scenario.discussions(&["check", "--restore"]).notes("0 errors, 0 warnings, 1 note");
    assert!(!status().contains("discussions check"), "{}", status());
}

/// The program asks git which journals it tracks.
#[test]
fn status_and_check_ask_git_once() {
    let scenario = Scenario::with_discussion();
    scenario.init_git().git(&["add", "-A"]).git(&["commit", "-qm", "Begin"]);
    scenario.discussions(&["comment", "caching", "Hello."]).code(0);
    let scenario = scenario.with_counted_git();
    for line in ["status", "check"] {
        assert_eq!(scenario.git_calls(&[line, "caching"]), ["ls-files"], "{line}");
    }
}

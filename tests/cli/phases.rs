//! `discussions advance`, `close` and `reopen`: changing the phase and the state of a discussion.

use super::scenario::{Run, Scenario};

#[test]
fn advance_enters_the_chosen_phase() {
    let scenario = Scenario::with_discussion();
    scenario
        .discussions(&["advance", "caching", "--to", "consensus_vote"])
        .code(0)
        .stdout("Advanced to phase: Consensus vote\n");
    let text = scenario.read("discussions/caching.md");
    assert!(
        text.ends_with(
            "<!-- PHASE: consensus_vote, by: Rob -->\n\n## Consensus vote\n\n<!-- VOTE-RESET -->\n"
        ),
        "{text}"
    );
    let error = |args: &[&str]| scenario.discussions(args).code(3).into_stderr();
    insta::assert_snapshot!(error(&["advance", "caching"]), @r"
    error: `Consensus vote` is the last phase
    help: `discussions close caching` ends the discussion, `discussions advance caching --to PHASE` goes back
    ");
    insta::assert_snapshot!(error(&["advance", "caching", "--to", "nope"]), @r"
    error: there is no phase `nope`
    help: the phases are: initial_feedback, detailed_review, proposal, review, consensus_vote
    ");
}

#[test]
fn closed_discussion_refuses_runs_until_it_is_reopened() {
    let scenario = Scenario::with_discussion();
    let run = scenario.discussions(&["close", "caching"]).code(0);
    run.stdout("Closed: discussions/caching.md\nClosed without a decision\n");
    scenario
        .discussions(&["close", "caching"])
        .code(0)
        .stdout("Already closed: discussions/caching.md\n");
    scenario
        .discussions(&["advance", "caching"])
        .code(3)
        .notes("`discussions reopen caching` opens it again");
    let refused =
        "error: the discussion is closed\nhelp: `discussions reopen caching` opens it again\n";
    for args in [
        &["advance", "caching"][..],
        &["turn", "caching", "--provider", "mock"],
        &["turn", "caching", "@architect", "--provider", "mock", "--json"],
        &["turn", "caching", "--provider", "mock", "--dry-run"],
        &["run", "caching", "--provider", "mock"],
        &["run", "caching", "--provider", "mock", "--json"],
        &["run", "caching", "--provider", "mock", "--events"],
    ] {
        let run = scenario.discussions(args).code(3);
        assert_eq!(run.stderr(), refused, "{args:?}");
        if args.iter().any(|arg| ["--json", "--events"].contains(arg)) {
            assert_eq!(run.json()["error"]["message"], "the discussion is closed")
        } else {
            assert_eq!(run.stdout, "")
        }
    }
    scenario
        .discussions(&["reopen", "caching"])
        .code(0)
        .stdout("Reopened: discussions/caching.md\n");
    scenario
        .discussions(&["reopen", "caching"])
        .code(0)
        .stdout("Already open: discussions/caching.md\n");
    scenario.discussions(&["status", "caching"]).says("Status: OPEN\n");
}

#[test]
fn status_proposes_run_if_a_run_enters_the_next_phase() {
    let scenario = Scenario::with_discussion();
    scenario.discussions(&["turn", "caching", "--provider", "mock"]).code(0);
    scenario
        .discussions(&["status", "caching"])
        .code(0)
        .notes("next: discussions run caching    (enters Detailed review)");
}

#[test]
fn status_without_votes_shows_no_tally() {
    let scenario = Scenario::with_discussion();
    let assert_no_tally = |run: Run| run.code(0).stdout_lacks("Votes:");
    assert_no_tally(scenario.discussions(&["status", "caching"]));
    scenario.discussions(&["comment", "caching", "--vote", "READY", "So."]).code(0);
    scenario
        .discussions(&["status", "caching"])
        .code(0)
        .says("Votes: READY: 1, CHANGES: 0, REJECT: 0");
}

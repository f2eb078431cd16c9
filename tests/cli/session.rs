//! Whole sessions: the example of the documentation, and first runs with the mock.

use super::scenario::{CLAUDE, Scenario};

#[test]
fn example_session_of_the_docs_works() {
    let scenario = Scenario::new().program("claude", CLAUDE);
    scenario
        .discussions(&["new", "Add user authentication", "--template", "feature"])
        .code(0)
        .stdout("Created: discussions/add-user-authentication.md\n");
    let turn = scenario
        .discussions(&[
            "turn",
            "add-user-authentication.md",
            "@architect",
            "@security",
            "@pragmatist",
        ])
        .code(0)
        .stdout(
            "Discussion updated with 3 new comments.\nVotes: READY: 1, CHANGES: 2, REJECT: 0\n",
        );
    let seconds = regex::Regex::new(r"\d+\.\d s").unwrap();
    let progress = seconds.replace_all(turn.stderr(), "<s>");
    let mut progress: Vec<&str> = progress
        .lines()
        .skip_while(|line| !line.contains(" · turn "))
        .take_while(|line| !line.contains(" calls · "))
        .collect();
    progress.sort_unstable();
    assert_eq!(
        progress,
        [
            "First reactions · turn 1",
            "✓ AI-Architect  claude-sonnet  <s>  $0.01  CHANGES  I am concerned about session management.",
            "✓ AI-Pragmatist  claude-sonnet  <s>  $0.01  READY  The MVP approach is fine.",
            "✓ AI-Security  claude-sonnet  <s>  $0.01  CHANGES  This needs a threat model.",
        ]
    );
    assert!(turn.stderr().contains("\n3 calls · "), "{}", turn.stderr());
    let status = scenario.discussions(&["status", "add-user-authentication.md"]).code(0);
    // Questions appear in the order in which the answers arrived, which varies.
    let mut lines: Vec<&str> =
        status.stdout.lines().map(|line| line.split("  [Q").next().unwrap_or(line)).collect();
    lines[13..].sort_unstable();
    insta::assert_snapshot!(lines.join("\n"), @r"
    Discussion: Add user authentication
    Phase: First reactions
    Status: OPEN

    Participants (3 responded):
      AI-Architect: CHANGES - I am concerned about session management.
      AI-Security: CHANGES - This needs a threat model.
      AI-Pragmatist: READY - The MVP approach is fine.

    Votes: READY: 1, CHANGES: 2, REJECT: 0
    No ballot asked for these votes.

    Open Questions (2):
      Q: Should we use JWT or session cookies? (@architect)
      Q: What is our token expiry policy? (@security)
    ");
    scenario
        .discussions(&["comment", "add-user-authentication.md", "Let's use JWT with 1hr expiry."])
        .code(0)
        .stdout("Added comment from Rob.\n");
    scenario
        .discussions(&["advance", "add-user-authentication.md"])
        .code(0)
        .stdout("Advanced to phase: Detailed review\n");
    scenario
        .discussions(&["status", "add-user-authentication"])
        .code(0)
        .says("Phase: Detailed review\n")
        .says("  Rob: Let's use JWT with 1hr expiry.\n");
    scenario.discussions(&["check", "--strict"]).code(0);
}

#[test]
fn first_command_with_mock_runs_until_a_person_must_vote() {
    let scenario = Scenario::new().alone();
    scenario
        .discussions(&["new", "Add user authentication", "--run", "--provider", "mock"])
        .code(0)
        .says("Created: discussions/add-user-authentication.md\n")
        .says("Status: OPEN\n")
        .notes("a person has to vote");
}

#[test]
fn run_without_a_model_suggests_the_mock() {
    let scenario = Scenario::new().alone();
    scenario
        .discussions(&["new", "Caching", "--run"])
        .code(4)
        .stdout("Created: discussions/caching.md\n")
        .notes("error: no model is available")
        .notes("--provider mock");
    let text = scenario.read("discussions/caching.md");
    assert!(!text.contains("<!-- TURN"), "nothing is begun that nobody can answer:\n{text}");
}

#[test]
fn discussion_runs_from_start_to_consensus_and_close() {
    let scenario = Scenario::with_discussion();
    let run = || scenario.discussions(&["run", "caching", "--provider", "mock"]);
    run().code(0).says("Status: OPEN\n").notes("a person has to vote");
    scenario
        .discussions(&["comment", "caching", "Go.", "--vote", "ready"])
        .code(0)
        .says("Consensus reached: READY by AI-Architect, AI-Security, AI-Pragmatist and Rob\n")
        .notes("Vote: READY")
        .notes("to close it: discussions close caching");
    scenario
        .discussions(&["status", "caching"])
        .code(0)
        .says("Status: CONSENSUS\n")
        .says("\nDecided by vote\nD1: ");
    run().code(0).says("Status: CONSENSUS\n");
    scenario
        .discussions(&["close", "caching"])
        .code(0)
        .says("Closed: discussions/caching.md\nDecided by vote\n");
    scenario.discussions(&["status", "caching"]).says("Status: CLOSED\n");
}

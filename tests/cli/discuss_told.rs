//! `discuss`: settings passed to providers, and the participants named to people.

use super::scenario::Scenario;

/// A program that answers with the token limit and temperature it received.
const TOLD: &str =
    "#!/bin/sh\ncat > /dev/null\necho \"at most $1 tokens, at ${DISCUSSIONS_TEMPERATURE:-none}\"\n";

#[test]
fn answer_limits_are_passed_on_or_noted_as_unsupported() {
    let yaml = "providers:\n- {name: able, command: \"told {max_tokens}\"}\n- {name: unable, command: told 1}\n";
    let scenario = Scenario::new()
        .file("discussions.yaml", "")
        .file("providers.yaml", yaml)
        .program("told", TOLD);
    let args = ["discuss", "How long?", "-p", "able,unable", "-r", "1", "--max-tokens", "77"];
    let run = scenario.discussions(&[&args[..], &["--temperature", "0.3"]].concat());
    let run = run.notes("it gets no limit for its answer").notes("few programs read");
    let text = scenario.read("discussions/how-long.md");
    assert!(text.contains("at most 77 tokens, at 0.3"), "{text}\n{}", run.stderr());
    scenario.discussions(&["discuss", "x", "--max-tokens", "0"]).code(2);
}

#[test]
fn participants_are_named_before_and_after() {
    let scenario = Scenario::new();
    let args = ["discuss", "Queue or cron?", "-p", "architect,security", "-r", "2"];
    let run = scenario.discussions(&[&args[..], &["--provider", "mock"]].concat()).code(0);
    assert!(
        run.stderr().starts_with("synthesis: architect, security; 2 rounds\n"),
        "{}",
        run.stderr()
    );
    run.says("\nParticipants: architect, moderator, security\n");
}

//! What `discuss` tells people and providers beside the question.

use super::scenario::Scenario;

/// Answers with what it was told beside the prompt.
const TOLD: &str =
    "#!/bin/sh\ncat > /dev/null\necho \"at most $1 tokens, at ${DISCUSSIONS_TEMPERATURE:-none}\"\n";

#[test]
fn an_answers_length_and_temperature_are_passed_on_or_said_not_to_be() {
    let yaml = "providers:\n- {name: able, command: \"told {max_tokens}\"}\n- {name: unable, command: told 1}\n";
    let scenario = Scenario::new()
        .file("discussions.yaml", "")
        .file("providers.yaml", yaml)
        .program("told", TOLD);
    let args = ["discuss", "How long?", "-p", "able,unable", "-r", "1", "--max-tokens", "77"];
    let run = scenario.discussions(&[&args[..], &["--temperature", "0.3"]].concat());
    let run = run.notes("it gets no limit for its answer").notes("few programs read");
    let text = scenario.read("discussions/how-long.md");
    assert!(text.contains("at most 77 tokens, at 0.3"), "{text}\n{}", run.stderr);
    scenario.discussions(&["discuss", "x", "--max-tokens", "0"]).code(2);
}

#[test]
fn c010_c012_who_takes_part_is_told_before_and_after() {
    let scenario = Scenario::new();
    let args = ["discuss", "Queue or cron?", "-p", "architect,security", "-r", "2"];
    let run = scenario.discussions(&[&args[..], &["--provider", "mock"]].concat()).code(0);
    assert!(run.stderr.starts_with("synthesis: architect, security; 2 rounds\n"), "{}", run.stderr);
    run.says("\nParticipants: architect, moderator, security\n");
}

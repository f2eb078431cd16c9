//! Progress messages during a run, and its last lines.

use regex::Regex;

use super::scenario::Scenario;
use super::template::Template;

/// A discussion of two participants, with a provider that answers and one that fails.
fn discussion_with_providers() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new()
        .file("discussions.yaml", "author: Rob\n")
        .file(
            "providers.yaml",
            "providers:\n  - {name: fine, command: \"printf 'Fine with **limits**. They are few.\\\\n\\\\nMore below.\\\\n\\\\nVOTE: \
             READY'\", retries: 0}\n  - {name: broken, command: 'false', retries: 0}\n",
        );
        scenario.discussions(&["new", "Caching", "-p", "architect=fine,security=fine"]).code(0);
        scenario
    });
    TEMPLATE.copy()
}

/// Returns the progress lines of standard error, without times.
fn progress_log(text: &str) -> String {
    let text = Regex::new(r"\d+(\.\d)? s\b").unwrap().replace_all(text, "<s>").into_owned();
    let from_turn = text.lines().skip_while(|line| !line.contains(" · turn "));
    let mut lines: Vec<&str> = from_turn.take_while(|line| !line.starts_with("next: ")).collect();
    // The two participants answer in any order.
    if lines.iter().filter(|line| line.starts_with('✓')).count() == 2 {
        lines[1..3].sort_unstable();
    }
    lines.join("\n")
}

#[test]
fn progress_shows_participant_provider_time_and_answer() {
    let turn = discussion_with_providers().discussions(&["turn", "caching"]).code(0);
    insta::assert_snapshot!(progress_log(turn.stderr()), @r"
    First reactions · turn 1
    ✓ AI-Architect  fine  <s>  READY  Fine with limits. They are few.
    ✓ AI-Security  fine  <s>  READY  Fine with limits. They are few.
    2 calls · <s> · cost unknown
    ");
}

#[test]
fn verbose_shows_whole_answers() {
    let scenario = discussion_with_providers();
    let turn = scenario.discussions(&["turn", "caching", "@architect", "--verbose"]).code(0);
    insta::assert_snapshot!(progress_log(turn.stderr()), @r"
    First reactions · turn 1
    ✓ AI-Architect  fine  <s>  READY
        Fine with limits. They are few.

        More below.

    1 call · <s> · cost unknown
    ");
}

#[test]
fn progress_hides_a_vote_outside_of_a_ballot() {
    let args = ["discuss", "Cache?", "--pattern", "synthesis", "-r", "1", "-p"];
    let discuss = discussion_with_providers()
        .discussions(&[&args[..], &["architect=fine,security=fine"]].concat())
        .code(0);
    assert!(discuss.stderr().contains("✓ AI-Architect"), "{}", discuss.stderr());
    assert!(!discuss.stderr().contains("READY"), "{}", discuss.stderr());
}

#[test]
fn quiet_prints_only_the_result_and_warnings() {
    let scenario = discussion_with_providers();
    let turn = scenario.discussions(&["turn", "caching", "--quiet"]).code(0);
    assert_eq!(turn.stderr(), "");
    turn.says("Discussion updated with 2 new comments.");
    let failed = scenario.discussions(&["turn", "caching", "-q", "--provider", "broken"]).code(4);
    assert!(!failed.stdout.contains("comment"), "{}", failed.stdout);
    assert!(
        failed.stderr().lines().all(|line| line.starts_with("warning: ")),
        "{}",
        failed.stderr()
    );
    scenario.discussions(&["run", "caching", "-q", "-v"]).code(2);
}

#[test]
fn failed_participants_have_a_line_and_no_success_message() {
    let failed = discussion_with_providers()
        .discussions(&["turn", "caching", "--provider", "broken"])
        .code(4);
    assert_eq!(failed.stderr().matches("✗ AI-").count(), 2, "{}", failed.stderr());
    assert!(!failed.stdout.contains("updated"), "{}", failed.stdout);
}

#[test]
fn run_ends_with_its_outcome() {
    let scenario = Scenario::new();
    scenario.discussions(&["new", "Caching"]).code(0);
    let run = scenario.discussions(&["run", "caching", "--provider", "mock"]).code(0);
    let (_, outcome) = run.stdout.split_once("\nText so far\n").expect(&run.stdout);
    assert!(outcome.trim().len() > 20, "{outcome}");
    assert!(run.stderr().contains("\n11 calls · "), "{}", run.stderr());
    let answer = scenario.discussions(&["discuss", "Which?", "--provider", "mock", "-q"]).code(0);
    assert!(answer.stdout.contains("File: ") && answer.stderr().is_empty(), "{}", answer.stderr());
}

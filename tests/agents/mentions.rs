//! The next run answers a person's `@mention` after anything that came before: a healthy phase with other mentions, a
//! failure that cannot be retried, or two failed attempts.

use super::{calls, log_in, scenario};
use crate::cli::scenario::{Run, Scenario};

/// Adds a comment in which Rob asks the architect; it begins with these words.
fn mention_architect(scenario: &Scenario, words: &str) {
    scenario.discussions(&["comment", "d", &format!("@architect {words}?")]).code(0);
    let status = scenario.discussions(&["status", "d"]).code(0);
    assert!(status.stdout.contains("@architect"), "it is known to be open: {}", status.stdout);
    let lines = status.stdout.lines().chain(status.stderr().lines());
    let next: Vec<&str> = lines.filter(|line| line.starts_with("next")).collect();
    assert!(!next.iter().any(|line| line.contains("advance")), "{next:?}");
}

fn calls_to_architect(scenario: &Scenario) -> usize {
    calls(scenario).iter().filter(|call| call[0] == "architect").count()
}

fn run_discussion(scenario: &Scenario) -> Run {
    scenario.discussions(&["run", "d", "--max-turns", "1"]).with_any_code().with_warnings()
}

#[test]
fn participant_is_called_on_mention_after_a_failed_login() {
    let scenario = scenario();
    let turn = scenario.discussions(&["turn", "d", "@architect", "--ask", "Is it safe?"]).code(4);
    assert_eq!(turn.stderr().matches("Not logged in").count(), 1, "{}", turn.stderr());
    log_in(&scenario, "in");
    mention_architect(&scenario, "and now");
    let run = run_discussion(&scenario);
    assert_eq!(calls_to_architect(&scenario), 2, "{}", run.stderr());
    assert!(!run.stderr().contains("left out"), "{}", run.stderr());
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts a model program for many calls"]
    fn every_mention_by_a_person_in_one_phase_is_answered() {
        let scenario = scenario();
        log_in(&scenario, "in");
        run_discussion(&scenario);
        for number in 1..=5 {
            let before = calls_to_architect(&scenario);
            mention_architect(&scenario, &format!("what about question {number}"));
            let run = run_discussion(&scenario);
            assert_eq!(
                calls_to_architect(&scenario),
                before + 1,
                "question {number}: {}",
                run.stderr()
            );
            let prompts = scenario.read("../home/prompts.log");
            assert!(prompts.contains(&format!("question {number}")), "it was shown to them");
        }
    }

    #[test]
    #[ignore = "slow: starts a model program for many calls"]
    fn mentions_are_answered_after_two_failed_attempts() {
        let scenario = scenario().program(
        "claude",
        "#!/bin/sh\ncat > /dev/null\nprintf '%s|%s|%s\\n' \"$DISCUSSIONS_PARTICIPANT\" \"$(pwd)\" \"$*\" >> \"$HOME/calls.log\"\n[ -e \"$HOME/in\" ] || { echo 'it fell over' >&2; exit 1; }\nprintf '{\"is_error\":false,\"result\":\"Yes.\"}'\n",
    );
        let own = b"providers:\n  - {name: claude-sonnet, aliases: [claude], command: claude, retries: 0, output: {format: jsonl, text: /result, error: /is_error}}\n";
        scenario.write("../config/providers.yaml", own);
        for _ in 0..2 {
            let turn = scenario.discussions(&["turn", "d", "@architect"]).code(4);
            assert_eq!(turn.stderr().matches("it fell over").count(), 1, "{}", turn.stderr());
        }
        assert_eq!(calls_to_architect(&scenario), 2);
        log_in(&scenario, "in");
        for number in 1..=3 {
            let before = calls_to_architect(&scenario);
            mention_architect(&scenario, &format!("what about {number}"));
            let run = run_discussion(&scenario);
            assert_eq!(calls_to_architect(&scenario), before + 1, "{number}: {}", run.stderr());
        }
    }
}

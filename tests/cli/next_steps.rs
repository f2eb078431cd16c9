//! The commands that hints name work when they are pasted, in every state of a discussion.

use super::scenario::Scenario;

/// A state of a discussion called `caching`: its name, and the commands that lead to it.
struct State {
    name: &'static str,
    commands: &'static [&'static [&'static str]],
    /// The last answers of the provider `claude`.
    answer: &'static str,
}

const NEW: &[&str] = &["new", "Caching", "--context", "It is slow."];
const VOTING: &[&str] =
    &["new", "Caching", "--template", "voting", "--set", "options=Redis,Postgres"];
const ASK: &[&str] = &["discuss", "Caching", "--pattern", "second-look"];
const RUN: &[&str] = &["run", "caching"];
const TURN: &[&str] = &["turn", "caching"];

const READY: &str = "DECISION: use it\\n\\nVOTE: READY";

const STATES: &[State] = &[
    State { name: "new", commands: &[NEW], answer: READY },
    State { name: "one turn", commands: &[NEW, TURN], answer: READY },
    State { name: "person votes", commands: &[NEW, RUN], answer: READY },
    State { name: "decided", commands: &[NEW, RUN, &["vote", "caching", "READY"]], answer: READY },
    State {
        name: "blocked",
        commands: &[NEW, RUN, &["vote", "caching", "REJECT", "no"]],
        answer: READY,
    },
    State { name: "no consensus", commands: &[NEW, RUN], answer: "VOTE: CHANGES" },
    State {
        name: "commented after no consensus",
        commands: &[NEW, RUN, &["comment", "caching", "It is capped now."]],
        answer: "VOTE: CHANGES",
    },
    State { name: "closed", commands: &[NEW, &["close", "caching"]], answer: READY },
    State {
        name: "reopened",
        commands: &[
            NEW,
            RUN,
            &["vote", "caching", "READY"],
            &["close", "caching"],
            &["reopen", "caching"],
        ],
        answer: READY,
    },
    State {
        name: "question to a person",
        commands: &[NEW, &["comment", "caching", "Q: @rob, why?", "--as", "Mira"]],
        answer: READY,
    },
    State {
        name: "mention",
        commands: &[NEW, TURN, &["comment", "caching", "@architect, why?"]],
        answer: READY,
    },
    State { name: "answered", commands: &[ASK], answer: "It is slow. Cache it." },
    State { name: "vote", commands: &[VOTING, RUN], answer: "VOTE: Redis" },
    State { name: "nobody voted", commands: &[VOTING, RUN], answer: "No idea." },
    State {
        name: "voting reopened",
        commands: &[VOTING, RUN, &["close", "caching"], &["reopen", "caching"]],
        answer: "VOTE: Redis",
    },
];

impl State {
    /// Returns a scenario in this state, and what the commands printed beside their results.
    fn build(&self) -> (Scenario, String) {
        let program = format!(
            "#!/bin/sh\ncat > /dev/null\nprintf '{{\"is_error\":false,\"result\":\"%s\"}}' '{}'\n",
            self.answer
        );
        let scenario = Scenario::new().program("claude", &program);
        let mut printed = String::new();
        for command in self.commands {
            printed =
                scenario.discussions(command).with_warnings().with_any_code().stderr().to_owned();
        }
        (scenario, printed)
    }
}

/// Returns the commands in what a command printed: those after `next:`, at the end of a line, and in backticks.
fn commands(printed: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in printed.lines() {
        if let Some(hint) = line.strip_prefix("next: ") {
            assert!(hint.starts_with("discussions ") || hint.starts_with("git "), "prose: {line}");
            let command = hint.split("    (").next().unwrap();
            assert!(!command.contains(", or "), "two commands: {line}");
            found.push(command.to_owned());
        } else if let Some((_, command)) = line.rsplit_once(": discussions ") {
            found.push(format!("discussions {command}"));
        }
        let quoted = line.split('`').skip(1).step_by(2);
        found.extend(quoted.filter(|it| it.starts_with("discussions ")).map(str::to_owned));
    }
    found
}

/// Runs each hint of a state in the state, and returns the ones that were checked.
#[track_caller]
fn assert_hints_work(state: &State) -> usize {
    let (scenario, printed) = state.build();
    let status = scenario.discussions(&["status", "caching"]).with_warnings().with_any_code();
    let mut hints = commands(&printed);
    hints.extend(commands(status.stderr()));
    hints.sort();
    hints.dedup();
    assert!(!hints.is_empty(), "{}: no way on: {printed}{}", state.name, status.stderr());
    for hint in &hints {
        for placeholder in ["FILE", "NAME", "@alias", "..."] {
            assert!(!hint.contains(placeholder), "{}: {hint}", state.name);
        }
        let (scenario, _) = state.build();
        let words = shell_words::split(hint).unwrap();
        let args: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let run = scenario.discussions(&args).with_warnings().with_any_code();
        // Code 1 is an honest no, such as a vote without consensus.
        assert!([0, 1].contains(&run.exit()), "{}: {hint}: {}", state.name, run.stderr());
    }
    hints.len()
}

#[test]
fn hints_of_a_new_discussion_work() {
    assert!(assert_hints_work(&STATES[0]) >= 2);
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: runs each hint in a state of its own"]
    fn hints_of_every_state_work() {
        for state in STATES {
            assert_hints_work(state);
        }
    }
}

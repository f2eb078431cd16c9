//! Discussions within discussions, as several processes, a foreign project and lists see them.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::scenario::Scenario;

const OUTER: &str = "---\nid: outer\nconsensus: {method: synthesis, human_required: false}\n\
    participants: {default: [architect, security]}\nphases:\n  - id: ask\n    discuss: {pattern: flat, topic: \"Which queue?\"}\n  \
    - {id: answer, speakers: [architect]}\n---\n# {{ title }}\n\n---\n";
const FLAT: &str = "---\nid: flat\nconsensus: {method: synthesis, human_required: false}\n\
    participants: {default: [architect, security]}\nphases:\n  - {id: talk, instructions: Decide.}\n---\n# {{ title }}\n\n---\n";
/// Writes down for whom it is asked, waits until it may answer, and says the same always.
const AGENT: &str = "#!/bin/sh\ncat >/dev/null\necho \"$DISCUSSIONS_FILE $DISCUSSIONS_PARTICIPANT\" >> \"$ASKED\"\n\
    while [ ! -e \"$ASKED.go\" ]; do sleep 0.02; done\necho 'DECISION: use the queue'\n";
const ABOVE: &str = "discussions/queue-or-cron.md";
const WITHIN: &str = "discussions/queue-or-cron/which-queue.md";

fn scenario() -> Scenario {
    let scenario = Scenario::new()
        .program("agent", AGENT)
        .file("discussions.yaml", "providers: {default: mock}\n")
        .file("providers.yaml", "providers:\n  - {name: agent, command: agent}\n")
        .file("templates/outer.md", OUTER)
        .file("templates/flat.md", FLAT);
    let asked = scenario.path("../asked");
    let scenario = scenario.env("ASKED", asked.to_str().unwrap());
    scenario.discussions(&["new", "Queue or cron?", "-t", "outer"]).code(0);
    scenario
}

fn asked(scenario: &Scenario) -> usize {
    std::fs::read_to_string(scenario.path("../asked")).unwrap_or_default().lines().count()
}

/// A run that goes on by itself, once so many were asked in all.
fn running(scenario: &Scenario, name: &str, so_many: usize) -> Child {
    let mut command = scenario.program_under_test();
    command.args(["run", name, "--provider", "agent"]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = child.spawn().unwrap();
    let begun = Instant::now();
    while asked(scenario) < so_many {
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody was asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn refused(scenario: &Scenario) {
    for name in ["queue-or-cron", "queue-or-cron/which-queue"] {
        let second = scenario.discussions(&["run", name, "--provider", "agent"]);
        assert_ne!(second.exit(), 0, "{name}");
        second.notes("another run of this discussion is in progress");
    }
}

#[test]
fn a_second_run_anywhere_in_a_tree_is_refused_and_nothing_is_doubled() {
    let scenario = scenario();
    // Two are asked within it.
    let mut first = running(&scenario, "queue-or-cron", 2);
    refused(&scenario);
    assert_eq!(asked(&scenario), 2);
    first.kill().unwrap();
    first.wait().unwrap();
    // The one within is run by itself, and its parent may not.
    let mut alone = running(&scenario, "queue-or-cron/which-queue", 4);
    refused(&scenario);
    assert_eq!(asked(&scenario), 4);
    scenario.write("../asked.go", b"");
    assert!(alone.wait().unwrap().success());
    scenario.discussions(&["run", "queue-or-cron", "--provider", "agent"]).code(0);
    assert_eq!(asked(&scenario), 5, "what is recorded within it is not asked again");
    let (above, within) = (scenario.read(ABOVE), scenario.read(WITHIN));
    for (text, part) in [
        (&above, "<!-- CHILD file:"),
        (&above, "<!-- CHILD-END"),
        (&above, "Name: Discussions"),
        (&above, "Name: AI-Architect"),
        (&within, "Name: AI-Architect"),
        (&within, "Name: AI-Security"),
    ] {
        assert_eq!(text.matches(part).count(), 1, "{part}: {text}");
    }
}

#[test]
fn what_the_head_of_one_within_names_is_not_run_before_somebody_agrees() {
    let scenario = scenario().distrusting();
    scenario.write("../asked.go", b"");
    scenario.discussions(&["run", "queue-or-cron"]).code(0);
    assert_eq!(asked(&scenario), 0, "the mock answers");
    // As a clone may bring it: the one within has begun, and its head says who answers.
    let (above, within) = (scenario.read(ABOVE), scenario.read(WITHIN));
    let above = &above[..above.find("<!-- CHILD-END").unwrap()];
    let within = &within[..within.find("<!-- TURN").unwrap()];
    let within = within.replacen("-->\n", "providers: {architect: agent}\n-->\n", 1);
    scenario.write(ABOVE, above.as_bytes());
    scenario.write(WITHIN, within.as_bytes());
    for name in ["queue-or-cron", "queue-or-cron/which-queue"] {
        let run = scenario.discussions(&["run", name]).code(3);
        run.notes(
            "`agent` is defined by this project (providers.yaml:2), and you have not trusted it yet",
        );
        assert_eq!(asked(&scenario), 0, "{name}");
    }
    assert_eq!((scenario.read(ABOVE).as_str(), scenario.read(WITHIN)), (above, within));
    scenario.discussions(&["trust", "--yes"]).code(0);
    scenario.discussions(&["run", "queue-or-cron"]).code(0);
    assert_eq!(asked(&scenario), 1, "the one that its head names");
}

#[test]
fn lists_say_within_which_one_it_stands_and_its_decision_is_told_once() {
    let scenario = scenario();
    scenario.write("../asked.go", b"");
    scenario.discussions(&["run", "queue-or-cron", "--provider", "agent"]).code(0);
    let all = scenario.discussions(&["decisions", "--json"]).code(0).json();
    let of = |list: &serde_json::Value, file: &str| {
        list.as_array().unwrap().iter().find(|one| one["file"] == file).cloned().unwrap()
    };
    let parent = serde_json::json!({"file": ABOVE, "name": "queue-or-cron"});
    let (above, within) = (of(&all, ABOVE), of(&all, WITHIN));
    assert_eq!(
        (&above["parent"], &above["repeatsParent"]),
        (&serde_json::Value::Null, &false.into())
    );
    assert_eq!((&within["parent"], &within["repeatsParent"]), (&parent, &true.into()));
    let told = scenario.discussions(&["decisions"]).code(0);
    assert_eq!(told.stdout.matches("use the queue").count(), 1, "{}", told.stdout);
    told.says(
        "sub-discussion of queue-or-cron, which made this decision; queue-or-cron/which-queue\n",
    );
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    assert_eq!(
        (&of(&list, WITHIN)["parent"], &of(&list, ABOVE)["parent"].is_null()),
        (&parent, &true)
    );
    scenario.discussions(&["list"]).says("Which queue? (sub-discussion of queue-or-cron)");
    let board = scenario.discussions(&["--json"]).code(0).json();
    assert_eq!(board["decided"].as_array().unwrap().len(), 1, "{board}");
    // Who decided something else is told with it.
    let other = scenario.read(WITHIN).replace("use the queue", "use cron");
    scenario.write(WITHIN, other.as_bytes());
    let told = scenario.discussions(&["decisions"]).code(0).says("use cron").says("use the queue");
    told.says("sub-discussion of queue-or-cron; ");
    // A head that names what is not there, or what lies elsewhere, stands in nothing.
    for parent in ["../gone.md", "../../discussions.yaml", "/etc/passwd"] {
        scenario.write(WITHIN, other.replace("../queue-or-cron.md", parent).as_bytes());
        let list = scenario.discussions(&["list", "--json"]).code(0).json();
        assert!(of(&list, WITHIN)["parent"].is_null(), "{parent}");
    }
}

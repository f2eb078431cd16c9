//! Sub-discussions: concurrent runs, trust in a cloned project, and lists.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::scenario::Scenario;
use super::template::Template;

const OUTER: &str = "---\nid: outer\nconsensus: {method: synthesis, human_required: false}\n\
    participants: {default: [architect, security]}\nphases:\n  - id: ask\n    discuss: {pattern: flat, topic: \"Which queue?\"}\n  \
    - {id: answer, speakers: [architect]}\n---\n# {{ title }}\n\n---\n";
const FLAT: &str = "---\nid: flat\nconsensus: {method: synthesis, human_required: false}\n\
    participants: {default: [architect, security]}\nphases:\n  - {id: talk, instructions: Decide.}\n---\n# {{ title }}\n\n---\n";
/// A program that logs its participant, waits for the file `$ASKED.go`, and always gives one answer.
const AGENT: &str = "#!/bin/sh\ncat >/dev/null\necho \"$DISCUSSIONS_FILE $DISCUSSIONS_PARTICIPANT\" >> \"$ASKED\"\n\
    while [ ! -e \"$ASKED.go\" ]; do sleep 0.02; done\necho 'DECISION: use the queue'\n";
const ABOVE: &str = "discussions/queue-or-cron.md";
const WITHIN: &str = "discussions/queue-or-cron/which-queue.md";

fn outer_discussion() -> Scenario {
    static TEMPLATE: Template = Template::new(|| {
        let scenario = Scenario::new()
            .program("agent", AGENT)
            .file("discussions.yaml", "providers: {default: mock}\n")
            .file("providers.yaml", "providers:\n  - {name: agent, command: agent}\n")
            .file("templates/outer.md", OUTER)
            .file("templates/flat.md", FLAT);
        let log = scenario.path("../asked");
        let scenario = scenario.env("ASKED", log.to_str().unwrap());
        scenario.discussions(&["new", "Queue or cron?", "-t", "outer"]).code(0);
        scenario
    });
    TEMPLATE.copy()
}

fn call_count(scenario: &Scenario) -> usize {
    std::fs::read_to_string(scenario.path("../asked")).unwrap_or_default().lines().count()
}

/// Starts a run in the background; returns when the total number of calls reaches `so_many`.
fn start_run(scenario: &Scenario, name: &str, so_many: usize) -> Child {
    let mut command = scenario.program_under_test();
    command.args(["run", name, "--provider", "agent"]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = child.spawn().unwrap();
    let begun = Instant::now();
    while call_count(scenario) < so_many {
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody was asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn assert_runs_refused(scenario: &Scenario) {
    for name in ["queue-or-cron", "queue-or-cron/which-queue"] {
        let second = scenario.discussions(&["run", name, "--provider", "agent"]);
        assert_ne!(second.exit(), 0, "{name}");
        second.notes("another run of this discussion is in progress");
    }
}

#[test]
fn provider_in_a_sub_discussion_head_needs_trust() {
    let scenario = outer_discussion().distrusting();
    scenario.write("../asked.go", b"");
    scenario.discussions(&["run", "queue-or-cron"]).code(0);
    assert_eq!(call_count(&scenario), 0, "the mock answers");
    // A cloned project may contain a started sub-discussion whose head names a provider.
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
        assert_eq!(call_count(&scenario), 0, "{name}");
    }
    assert_eq!((scenario.read(ABOVE).as_str(), scenario.read(WITHIN)), (above, within));
    scenario.discussions(&["trust", "--yes"]).code(0);
    scenario.discussions(&["run", "queue-or-cron"]).code(0);
    assert_eq!(call_count(&scenario), 1, "the one that its head names");
}

#[test]
fn lists_name_the_parent_and_show_its_decision_once() {
    let scenario = outer_discussion();
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
    let decisions = scenario.discussions(&["decisions"]).code(0);
    assert_eq!(decisions.stdout.matches("use the queue").count(), 1, "{}", decisions.stdout);
    decisions.says(
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
    // A sub-discussion with a different decision is listed with it.
    let other = scenario.read(WITHIN).replace("use the queue", "use cron");
    scenario.write(WITHIN, other.as_bytes());
    let decisions =
        scenario.discussions(&["decisions"]).code(0).says("use cron").says("use the queue");
    decisions.says("sub-discussion of queue-or-cron; ");
    // A head that names a missing or outside parent makes no sub-discussion.
    for parent in ["../gone.md", "../../discussions.yaml", "/etc/passwd"] {
        scenario.write(WITHIN, other.replace("../queue-or-cron.md", parent).as_bytes());
        let list = scenario.discussions(&["list", "--json"]).code(0).json();
        assert!(of(&list, WITHIN)["parent"].is_null(), "{parent}");
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn second_run_of_parent_or_sub_discussion_is_refused() {
        let scenario = outer_discussion();
        // Two participants are asked in the sub-discussion.
        let mut first = start_run(&scenario, "queue-or-cron", 2);
        assert_runs_refused(&scenario);
        assert_eq!(call_count(&scenario), 2);
        first.kill().unwrap();
        first.wait().unwrap();
        // While the sub-discussion runs by itself, its parent cannot run.
        let mut alone = start_run(&scenario, "queue-or-cron/which-queue", 4);
        assert_runs_refused(&scenario);
        assert_eq!(call_count(&scenario), 4);
        scenario.write("../asked.go", b"");
        assert!(alone.wait().unwrap().success());
        scenario.discussions(&["run", "queue-or-cron", "--provider", "agent"]).code(0);
        assert_eq!(call_count(&scenario), 5, "what is recorded within it is not asked again");
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
}

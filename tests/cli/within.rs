//! Sub-discussions that a participant with tools opens while it is answering.

use super::Scenario;

const TALK: &str = "---\nid: talk\nconsensus: {method: synthesis, human_required: false}\n\
    participants: {default: [architect, security]}\nphases:\n  - {id: talk, instructions: Say what you think.}\n\
    ---\n# {{ title }}\n\n---\n";
const FLAT: &str = "---\nid: flat\nconsensus: {method: synthesis, human_required: false}\n\
    participants: {default: [architect, security]}\nphases:\n  - {id: flat, instructions: Decide.}\n\
    ---\n# {{ title }}\n\n{{ context }}\n\n---\n";

/// Returns a program that runs the command `does` before it answers as the architect.
fn agent_script(does: &str) -> String {
    format!(
        "#!/bin/sh\ncat >/dev/null\nsaid=Fine.\nif [ \"$DISCUSSIONS_PARTICIPANT\" = architect ]; then\n\
         said=$({does} 2>&1); echo \"$?\" >code\nfi\nprintf '%s\\n' \"$said\"\n",
    )
}

fn discussion_with_agent(does: &str, nesting: &str) -> Scenario {
    let does = does.replace("discussions ", &format!("'{}' ", env!("CARGO_BIN_EXE_discussions")));
    let scenario = Scenario::new()
        .program("agent", &agent_script(&does))
        .file("discussions.yaml", "{}\n")
        .file("providers.yaml", "providers:\n  - {name: agent, command: agent, workdir: project}\n")
        .file("templates/talk.md", TALK)
        .file("templates/flat.md", FLAT);
    scenario.discussions(&["new", "Queue or cron?", "-t", "talk"]).code(0);
    let text = scenario.read("discussions/queue-or-cron.md");
    scenario.write(
        "discussions/queue-or-cron.md",
        text.replacen("-->\n", &format!("{nesting}-->\n"), 1).as_bytes(),
    );
    scenario
}

const ALLOWED: &str = "nesting: {depth: 1}\n";
const CHILD: &str = "discussions/queue-or-cron/what-load.md";

#[test]
fn within_turn_and_as_must_be_used_together() {
    let scenario = discussion_with_agent("true", ALLOWED);
    for lone in [&["--within", "queue-or-cron"][..], &["--turn", "1"], &["--as", "architect"]] {
        scenario.discussions(&[&["discuss", "What load?"], lone].concat()).code(2);
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn forbidden_sub_discussion_makes_no_call_and_says_why() {
        for (does, nesting, why) in [
            (
                "discussions discuss 'What load?' --provider mock",
                "",
                "its participants may not open sub-discussions",
            ),
            (
                "discussions discuss 'Queue or cron?' --provider mock",
                ALLOWED,
                "already asks almost the same question",
            ),
            (
                "discussions discuss 'What load?' --provider mock",
                "nesting: {depth: 1}\nlimits: {max_usd: 1}\n",
                "money is limited, and the cost of the running calls is not known yet",
            ),
            (
                "discussions discuss 'What load?' --within queue-or-cron --turn 2 --as architect",
                ALLOWED,
                "is not being asked in turn 2",
            ),
            (
                "discussions discuss 'What load?' --within queue-or-cron --turn 1 --as mallory",
                ALLOWED,
                "`mallory` is not being asked",
            ),
            ("discussions run queue-or-cron --provider mock", ALLOWED, "is answering in "),
            (
                "discussions review templates/flat.md --provider mock",
                ALLOWED,
                "the cost of this run would not be counted there",
            ),
        ] {
            let scenario = discussion_with_agent(does, nesting);
            scenario
                .discussions(&[
                    "run",
                    "queue-or-cron",
                    "--provider",
                    "agent",
                    "--max-usd",
                    "5",
                    "--unpriced",
                ])
                .code(0);
            let text = scenario.read("discussions/queue-or-cron.md");
            assert_eq!(scenario.read("code").trim(), "3", "{does}: {text}");
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(why), "{does}: {text}");
            assert!(!text.contains("<!-- CHILD"), "{does}: {text}");
            assert!(!scenario.path("discussions/queue-or-cron").exists(), "{does}");
        }
    }

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn sub_discussion_of_a_participant_ends_before_its_answer() {
        // The child process gets its context from environment variables, or from flags if its caller drops the environment.
        let flags = "env -u DISCUSSIONS_FILE -u DISCUSSIONS_TURN -u DISCUSSIONS_PARTICIPANT discussions discuss 'What load?' --pattern flat \
                 --provider mock --within queue-or-cron --turn 1 --as architect";
        for does in ["discussions discuss 'What load?' --pattern flat --provider mock", flags] {
            let scenario = discussion_with_agent(does, ALLOWED);
            scenario.discussions(&["run", "queue-or-cron", "--provider", "agent"]).code(0);
            assert_eq!(
                scenario.read("code").trim(),
                "0",
                "{}",
                scenario.read("discussions/queue-or-cron.md")
            );
            let text = scenario.read("discussions/queue-or-cron.md");
            let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
            let child =
                at("<!-- CHILD turn: 1, by: architect, file: queue-or-cron/what-load.md, at: ");
            let end = at("<!-- CHILD-END file: queue-or-cron/what-load.md, calls: 2, ");
            assert!(child < end && end < at("Name: AI-Architect"), "{text}");
            assert_eq!(text.matches("<!-- CHILD ").count(), 1, "{text}");
            assert!(text.contains("Name: Discussions"), "{text}");
            // The sub-discussion has the same participants, and a second run has nothing to do.
            assert!(scenario.read(CHILD).contains("participants: [architect, security]"));
            scenario
                .discussions(&["run", "queue-or-cron", "--provider", "agent"])
                .with_any_code()
                .with_warnings();
            assert_eq!(scenario.read("discussions/queue-or-cron.md"), text);
        }
    }
}

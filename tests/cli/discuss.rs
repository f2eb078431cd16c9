//! `discussions discuss`: patterns, results, failures and options.

mod slow;

use serde_json::{Value, json};

use super::panel::{calls, panel};
use super::scenario::{Scenario, keys};

/// An answer with every marker that a phase may require.
const READY: &str =
    "CONCERN: load\n\nDECISION: ship it\n\nSOLUTION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: READY";

#[test]
fn run_asks_again_after_a_discussion_without_answers() {
    let refuses = "#!/bin/sh\ncat >/dev/null\necho 'Not logged in'\nexit 1\n";
    let scenario = Scenario::new().program("claude", refuses);
    let run = scenario.discussions(&["discuss", "Why?", "--provider", "claude"]).code(4);
    assert!(!run.stdout.contains("Nobody wrote one"), "{}", run.stdout);
    run.says("Outcome: open because too few participants answered (").notes(
        "next: discussions run why --provider claude    (asks the participants that could not answer)",
    );
    let scenario = scenario.program("claude", crate::cli::CLAUDE);
    scenario.discussions(&["run", "why", "--provider", "claude"]).code(0);
}

#[test]
fn dialogue_ends_at_two_yes_votes_or_after_its_rounds() {
    for (vote, rounds, exit) in [("YES", 1, 0), ("NO", 3, 1)] {
        let answer = format!("SOLUTION: both\n\nCONFIDENCE: 0.9\n\nVOTE: {vote}");
        let scenario = panel().env("ANSWER_check", &answer);
        let args = ["discuss", "Ship it?", "--pattern", "dialogue", "-r", "3", "--json"];
        let result = scenario.discussions(&args).with_warnings().code(exit).json();
        assert_eq!(result["rounds"].as_array().unwrap().len(), rounds);
        assert_eq!(calls(&scenario).len(), 2 * rounds + 2 * rounds);
        if exit == 0 {
            assert_eq!(result["synthesis"], "both");
            assert_eq!(result["finalConsensus"]["achievedAtRound"], 1);
        } else {
            assert_eq!(result["error"]["code"], "DISCUSSION_CONSENSUS_FAILED");
            let text = result["synthesis"].as_str().unwrap();
            assert!(text.contains("AI-Architect") && text.contains("AI-Pragmatist"), "{text}");
        }
    }
}

#[test]
fn result_has_the_documented_fields() {
    let scenario = panel()
        .env("ANSWER", "CONFIDENCE: 0.5\n\nVOTE: REST")
        .env("ANSWER_security", "Schemas help.\n\nCONFIDENCE: 0.9\n\nVOTE: GraphQL");
    let args = [
        "discuss",
        "API?",
        "--pattern",
        "voting",
        "-o",
        "REST,GraphQL",
        "-p",
        "architect,security,designer",
    ];
    let result = scenario.discussions(&[&args[..], &["--json"]].concat()).code(0).json();
    assert_eq!(
        keys(&result),
        [
            "success",
            "pattern",
            "topic",
            "participatingProviders",
            "failedProviders",
            "rounds",
            "synthesis",
            "outcome",
            "consensus",
            "votingResults",
            "totalDurationMs",
            "metadata",
            "stoppingReason",
            "file"
        ]
    );
    assert_eq!(result["votingResults"]["votes"], json!({"REST": 2, "GraphQL": 1}));
    assert_eq!(result["votingResults"]["weightedVotes"], json!({"REST": 1.0, "GraphQL": 0.9}));
    assert_eq!(result["votingResults"]["winner"], "REST");
    assert_eq!(
        keys(&result["votingResults"]["ballots"][0]),
        ["provider", "vote", "confidence", "reason"]
    );
    let dissent = &result["consensus"]["dissent"][0];
    assert_eq!(dissent["provider"], "security");
    assert!(dissent["position"].as_str().unwrap().starts_with("GraphQL: "), "{dissent}");
    let score = result["consensus"]["agreementScore"].as_f64().unwrap();
    assert!((score - 1.0 / 1.9).abs() < 1e-6, "{score}");
    assert_eq!(keys(&result["metadata"]["costSummary"]["byProvider"]), ["panel"]);
    assert_eq!(keys(&result["rounds"][0]), ["roundNumber", "responses", "durationMs"]);
}

#[test]
fn synthesizer_can_have_its_own_provider() {
    let scenario = panel().env("ANSWER", READY).file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: panel}\n  - {name: other, command: panel}\n",
    );
    let args = ["discuss", "Ship?", "-r", "1", "--synthesizer", "designer=other", "--json"];
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(result["metadata"]["costSummary"]["byProvider"]["other"]["calls"], 2);
    let args = ["discuss", "Ship?", "-r", "1", "--synthesizer", "designer=nobody", "--json"];
    scenario.discussions(&args).code(3).notes("there is no provider `nobody`");
}

#[test]
fn tie_has_no_winner() {
    let scenario = panel()
        .env("ANSWER_ballot_architect", "VOTE: READY")
        .env("ANSWER_ballot_security", "VOTE: REJECT");
    let args = ["discuss", "Ship?", "--pattern", "voting", "-p", "architect,security", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    assert_eq!(
        (&result["votingResults"]["winner"], &result["votingResults"]["tied"]),
        (&json!(""), &json!(true))
    );
    assert_eq!(result["error"]["message"], "the vote is a tie");
}

#[test]
fn too_few_answers_end_with_their_code_and_keep_answers() {
    let scenario = panel()
        .env("ANSWER", "DECISION: go")
        .env("ANSWER_security", "fail")
        .env("ANSWER_pragmatist", "fail");
    let run = scenario.discussions(&["discuss", "Ship it?", "--json"]).with_warnings().code(4);
    let result = run.json();
    assert_eq!(result["error"]["code"], "DISCUSSION_INSUFFICIENT_PROVIDERS");
    assert_eq!(result["error"]["retryable"], true);
    assert_eq!(result["failedProviders"], json!(["security", "pragmatist"]));
    assert!(scenario.read("discussions/ship-it.md").contains("I am architect in perspectives"));

    let scenario = panel().env("ANSWER", "fail");
    let result =
        scenario.discussions(&["discuss", "Ship it?", "--json"]).with_warnings().code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_ALL_PROVIDERS_FAILED");

    // Two participants give empty answers, also to the second request.
    let scenario = panel().program("mute", "#!/bin/sh\ncat > /dev/null\n").file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: panel}\n  - {name: mute, command: mute}\n",
    );
    let args =
        ["discuss", "Ship it?", "-p", "architect=panel,security=mute,designer=mute", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_PARSE_FAILED");
}

#[test]
fn failed_participant_does_not_stop_the_others() {
    let scenario = panel().env("ANSWER", READY).env("ANSWER_security", "fail");
    let result =
        scenario.discussions(&["discuss", "Ship it?", "--json"]).with_warnings().code(0).json();
    assert_eq!(result["failedProviders"], json!(["security"]));
    assert_eq!(result["participatingProviders"], json!(["architect", "pragmatist", "moderator"]));
    assert_eq!(result["consensus"]["degraded"], true);
}

#[test]
fn discuss_without_a_model_leaves_no_file() {
    let scenario = Scenario::new().alone();
    scenario
        .discussions(&["discuss", "Ship it?"])
        .code(4)
        .notes("error: no model is available: no model program is installed and no key is set\nhelp: any one of these")
        .notes("--provider mock");
    assert!(!scenario.path("discussions/ship-it.md").exists());
    let result = scenario.discussions(&["discuss", "Ship it?", "--json"]).code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_INSUFFICIENT_PROVIDERS");
    assert_eq!(result["file"], "");
}

#[test]
fn invalid_options_are_refused_before_a_file_is_made() {
    let scenario = Scenario::new();
    for (args, code, wanted) in [
        (&["--pattern", "debat"][..], "INVALID_PATTERN", "there is no template `debat`"),
        (
            &["--pattern", "debate", "--roles", "architect=jugde"],
            "INVALID_INPUT",
            "no role `jugde`",
        ),
        (&["-p", "architect"], "INVALID_INPUT", "takes 2 to 6 participants"),
        (
            &["-p", "archtect,security"],
            "INVALID_INPUT",
            "no participant or provider is called `archtect`",
        ),
        (&["-r", "11"], "INVALID_INPUT", "`rounds` must be 1 to 10"),
        (&["--pattern", "voting", "-o", "a,b,c,d,e,f,g,h,i,j,k"], "INVALID_INPUT", "2 to 10 items"),
        (&["-o", "a,b"], "INVALID_INPUT", "has no options to vote on"),
        (
            &["--pattern", "dialogue", "--synthesizer", "designer"],
            "INVALID_INPUT",
            "has no synthesizer",
        ),
    ] {
        let args = [&["discuss", "Ship it?", "--provider", "mock", "--json"], args].concat();
        let run = scenario.discussions(&args).code(3).notes(wanted);
        assert_eq!(run.json()["error"]["code"], format!("DISCUSSION_{code}"), "{args:?}");
    }
    scenario.discussions(&["discuss", "Ship it?", "--provider-timeout", "1s"]).code(2);
    scenario.discussions(&["discuss", "Ship it?", "--provider", "mok"]).code(3).notes("`mock`");
    assert!(!scenario.path("discussions").exists());
}

#[test]
fn rounds_option_is_ignored_by_single_round_patterns() {
    let scenario = Scenario::new();
    let args = ["discuss", "Ship?", "--pattern", "voting", "-r", "3", "--provider", "mock"];
    scenario.discussions(&args).code(0).notes("note: `voting` has only one round");
}

#[test]
fn roles_are_assigned_by_order_or_by_option() {
    let scenario = panel().env("ANSWER", READY);
    let args =
        ["discuss", "Ship?", "--pattern", "debate", "-r", "1", "-p", "architect,security,designer"];
    scenario.discussions(&args).code(0);
    assert_eq!(
        sorted_calls(&scenario),
        ["architect openings", "designer verdict", "security openings"]
    );

    let scenario = panel().env("ANSWER", READY);
    let roles = ["--roles", "designer=proponent,architect=opponent", "--synthesizer", "moderator"];
    scenario.discussions(&[&args[..], &roles].concat()).code(0);
    assert_eq!(
        sorted_calls(&scenario),
        ["architect openings", "designer openings", "moderator verdict"]
    );
}

fn sorted_calls(scenario: &Scenario) -> Vec<String> {
    let mut calls = calls(scenario);
    calls.sort();
    calls
}

#[test]
fn providers_can_take_part_without_a_persona() {
    let scenario = panel()
        .env("ANSWER", READY)
        .file(
            "providers.yaml",
            "providers:\n  - {name: red, command: panel}\n  - {name: blue, command: panel}\n",
        )
        .file("discussions.yaml", "author: Rob\n");
    let args = [
        "discuss",
        "Ship?",
        "-r",
        "1",
        "-p",
        "red,blue,architect=red",
        "--synthesizer",
        "blue",
        "--json",
    ];
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(result["participatingProviders"], json!(["red", "blue", "architect"]));
    let by = &result["metadata"]["costSummary"]["byProvider"];
    // Three drafts, the answer by blue, three objections, the revised answer.
    assert_eq!((&by["red"]["calls"], &by["blue"]["calls"]), (&json!(4), &json!(4)));
}

#[test]
fn finished_discussion_file_can_be_continued() {
    let scenario = panel().env("ANSWER", READY);
    scenario
        .discussions(&["discuss", "Ship it?", "--out", "notes/talk.md"])
        .code(0)
        .says("Answered, not voted on. Synthesis by moderator\n\nAnswer: ship it\n\nI am moderator in review.\n")
        .says("\nFile: notes/talk.md\n");
    scenario.discussions(&["comment", "notes/talk.md", "Not before May."]).code(0);
    scenario.discussions(&["status", "notes/talk.md"]).code(0).says("ANSWERED");
    scenario.discussions(&["turn", "notes/talk.md", "@security", "--ask", "May?"]).code(0);
    assert_eq!(calls(&scenario).last().unwrap(), "security objections");
    // A file named with `--out` is never replaced by a numbered one.
    scenario
        .discussions(&["discuss", "Ship it?", "--out", "notes/talk.md"])
        .code(3)
        .notes("notes/talk.md already exists");
    assert!(!scenario.path("notes/talk-2.md").exists());
}

#[test]
fn verbose_shows_every_answer() {
    let scenario = panel().env("ANSWER", READY);
    scenario
        .discussions(&["discuss", "Ship it?", "-r", "1", "-v"])
        .code(0)
        .says("Round 1\n\n")
        .says("\narchitect\n\nI am architect in perspectives.\n")
        .says("Synthesis by moderator\n\nAnswer: ship it\n\nI am moderator in review.");
}

#[test]
fn events_are_lines_followed_by_the_result() {
    let scenario = panel().env("ANSWER", READY);
    let run = scenario
        .discussions(&["discuss", "Ship?", "--pattern", "voting", "--events", "--json"])
        .code(0);
    let lines: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (result, events) = lines.split_last().unwrap();
    assert_eq!(result["success"], true);
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("discussion.start", "discussion.end"));
    for name in [
        "discussion.round.start",
        "answer.start",
        "answer.chunk",
        "answer.end",
        "vote",
        "consensus.start",
        "consensus",
        "discussion.round.end",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    for event in events {
        assert_eq!(event["file"], "discussions/ship.md");
        assert!(event["at"].is_string());
    }
}

#[test]
fn own_pattern_is_a_template_file() {
    let scenario = panel().env("ANSWER", READY).file(
        "templates/pair.md",
        "---\nid: pair\nparticipants: {min: 2, max: 2, default: [architect, security]}\n\
         consensus: {method: synthesis, human_required: false}\nphases:\n\
         \x20 - id: sketch\n    instructions: Sketch an answer.\n\
         \x20 - id: merge\n    instructions: Merge the sketches.\n    speakers: [architect]\n    stand_in: true\n\
         result:\n  synthesis: (said | last).body\n---\n# {{ title }}\n\n---\n",
    );
    let result =
        scenario.discussions(&["discuss", "Ship?", "--pattern", "pair", "--json"]).code(0).json();
    assert_eq!(result["pattern"], "pair");
    assert_eq!(sorted_calls(&scenario), ["architect merge", "architect sketch", "security sketch"]);
}

//! Slow tests of `mended.rs`.

use super::*;

#[test]
#[ignore = "slow: starts the program many times"]
fn author_of_the_synthesis_breaks_a_tie() {
    let scenario = panel()
        .env("ANSWER_ballot_architect", "CONFIDENCE: 0.5\n\nVOTE: REST")
        .env("ANSWER_ballot_security", "CONFIDENCE: 0.5\n\nVOTE: GraphQL")
        .env("ANSWER_synthesis", "Both work.\n\nDECISION: We take GraphQL for the public API");
    let args = [
        "discuss",
        "API?",
        "--pattern",
        "voting",
        "-o",
        "REST,GraphQL",
        "-p",
        "architect,security",
    ];
    let result = scenario.discussions(&[&args[..], &["--json"]].concat()).code(0).json();
    let voting = &result["votingResults"];
    assert_eq!((&voting["winner"], &voting["tied"]), (&json!("GraphQL"), &json!(true)));
    assert_eq!(voting["tieBrokenBy"], "moderator");
    assert_eq!(result["consensus"]["agreementScore"], 0.5);
    scenario.discussions(&args).code(0).says("a tie, and moderator chose GraphQL");
    // A decision that names both options, or neither, does not break the tie.
    for said in ["DECISION: REST or GraphQL", "DECISION: gRPC"] {
        let result = tie_explained_by(said)
            .discussions(&[&args[..], &["--json"]].concat())
            .with_warnings()
            .code(1)
            .json();
        assert_eq!(
            (&result["votingResults"]["winner"], &result["votingResults"]["tied"]),
            (&json!(""), &json!(true))
        );
    }
}

#[test]
#[ignore = "slow: starts the program many times"]
fn dissent_and_failure_handling_can_be_switched() {
    let scenario = panel()
        .env("ANSWER", READY)
        .env("ANSWER_ballot_security", "It leaks.\n\nCONFIDENCE: 0.3\n\nVOTE: REJECT");
    let args = ["discuss", "Ship?", "--pattern", "voting", "--json"];
    let off = [&args[..], &["--set", "include_dissent=false"]].concat();
    assert_eq!(scenario.discussions(&off).code(0).json()["consensus"]["dissent"], json!([]));

    let scenario = panel().env("ANSWER", READY).env("ANSWER_security", "fail");
    let args =
        ["discuss", "Ship?", "-r", "1", "--set", "objections=0", "--set", "review=false", "--json"];
    scenario.discussions(&args).with_warnings().code(0);
    let strict = [&args[..], &["--set", "continue_on_provider_failure=false"]].concat();
    let result = scenario.discussions(&strict).with_warnings().code(4).json();
    assert_eq!(result["success"], false);
    let wrong = [&args[..], &["--set", "include_dissent=perhaps"]].concat();
    scenario.discussions(&wrong).code(3).notes("true or false");
}

#[test]
#[ignore = "slow: starts the program many times"]
fn participant_without_a_speaking_role_is_noted() {
    let debate = |more: &[&str]| {
        let args = ["discuss", "Ship?", "--pattern", "debate", "-r", "1", "-p"];
        let four = ["architect,security,pragmatist,designer", "--json"];
        panel().env("ANSWER", READY).discussions(&[&args, &four[..], more].concat()).code(0)
    };
    let note = "note: designer has no speaking role in `debate`, so it answers only mentions and ballots; to give it one: `discuss --roles designer=neutral`\n";
    assert_eq!(debate(&[]).stderr().matches(note).count(), 1);
    assert!(!debate(&["--roles", "designer=neutral"]).stderr().contains("no role that speaks"));
    panel()
        .discussions(&[
            "new",
            "Ship?",
            "-t",
            "debate",
            "-p",
            "architect,security,pragmatist,designer",
        ])
        .code(0)
        .notes(note);
    // Every participant of these patterns has a speaking role.
    for pattern in ["synthesis", "round-robin", "critique", "voting", "feature"] {
        let args = ["new", "Ship?", "-t", pattern, "-p", "architect,security,pragmatist,designer"];
        assert!(!panel().discussions(&args).code(0).stderr().contains("no role that speaks"));
    }
}

#[test]
#[ignore = "slow: starts the program many times"]
fn result_of_a_file_is_available_at_any_time() {
    let scenario = panel().env("ANSWER", READY).env("ANSWER_synthesis", "fail");
    let failed =
        scenario.discussions(&["discuss", "Ship?", "--json"]).with_warnings().code(4).json();
    let again = scenario.discussions(&["result", "ship", "--json"]).code(0).json();
    assert_eq!(failed, again);
    let scenario = scenario.env("ANSWER_synthesis", "All of it.");
    scenario.discussions(&["run", "ship"]).code(0);
    let whole = scenario.discussions(&["result", "ship", "--json"]).code(0).json();
    assert_eq!((&whole["success"], &whole["pattern"]), (&json!(true), &json!("synthesis")));
}

#[test]
#[ignore = "slow: starts the program many times"]
fn role_moderator_means_judge_or_synthesizer() {
    for (pattern, role) in [
        ("debate", "judge"),
        ("synthesis", "synthesizer"),
        ("round-robin", "synthesizer"),
        ("voting", "synthesizer"),
    ] {
        let scenario = panel().env("ANSWER", READY);
        let args =
            ["discuss", "Ship?", "--pattern", pattern, "--roles", "designer=moderator", "--json"];
        let result = scenario.discussions(&args).code(0).json();
        let head = scenario.read(result["file"].as_str().unwrap());
        assert!(head.contains(&format!("{role}: [designer]")), "{pattern}: {head}");
    }
    panel()
        .discussions(&[
            "discuss",
            "Ship?",
            "--pattern",
            "dialogue",
            "--roles",
            "architect=moderator",
        ])
        .code(3)
        .notes("the template `dialogue` has no role `moderator`; it has: one, other");
}

#[test]
#[ignore = "slow: starts the program many times"]
fn round_events_match_the_rounds_of_the_result() {
    for (pattern, rounds) in [("voting", 1), ("debate", 2), ("critique", 2)] {
        let run = panel()
            .env("ANSWER", READY)
            .discussions(&["discuss", "Ship?", "--pattern", pattern, "--events", "--json"])
            .code(0);
        let lines: Vec<Value> =
            run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (result, events) = lines.split_last().unwrap();
        let of = |name: &str| -> Vec<&Value> {
            events.iter().filter(|event| event["event"] == name).map(|it| &it["round"]).collect()
        };
        let counted: Vec<&Value> =
            result["rounds"].as_array().unwrap().iter().map(|it| &it["roundNumber"]).collect();
        assert_eq!(counted.len(), rounds, "{pattern}");
        assert_eq!(of("discussion.round.start"), counted, "{pattern}");
        assert_eq!(of("discussion.round.end"), counted, "{pattern}");
        assert!(of("turn.start").len() > rounds, "{pattern}: several turns a round");
    }
}

#[test]
#[ignore = "slow: starts the program many times"]
fn threshold_comes_from_configuration_or_option() {
    let votes = |scenario: Scenario| {
        scenario
            .env("ANSWER", "DECISION: ship it\n\nCONFIDENCE: 1\n\nVOTE: READY")
            .env("ANSWER_ballot_pragmatist", "CONFIDENCE: 1\n\nVOTE: REJECT")
    };
    let args = ["discuss", "Ship?", "--pattern", "voting", "--json"];
    let config = "providers: {default: panel}\nconsensus: {threshold: 0.9}\n";
    let scenario = votes(panel()).file("discussions.yaml", config);
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_CONSENSUS_FAILED", "{result}");
    // The option overrides the configuration of the project.
    scenario.discussions(&[&args[..], &["--threshold", "0.6"]].concat()).code(0);
    votes(panel())
        .discussions(&[&args[..], &["--threshold", "0.9"]].concat())
        .with_warnings()
        .code(1);
    votes(panel()).discussions(&args).code(0);
    votes(panel()).discussions(&[&args[..], &["--threshold", "1.9"]].concat()).code(2);
}

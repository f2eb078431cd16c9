//! Slow tests of `discuss.rs`.

use super::*;

#[test]
#[ignore = "slow: starts the program many times"]
fn ballot_ends_without_a_permanently_failed_participant() {
    let scenario = panel()
        .env("ANSWER", READY)
        .program("locked", "#!/bin/sh\ncat > /dev/null\necho 'invalid x-api-key' >&2\nexit 1\n")
        .file(
            "providers.yaml",
            "providers:\n  - {name: panel, command: panel}\n  - {name: locked, command: locked}\n",
        );
    for method in ["majority", "voting"] {
        let args = ["discuss", "Ship?", "-p", "architect,security,pragmatist=locked", "--json"];
        let args = [&args[..], &["--consensus", method]].concat();
        let result = scenario.discussions(&args).with_warnings().code(0).json();
        assert_eq!(result["votingResults"]["winner"], "READY");
        assert_eq!(result["consensus"]["degraded"], true);
        assert_eq!(result["failedProviders"], json!(["pragmatist"]));
    }
    // A unanimous vote needs all participants.
    let args = ["discuss", "Ship?", "-p", "architect,security,pragmatist=locked", "--consensus"];
    scenario.discussions(&[&args[..], &["unanimous"]].concat()).with_warnings().code(1);
}

#[test]
#[ignore = "slow: starts the program many times"]
fn each_pattern_makes_its_documented_number_of_calls() {
    let everybody = ["-p", "architect,security,pragmatist,designer"];
    for (args, count) in [
        // An answer with a review; the objections hold no findings, so there is no revision.
        (vec!["--pattern", "synthesis", "-r", "2"], 4 * 2 + 2 + 4),
        (vec!["--pattern", "synthesis", "-r", "1"], 4 + 2 + 4),
        (vec!["--pattern", "round-robin", "-r", "3"], 4 * 3 + 2),
        (vec!["--pattern", "debate", "-r", "3"], 2 * 3 + 1),
        (vec!["--pattern", "critique", "-r", "2"], 1 + 2 * 4 + 1 + 3),
        (vec!["--pattern", "voting", "--no-early-exit"], 4 + 1),
        // Three of four votes decide; the fourth call is spared.
        (vec!["--pattern", "voting"], 3 + 1),
        (vec!["--pattern", "synthesis", "-r", "1", "--consensus", "majority"], 4 + 2 + 4 + 4),
    ] {
        let scenario = panel().env("ANSWER", READY);
        let args = [vec!["discuss", "Ship it?", "--json"], everybody.to_vec(), args].concat();
        let result = scenario.discussions(&args).code(0).json();
        assert_eq!(calls(&scenario).len(), count, "{args:?}: {:?}", calls(&scenario));
        assert_eq!(result["metadata"]["costSummary"]["totalCalls"], count, "{args:?}");
        assert_eq!(result["success"], true, "{args:?}");
    }
}

#[test]
#[ignore = "slow: starts the program many times"]
fn failed_synthesis_falls_back_to_answers_or_stand_in() {
    let scenario = panel().env("ANSWER", "Ready.").env("ANSWER_synthesis", "fail");
    let result =
        scenario.discussions(&["discuss", "Ship it?", "--json"]).with_warnings().code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_SYNTHESIS_FAILED");
    let text = result["synthesis"].as_str().unwrap();
    assert!(text.contains("**architect**\n\nI am architect in perspectives."), "{text}");
    assert_eq!(result["consensus"]["degraded"], true);

    let signs = r#"{"sentinel": "NO_RESPONSE"}"#;
    let scenario = panel().env("ANSWER", READY).env("ANSWER_objections", signs);
    let scenario = scenario.env("ANSWER_synthesis_moderator", "fail");
    let scenario = scenario.env("ANSWER_review_moderator", "fail");
    let result =
        scenario.discussions(&["discuss", "Ship it?", "--json"]).with_warnings().code(0).json();
    let text = result["synthesis"].as_str().unwrap();
    assert!(text.starts_with("I am perfectionist in review"), "{text}");
    assert_eq!(result["consensus"]["synthesizer"], "perfectionist");
}

#[test]
#[ignore = "slow: starts the program many times"]
fn moderator_rule_needs_a_decision_and_asks_twice() {
    let args = ["discuss", "Ship?", "-r", "1", "--consensus", "moderator", "--json"];
    let scenario = panel().env("ANSWER", READY);
    scenario.discussions(&args).code(0);
    let scenario = panel().env("ANSWER", "It depends.");
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_CONSENSUS_FAILED");
    assert_eq!(result["error"]["message"], "the final text states no DECISION");
    let synthesis_calls =
        calls(&scenario).iter().filter(|call| *call == "moderator synthesis").count();
    assert_eq!(synthesis_calls, 2);
}

#[test]
#[ignore = "slow: starts the program many times"]
fn unanimous_rejection_is_no_consensus() {
    let scenario =
        panel().env("ANSWER", "DECISION: go").env("ANSWER_ballot", "CONFIDENCE: 1\n\nVOTE: REJECT");
    for method in ["unanimous", "majority", "voting"] {
        let args = ["discuss", "Ship?", "-r", "1", "--json", "--consensus", method];
        let result = scenario.discussions(&args).with_warnings().code(1).json();
        assert_eq!(result["consensus"]["reached"], false);
        assert_eq!(result["error"]["message"], "REJECT leads, which does not count as consensus");
    }
}

#[test]
#[ignore = "slow: starts the program many times"]
fn unclear_answer_in_a_dialogue_counts_as_no() {
    for (answer, asked) in [("There are problems left.", 2), ("", 2), ("VOTE: MAYBE", 2)] {
        let yes = "SOLUTION: mine\n\nCONFIDENCE: 0.9\n\nVOTE: YES";
        let scenario = panel()
            .program("terse", "#!/bin/sh\ncat > /dev/null\n[ \"$DISCUSSIONS_PHASE\" = check ] || echo Draft.\n[ \"$DISCUSSIONS_PHASE\" != check ] || { echo \"terse check\" >> \"$CALLS\"; printf '%s' \"$TERSE\"; }\n")
            .file(
                "providers.yaml",
                "providers:\n  - {name: panel, command: panel}\n  - {name: terse, command: terse}\n",
            )
            .env("ANSWER_check", yes)
            .env("TERSE", answer);
        for method in ["unanimous", "majority"] {
            let args = ["discuss", "Ship?", "--pattern", "dialogue", "-r", "2", "--json"];
            let who = ["-p", "architect,security=terse", "--consensus", method];
            let result =
                scenario.discussions(&[&args[..], &who].concat()).with_warnings().code(1).json();
            assert_eq!(result["votingResults"]["votes"], json!({"YES": 1, "NO": 1}));
            let ballots = result["votingResults"]["ballots"].as_array().unwrap();
            let terse = ballots.iter().find(|one| one["provider"] == "security").unwrap();
            assert_eq!((&terse["vote"], &terse["confidence"]), (&json!("NO"), &json!(0.0)));
            assert_eq!(result["rounds"].as_array().unwrap().len(), 2);
        }
        let checks = calls(&scenario).iter().filter(|call| *call == "terse check").count();
        assert_eq!(checks, 2 * 2 * asked, "{answer}");
    }
}

#[test]
#[ignore = "slow: starts the program many times"]
fn unmet_consensus_rule_keeps_the_synthesis_and_exits_1() {
    for (method, votes, code) in [
        ("unanimous", ["READY", "READY", "CHANGES"], 1),
        ("unanimous", ["READY", "READY", "READY"], 0),
        ("majority", ["READY", "CHANGES", "REJECT"], 1),
        ("majority", ["READY", "READY", "REJECT"], 0),
        ("voting", ["READY", "READY", "REJECT"], 0),
    ] {
        let mut scenario = panel().env("ANSWER", "DECISION: ship it");
        for (alias, vote) in ["architect", "security", "designer"].into_iter().zip(votes) {
            scenario = scenario.env(
                &format!("ANSWER_ballot_{alias}"),
                &format!("CONFIDENCE: 0.5\n\nVOTE: {vote}"),
            );
        }
        let args = [
            "discuss",
            "Ship?",
            "-r",
            "1",
            "-p",
            "architect,security,designer",
            "--json",
            "--consensus",
            method,
        ];
        let result = scenario.discussions(&args).with_warnings().code(code).json();
        assert_eq!(result["success"], code == 0, "{method} {votes:?}");
        assert!(result["synthesis"].as_str().unwrap().contains("I am moderator in review"));
        if code == 1 {
            assert_eq!(result["error"]["code"], "DISCUSSION_CONSENSUS_FAILED");
            assert_eq!(result["error"]["retryable"], false);
            assert!(!result["consensus"]["dissent"].as_array().unwrap().is_empty());
        }
    }
}

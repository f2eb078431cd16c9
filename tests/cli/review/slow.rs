//! Slow tests of `review.rs`.

use super::*;

#[test]
#[ignore = "slow: starts the program many times"]
fn failed_perspective_is_named_and_has_no_rating() {
    let scenario = project_with_brief().env("ANSWER", GOOD).env("ANSWER_risk", "fail");
    scenario
        .discussions(&["review", "spec/brief.md"])
        .with_warnings()
        .code(0)
        .says("PARTIAL: no rating from risk\n")
        .stdout_lacks("risk 4/5");
    let result =
        scenario.discussions(&["review", "spec/brief.md", "--json"]).with_warnings().code(0).json();
    assert_eq!((&result["partial"], &result["failed"]), (&json!(true), &json!(["risk"])));
    assert!(result["ratings"].get("risk").is_none());

    let scenario = project_with_brief().env("ANSWER", "fail");
    scenario
        .discussions(&["review", "spec/brief.md"])
        .code(4)
        .says("Verdict: none (DISCUSSION_ALL_PROVIDERS_FAILED)")
        .notes("no participant answered");
}

#[test]
#[ignore = "slow: starts the program many times"]
fn named_rounds_select_their_perspectives() {
    for (round, perspectives) in [
        ("DISCUSS-001", "coverage product risk"),
        ("DISCUSS-002", "coverage product quality technical"),
        ("DISCUSS-003", "coverage product quality"),
        ("DISCUSS-004", "risk technical"),
        ("DISCUSS-005", "coverage product quality technical"),
        ("DISCUSS-006", "coverage product quality risk technical"),
    ] {
        let scenario = project_with_brief().env("ANSWER", GOOD);
        let args =
            ["review", "spec/brief.md", "--round", round, "--context-file", "ctx.md", "--json"];
        let result = scenario.discussions(&args).code(0).json();
        assert_eq!(result["round"], round);
        assert_eq!(result["record"], format!("discussions/{round}-discussion.md"));
        let mut aliases: Vec<String> = calls(&scenario)
            .iter()
            .map(|call| call.split(' ').next().unwrap().to_owned())
            .collect();
        aliases.sort();
        assert_eq!(aliases.join(" "), perspectives);
    }
    project_with_brief()
        .discussions(&["review", "spec/brief.md", "--round", "DISCUSS-007"])
        .code(3)
        .notes("DISCUSS-006");
}

#[test]
#[ignore = "slow: starts the program many times"]
fn ratings_and_risks_decide_verdict_and_severity() {
    // Each row: the ratings and risks of the perspectives, then verdict, severity and recommendation.
    for (given, verdict, severity, recommendation) in [
        (["4 low", "4 low", "4 low", "4 low"], "reached", "LOW", "proceed-with-caution"),
        (["3 low", "3 low", "3 low", "2 low"], "blocked", "MEDIUM", "proceed-with-caution"),
        (["5 low", "4 low", "4 low", "2 low"], "reached", "MEDIUM", "proceed-with-caution"),
        (["5 low", "5 low", "2 low", "2 low"], "blocked", "HIGH", "revise"),
        (["5 low", "5 low", "5 low", "5 high"], "blocked", "HIGH", "revise"),
        (["5 critical", "5 low", "5 low", "5 low"], "blocked", "HIGH", "revise"),
        (["4 medium", "4 low", "4 low", "4 low"], "reached", "LOW", "proceed-with-caution"),
    ] {
        let mut scenario = project_with_brief();
        for (who, marks) in ["product", "technical", "quality", "risk"].into_iter().zip(given) {
            let (rating, risk) = marks.split_once(' ').unwrap();
            let answer = format!("RATING: {rating}\\n\\nRISK: {risk}");
            scenario = scenario.env(&format!("ANSWER_{who}"), &answer);
        }
        // A verdict with the advice to proceed is no failure for a caller.
        let code = if severity == "HIGH" { 1 } else { 0 };
        let result = scenario.discussions(&["review", "spec/brief.md", "--json"]).code(code).json();
        assert_eq!(result["verdict"], format!("consensus_{verdict}"), "{given:?}");
        assert_eq!(result["severity"], severity, "{given:?}");
        assert_eq!(result["recommendation"], recommendation, "{given:?}");
    }
}

#[test]
#[ignore = "slow: starts the program many times"]
fn text_json_record_and_exit_code_agree() {
    let others = |answer: &str| {
        let scenario = project_with_brief().env("ANSWER", answer).env("ANSWER_product", GOOD);
        scenario
            .file("providers.yaml", "providers:\n  - {name: panel, command: panel, retries: 0}\n")
    };
    // Only one of four perspectives gives a readable answer.
    for answer in ["fail", "I like it."] {
        let scenario = others(answer);
        let run =
            scenario.discussions(&["review", "spec/brief.md", "--json"]).with_warnings().code(4);
        let result = run.json();
        assert_eq!(result["verdict"], json!(null), "{answer}");
        assert_eq!(result["error"]["code"], "DISCUSSION_INSUFFICIENT_PROVIDERS", "{answer}");
        assert_eq!(result["ratings"], json!({"product": 4}), "what was said is kept");
        assert_eq!(result["failed"], json!(["technical", "quality", "risk"]), "{answer}");
        let again = scenario.discussions(&["result", "brief-discussion", "--json"]).code(0);
        assert_eq!(again.json(), result, "{answer}");
        let text = scenario.discussions(&["result", "brief-discussion"]).code(0);
        text.says("Verdict: none (DISCUSSION_INSUFFICIENT_PROVIDERS)");
        let status = scenario.discussions(&["status", "brief-discussion", "--json"]).json();
        assert_eq!(
            (&status["status"], &status["consensus"]["reached"]),
            (&json!("OPEN"), &json!(false))
        );
        assert!(!scenario.read("discussions/brief-discussion.md").contains("Record of the review"));
        // The next run asks the missing perspectives again.
        let scenario = scenario.env("ANSWER", GOOD);
        scenario.discussions(&["run", "brief-discussion"]).code(0);
        let result = scenario.discussions(&["result", "brief-discussion", "--json"]).json();
        assert_eq!(
            (&result["verdict"], &result["partial"]),
            (&json!("consensus_reached"), &json!(false))
        );
    }
    // No perspective gives a readable answer.
    let scenario = project_with_brief().env("ANSWER", "I like it.");
    scenario
        .discussions(&["review", "spec/brief.md"])
        .with_warnings()
        .code(4)
        .says("Verdict: none");
    let status = scenario.discussions(&["status", "brief-discussion", "--json"]).json();
    assert_eq!(status["status"], "OPEN");
    // A review with a single perspective needs only that answer.
    let args = ["review", "spec/brief.md", "--perspectives", "product", "--json"];
    let result = project_with_brief().env("ANSWER", GOOD).discussions(&args).code(0).json();
    assert_eq!(result["verdict"], "consensus_reached");
}

#[test]
#[ignore = "slow: starts the program many times"]
fn unreadable_rating_is_requested_again_then_missing() {
    for answer in ["RATING: 6", "RATING: four", "RATING: 2/10", "I like it."] {
        let scenario = project_with_brief().env("ANSWER", GOOD).env("ANSWER_risk", answer);
        let result = scenario.discussions(&["review", "spec/brief.md", "--json"]).code(0).json();
        assert_eq!((&result["partial"], &result["failed"]), (&json!(true), &json!(["risk"])));
        assert_eq!(calls(&scenario).iter().filter(|call| call.starts_with("risk")).count(), 2);
    }
    let scenario = project_with_brief().env("ANSWER", "I like it.");
    let run = scenario.discussions(&["review", "spec/brief.md", "--json"]).with_warnings().code(4);
    assert_eq!(run.json()["error"]["code"], "DISCUSSION_INSUFFICIENT_PROVIDERS");
    assert_eq!(run.json()["verdict"], json!(null));
}

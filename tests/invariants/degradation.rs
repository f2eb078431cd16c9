//! Failing participants: the others continue; with too few, the discussion ends with a standard code.

use discussions::codes::{ErrorCode, StopCode};
use discussions::runner::{Abort, RunOptions, Runner};
use discussions::view::EventKind;

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, new};
use crate::project::Project;

fn answers_with_failure(who: &str) -> String {
    format!(
        "answers:\n  - {{participant: {who}, fault: {{code: unauthorized, message: key refused}}}}\n{}",
        AGREED.trim_start().trim_start_matches("answers:\n")
    )
}

#[tokio::test(start_paused = true)]
async fn inv_disc_010_minimum_provider_participation() {
    for (dead, enough) in [(&["security"][..], true), (&["security", "pragmatist"], false)] {
        let faults: String = dead
            .iter()
            .map(|who| format!("  - {{participant: {who}, fault: {{code: unauthorized}}}}\n"))
            .collect();
        let answers = format!("answers:\n{faults}  - {{text: \"Said.\\n\\nVOTE: READY\"}}\n");
        let result = FinishedRun::of(&new("synthesis", &THREE, &[]), &answers).await.result();
        assert_eq!(result.success, enough, "{dead:?}: {:?}", result.error);
        let speakers =
            result.participating_providers.iter().filter(|it| *it != "moderator").count();
        assert_eq!(speakers, 3 - dead.len());
        let mut failed = result.failed_providers;
        failed.sort_by_key(|who| who == "pragmatist");
        assert_eq!(failed, dead);
    }
    let mut new = new("synthesis", &THREE, &[]);
    new.min_answers = Some(3);
    let run = FinishedRun::of(&new, &answers_with_failure("security")).await;
    assert_eq!(run.code(), "DISCUSSION_INSUFFICIENT_PROVIDERS", "three are asked for");
    new.min_answers = Some(4);
    assert!(Project::new().workspace().discussions().draft(&new).is_err(), "more than there are");
}

#[tokio::test(start_paused = true)]
async fn inv_disc_011_provider_isolation() {
    let words = |it: &FinishedRun, who: &str| -> Vec<String> {
        let responses = it.result().rounds.into_iter().flat_map(|round| round.responses);
        responses.filter(|it| it.provider == who).map(|it| it.content).collect()
    };
    let new = new("voting", &THREE, &[]);
    let whole = FinishedRun::of(&new, AGREED).await;
    let degraded = FinishedRun::of(&new, &answers_with_failure("security")).await;
    for who in ["architect", "pragmatist"] {
        assert_eq!(words(&whole, who), words(&degraded, who), "{who} says the same");
        let prompt = |it: &FinishedRun| it.recorder.prompt(who, "ballot", 0);
        assert_eq!(prompt(&whole), prompt(&degraded), "{who} is asked the same");
    }
}

#[tokio::test(start_paused = true)]
async fn inv_disc_101_minimum_participating_providers() {
    let second_round = r#"
answers:
  - {participant: security, call: 2, fault: {code: unauthorized}}
  - {participant: pragmatist, call: 2, fault: {code: unauthorized}}
  - {text: "Said."}
"#;
    let run = FinishedRun::of(&new("synthesis", &THREE, &[]), second_round).await;
    assert_eq!(
        run.code(),
        "DISCUSSION_INSUFFICIENT_PROVIDERS",
        "after each round, not only the first"
    );
    assert_eq!(run.recorder.call_count(), 6, "the synthesis is not paid for");
    assert_eq!(run.result().rounds[0].responses.len(), 3, "the first round stays");

    // One of two critics is enough, since the author takes part too; without any critic it is no critique.
    for (dead, code) in [("pragmatist", "none"), ("security", "none")] {
        let run = FinishedRun::of(&new("critique", &THREE, &[]), &answers_with_failure(dead)).await;
        assert_eq!(run.code(), code, "{dead}: {}", run.text());
    }
    let run = FinishedRun::of(&new("critique", &TWO, &[]), &answers_with_failure("security")).await;
    assert_eq!(run.code(), "DISCUSSION_INSUFFICIENT_PROVIDERS");
}

const CODES: [(&str, bool); 13] = [
    ("DISCUSSION_INSUFFICIENT_PROVIDERS", true),
    ("DISCUSSION_PROVIDER_TIMEOUT", true),
    ("DISCUSSION_ALL_PROVIDERS_FAILED", true),
    ("DISCUSSION_CONSENSUS_FAILED", false),
    ("DISCUSSION_INVALID_PATTERN", false),
    ("DISCUSSION_INVALID_ROLES", false),
    ("DISCUSSION_SYNTHESIS_FAILED", true),
    ("DISCUSSION_TIMEOUT", true),
    ("DISCUSSION_PARSE_FAILED", true),
    ("DISCUSSION_INVALID_STATE", false),
    // A user or a limit stopped it: running it again continues.
    ("DISCUSSION_INVALID_STATE", true),
    ("DISCUSSION_INVALID_INPUT", false),
    ("DISCUSSION_COST_BUDGET_EXCEEDED", false),
];

/// Code and retryability of results with different endings.
async fn endings() -> Vec<(String, bool)> {
    let of = |run: &FinishedRun, ending: Option<StopCode>| {
        let json = serde_json::to_value(run.ended(ending)).unwrap();
        let error = &json["error"];
        (error["code"].as_str().unwrap().to_owned(), error["retryable"].as_bool().unwrap())
    };
    let mut told = Vec::new();
    for answers in [
        "answers: [{participant: architect, text: one}, {fault: {code: unauthorized}}]",
        "answers: [{participant: architect, text: one}, {fault: {code: timeout, retryable: false}}]",
        "answers: [{participant: architect, text: one}, {fault: {code: unreadable}}]",
        "answers: [{fault: {code: unauthorized}}]",
        "answers: [{phase: synthesis, fault: {code: unauthorized}}, {text: one}]",
    ] {
        let run = FinishedRun::of(&new("synthesis", &THREE, &[("rounds", "1")]), answers).await;
        told.push(of(&run, None));
    }
    let split = "answers: [{participant: architect, text: 'VOTE: READY'}, {participant: security, text: 'VOTE: REJECT'}, {text: so}]";
    let run = FinishedRun::of(&new("voting", &TWO, &[]), split).await;
    told.push(of(&run, None));
    for ending in [StopCode::Timeout, StopCode::MaxUsd, StopCode::Aborted] {
        told.push(of(&run, Some(ending)));
    }
    told
}

#[tokio::test(start_paused = true)]
async fn inv_disc_401_clear_error_codes() {
    let told = endings().await;
    let mut codes: Vec<&str> = told.iter().map(|(code, _)| code.as_str()).collect();
    assert!(codes.iter().all(|code| CODES.iter().any(|(known, _)| known == code)), "{codes:?}");
    codes.dedup();
    assert_eq!(codes.len(), 9, "each ending has its own: {codes:?}");
}

#[tokio::test(start_paused = true)]
async fn inv_disc_402_retryability_indication() {
    for (code, retryable) in endings().await {
        assert!(CODES.contains(&(code.as_str(), retryable)), "{code}, {retryable}");
    }
    let project = Project::new();
    let path = project.create(&new("synthesis", &TWO, &[]));
    let mut errors = Vec::new();
    let mut note = |event: discussions::view::Event| {
        if let EventKind::Error { code, retryable, .. } = event.kind {
            errors.push((code, retryable));
        }
    };
    let ran = Runner::new(project.workspace())
        .execute(&path, &RunOptions::with_default_limits(), &mut note, Abort::never())
        .await;
    assert!(ran.is_err(), "no model program is installed on this stage");
    assert_eq!(errors, [(ErrorCode::InsufficientProviders, false)]);
    let closed = FinishedRun::of(&new("synthesis", &TWO, &[("rounds", "1")]), AGREED).await;
    assert!(!closed.report.stopped.is_limit() && closed.report.stopped != StopCode::Aborted);
}

mod slow {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[ignore = "slow: runs many discussions"]
    async fn inv_disc_400_graceful_degradation() {
        for pattern in ["synthesis", "round-robin", "voting", "critique"] {
            let run =
                FinishedRun::of(&new(pattern, &THREE, &[]), &answers_with_failure("pragmatist"))
                    .await;
            let result = run.result();
            assert!(result.success, "{pattern}: {:?}", result.error);
            assert!(result.consensus.degraded, "{pattern}: it does not pass for whole");
            assert_eq!(result.failed_providers, ["pragmatist"], "{pattern}");
            let errors: Vec<String> = result
                .rounds
                .into_iter()
                .flat_map(|round| round.responses)
                .filter_map(|response| response.error)
                .collect();
            assert_eq!(errors, ["unauthorized: key refused"], "{pattern}: the real error, once");
        }
        assert!(
            !FinishedRun::of(&new("voting", &THREE, &[]), AGREED).await.result().consensus.degraded
        );
    }
}

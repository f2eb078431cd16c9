//! Every standard code; all answers stay in the file.

use std::time::Duration;

use discussions::codes::StopCode;
use discussions::runner::RunOptions;
use discussions::workspace::NewDiscussion;

use crate::finished_run::{AGREED, FinishedRun, THREE, TWO, by, new};
use crate::project::Project;

/// Checks code, retryability and exit of the run, and that these words are still in the file and in the result.
#[track_caller]
fn assert_ending(
    run: &FinishedRun,
    ending: Option<StopCode>,
    code: &str,
    retryable: bool,
    said: &[&str],
) {
    let json = serde_json::to_value(run.ended(ending)).unwrap();
    let text = run.text();
    assert_eq!(json["error"]["code"], code, "{json:#}\n{text}");
    assert_eq!(json["error"]["retryable"], retryable, "{code}");
    assert!(!json["error"]["message"].as_str().unwrap().is_empty());
    assert_eq!(json["success"], false);
    for words in said {
        assert!(text.contains(words), "{code}: `{words}` is in the file\n{text}");
        assert!(json["rounds"].to_string().contains(words), "{code}: `{words}` is in the result");
    }
}

/// One round of three participants in which all except the architect fail like this.
async fn run_with_one_left(fault: &str) -> FinishedRun {
    let answers = format!(
        "answers:\n  - {{participant: architect, text: \"All that was said.\"}}\n  - {{fault: {fault}}}\n"
    );
    FinishedRun::of(&new("synthesis", &THREE, &[]), &answers).await
}

#[tokio::test(start_paused = true)]
async fn error_code_below_min_providers_follows_the_failures() {
    for (fault, code) in [
        ("{code: unauthorized}", "DISCUSSION_INSUFFICIENT_PROVIDERS"),
        ("exit", "DISCUSSION_INSUFFICIENT_PROVIDERS"),
        ("hang", "DISCUSSION_PROVIDER_TIMEOUT"),
        ("{code: unreadable}", "DISCUSSION_PARSE_FAILED"),
    ] {
        let run = run_with_one_left(fault).await;
        assert_ending(&run, None, code, true, &["All that was said."]);
        assert_eq!(run.result().stopping_reason, "model_unavailable", "{fault}");
        assert_eq!(run.result().synthesis, "**architect**\n\nAll that was said.", "{fault}");
    }
}

#[tokio::test(start_paused = true)]
async fn run_resumes_where_it_stopped_after_the_fault_is_fixed() {
    let run = run_with_one_left("hang").await;
    let kept = run.text();
    let run = run.again(AGREED).await;
    assert!(run.result().success, "{:?}", run.result().error);
    assert!(run.text().starts_with(&kept));
    let first = run.recorder.calls().into_iter().filter(|asked| asked.phase == "perspectives");
    let asked: Vec<String> = first.map(|asked| asked.who).take(2).collect();
    assert_eq!(asked, ["security", "pragmatist"], "only those who failed are asked again");
}

#[tokio::test(start_paused = true)]
async fn all_providers_failed_when_every_call_fails() {
    let run = FinishedRun::of(&new("voting", &THREE, &[]), "answers: [{fault: exit}]").await;
    assert_ending(&run, None, "DISCUSSION_ALL_PROVIDERS_FAILED", true, &[]);
    assert_eq!(run.result().failed_providers.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn synthesis_failed_when_no_participant_can_write_it() {
    let mute = "answers: [{phase: synthesis, fault: exit}, {text: \"All that was said.\"}]";
    let run = FinishedRun::of(&new("round-robin", &TWO, &[("rounds", "1")]), mute).await;
    assert_ending(&run, None, "DISCUSSION_SYNTHESIS_FAILED", true, &["All that was said."]);
}

#[tokio::test(start_paused = true)]
async fn no_consensus_when_votes_miss_the_rule() {
    let split = "answers: [{phase: synthesis, text: \"Undecided.\"}, {participant: architect, text: \"For.\\n\\nVOTE: READY\"}, {text: \"Against.\\n\\nVOTE: REJECT\"}]";
    let said = ["For.", "Against.", "Undecided."];
    let without = new("synthesis", &TWO, &[("rounds", "1")]);
    for new in [
        new("voting", &TWO, &[]),
        by("majority", without.clone()),
        by("unanimous", without.clone()),
        by("moderator", without),
    ] {
        let run = FinishedRun::of(&new, split).await;
        assert_ending(&run, None, "DISCUSSION_CONSENSUS_FAILED", false, &said);
        assert_eq!(run.result().synthesis, "Undecided.", "the synthesis is kept");
    }
    let run = FinishedRun::of(&new("voting", &TWO, &[]), split).await;
    let results = run.result().voting_results.unwrap();
    assert_eq!((results.winner.as_str(), results.tied), ("", true));
}

#[tokio::test(start_paused = true)]
async fn limits_of_time_money_and_calls_have_their_own_codes() {
    let answers = "answers: [{delay_ms: 1000, usd: 0.5, text: \"All that was said.\"}]";
    for (options, limit, code, retryable) in [
        (
            RunOptions {
                timeout: Some(Duration::from_millis(1_500)),
                ..RunOptions::with_default_limits()
            },
            StopCode::Timeout,
            "DISCUSSION_TIMEOUT",
            true,
        ),
        (
            RunOptions { max_usd: Some(1.0), unpriced: true, ..RunOptions::with_default_limits() },
            StopCode::MaxUsd,
            "DISCUSSION_COST_BUDGET_EXCEEDED",
            false,
        ),
        (
            RunOptions { max_calls: Some(3), ..RunOptions::with_default_limits() },
            StopCode::MaxCalls,
            "DISCUSSION_COST_BUDGET_EXCEEDED",
            true,
        ),
    ] {
        let run = FinishedRun::with(&new("synthesis", &THREE, &[]), answers, options).await;
        assert_eq!(run.report.stopped, limit);
        assert_ending(&run, Some(limit), code, retryable, &["All that was said."]);
        assert_eq!(run.result().rounds[0].responses.len(), 3, "the first round is whole");
    }
}

#[tokio::test(start_paused = true)]
async fn closed_discussion_makes_no_calls() {
    let project = Project::new();
    let path = project.create(&new("synthesis", &TWO, &[("rounds", "1")]));
    project.workspace().discussions().set_closed(&path, true, "Rob").unwrap();
    let recorder = crate::recording_provider::RecordingProvider::new(AGREED);
    let report =
        project.run(&path, recorder.clone(), RunOptions::with_default_limits()).await.unwrap();
    assert_eq!((report.stopped.as_str(), recorder.call_count()), ("closed", 0));
}

#[test]
fn unknown_patterns_and_roles_are_refused_with_suggestions() {
    let draft =
        |new: &NewDiscussion| Project::new().workspace().discussions().draft(new).unwrap_err();
    let unknown = draft(&new("sythesis", &TWO, &[]));
    assert_eq!(unknown.code().as_str(), "DISCUSSION_INVALID_PATTERN");
    assert!(unknown.to_string().contains("did you mean `synthesis`?"), "{unknown}");
    let mut roles = new("debate", &TWO, &[]);
    roles.roles = vec![("architect".into(), "jugde".into())];
    let roles = draft(&roles);
    assert_eq!(roles.code().as_str(), "DISCUSSION_INVALID_INPUT");
    assert!(roles.to_string().contains("judge"), "{roles}");
    let alone = draft(&new("voting", &TWO[..1], &[]));
    assert_eq!(alone.code().as_str(), "DISCUSSION_INVALID_INPUT");
    let undecided = draft(&by("moderator", new("dialogue", &TWO, &[])));
    assert_eq!(undecided.code().as_str(), "DISCUSSION_INVALID_ROLES");
}

/// A definition with a timeout of an hour, and an answer that takes almost or more than that.
#[tokio::test(start_paused = true)]
async fn call_may_take_an_hour_at_most() {
    use discussions::provider::Consents;
    use discussions::runner::{Abort, RunOptions, Runner};

    for (minutes, within) in [(59, true), (61, false)] {
        let project = Project::new();
        project.write(
            "providers.yaml",
            "providers: [{name: slow, script: slow.yaml, timeout: 1h, retries: 0}]\n",
        );
        let ms = minutes * 60_000;
        project
            .write("slow.yaml", &format!("answers:\n  - {{delay_ms: {ms}, text: \"At last.\"}}\n"));
        let path = project.create(&new("synthesis", &TWO, &[]));
        let options = RunOptions { provider: Some("slow".into()), ..RunOptions::next_turn() };
        let runner = Runner::new(project.workspace()).with_consents(Consents::all());
        let began = tokio::time::Instant::now();
        runner.execute(&path, &options, &mut |_| {}, Abort::never()).await.unwrap();
        let took = began.elapsed().as_secs();
        let text = project.read(&path);
        assert_eq!(text.contains("At last."), within, "{text}");
        assert_eq!(text.contains("code: timeout"), !within, "{text}");
        let end = if within { minutes * 60 } else { 3600 };
        assert!((end..end + 5).contains(&took), "{took} s of {end}");
        assert_eq!(text.contains(&format!("ms: {}", minutes * 60_000)), within, "{text}");
    }
}

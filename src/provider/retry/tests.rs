use super::*;
use crate::provider::scripted::{Script, Scripted};
use crate::provider::{CallContext, ProviderName, ToolPermissions};
use crate::transcript::Alias;

const MINUTE: Duration = Duration::from_secs(60);

async fn call_script(
    script: &str,
    deadline: Duration,
    backoff: Backoff,
) -> (RetriedCall, Duration) {
    let script = Script::read(script, "test").unwrap();
    let provider = Scripted::new(ProviderName::parse("test").unwrap(), script);
    let context = CallContext {
        participant: Alias::parse("a").unwrap(),
        phase: "p".to_owned(),
        turn: 1,
        file: "f.md".into(),
        temperature: None,
        reach: ToolPermissions::default(),
    };
    let start = Instant::now();
    let request = Request {
        prefix: "".into(),
        tail: "",
        context: &context,
        deadline,
        longest: None,
        usd: None,
        on_text: None,
    };
    let called = call_with_retries(&provider, request, backoff).await;
    assert_eq!(called.calls, provider.calls());
    (called, start.elapsed())
}

fn code(called: &RetriedCall) -> Option<FailureCode> {
    called.result.as_ref().err().map(|failure| failure.code)
}

#[tokio::test(start_paused = true)]
async fn first_answer_is_returned_without_waiting() {
    let (called, took) = call_script("answers: [{text: Hi}]", MINUTE, Backoff::default()).await;
    assert_eq!((called.calls, called.failures.len()), (1, 0));
    assert_eq!(called.result.unwrap().text, "Hi");
    assert_eq!(took, Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn transient_failures_are_retried_with_growing_waits() {
    let script =
        "answers: [{call: 1, fault: exit}, {call: 2, fault: {code: overloaded}}, {text: Hi}]";
    let (called, took) = call_script(script, MINUTE, Backoff::new(2)).await;
    assert!(called.result.is_ok());
    let codes: Vec<_> = called.failures.iter().map(|failure| failure.code).collect();
    assert_eq!(codes, [FailureCode::Exit, FailureCode::Overloaded]);
    assert_eq!(took.as_secs(), 1 + 2);
}

#[tokio::test(start_paused = true)]
async fn retries_are_limited() {
    let (called, _) = call_script("answers: [{fault: exit}]", MINUTE, Backoff::new(2)).await;
    assert_eq!((called.calls, code(&called)), (3, Some(FailureCode::Exit)));
}

#[tokio::test(start_paused = true)]
async fn permanent_failure_is_not_retried() {
    // After an empty answer, the runner calls again with another prompt.
    for fault in ["unauthorized", "spend_limit", "not_installed", "output_too_long", "empty"] {
        let script = format!("answers: [{{fault: {{code: {fault}}}}}]");
        let (called, took) = call_script(&script, MINUTE, Backoff::new(5)).await;
        assert_eq!((called.calls, took), (1, Duration::ZERO), "{fault}");
    }
}

#[tokio::test(start_paused = true)]
async fn retry_waits_as_long_as_the_service_asks() {
    let script = "answers: [{call: 1, fault: {code: rate_limited, retry_after: 17}}, {text: Hi}]";
    let (called, took) = call_script(script, MINUTE, Backoff::new(2)).await;
    assert_eq!((called.calls, took.as_secs()), (2, 17));
}

#[tokio::test(start_paused = true)]
async fn wait_beyond_the_deadline_is_not_started() {
    let script = "answers: [{fault: {code: rate_limited, retry_after: 90}}]";
    let (called, took) = call_script(script, MINUTE, Backoff::new(2)).await;
    assert_eq!((called.calls, took), (1, Duration::ZERO));
    assert_eq!(code(&called), Some(FailureCode::RateLimited));
}

#[tokio::test(start_paused = true)]
async fn all_calls_share_one_deadline() {
    let script = "answers: [{call: 1, delay_ms: 40000, fault: exit}, {fault: hang}]";
    let (called, took) = call_script(script, MINUTE, Backoff::new(2)).await;
    assert_eq!((called.calls, code(&called)), (2, Some(FailureCode::Timeout)));
    assert_eq!(took, MINUTE);
}

#[test]
fn waits_double_up_to_their_limit_with_jitter() {
    let backoff = Backoff::new(5);
    let waits: Vec<u64> = (0..7).map(|retry| backoff.wait(retry).as_secs()).collect();
    assert_eq!(waits, [1, 2, 4, 8, 16, 20, 20]);
    let spread = Backoff { jitter: 0.5, ..backoff };
    assert_eq!(spread.wait(1), Duration::from_secs(3));
}

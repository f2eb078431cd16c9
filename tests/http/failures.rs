//! Refusals of services, and the resulting failures.

use std::time::Duration;

use discussions::provider::{Backoff, FailureCode, call_with_retries};

use super::fake::{Fake, Step, plain, stream};
use super::recordings::CHAT;
use super::{KEY, ask, provider};

fn own(fake: &Fake) -> String {
    format!("{{name: own, api: openai, model: m-1, url: '{}', key: PLANTED_KEY}}", fake.url())
}

#[tokio::test]
async fn refusal_is_classified_without_leaking_key_or_prompt() {
    for (status, headers, body, code, wait) in [
        (
            "401 Unauthorized",
            "",
            r#"{"error":{"message":"Incorrect API key: KEY."}}"#,
            FailureCode::Unauthorized,
            None,
        ),
        ("402 Payment Required", "", "", FailureCode::SpendLimit, None),
        ("403 Forbidden", "", "KEY", FailureCode::Unauthorized, None),
        (
            "404 Not Found",
            "",
            r#"{"error":{"message":"The model `m-1` does not exist"}}"#,
            FailureCode::UnknownModel,
            None,
        ),
        (
            "400 Bad Request",
            "",
            r#"{"error":{"message":"prompt is too long"}}"#,
            FailureCode::PromptTooLong,
            None,
        ),
        ("429 Too Many Requests", "retry-after: 7\r\n", "", FailureCode::RateLimited, Some(7)),
        (
            "429 Too Many Requests",
            "date: Wed, 18 Nov 2026 10:00:00 GMT\r\nretry-after: Wed, 18 Nov 2026 10:01:00 GMT\r\n",
            "",
            FailureCode::RateLimited,
            Some(60),
        ),
        (
            "429 Too Many Requests",
            "",
            r#"{"error":{"code":"insufficient_quota"}}"#,
            FailureCode::SpendLimit,
            None,
        ),
        ("500 Internal Server Error", "", "PROMPT", FailureCode::Server, None),
        ("503 Service Unavailable", "retry-after: 2\r\n", "", FailureCode::Overloaded, Some(2)),
        ("529 Overloaded", "", "", FailureCode::Overloaded, None),
        ("504 Gateway Timeout", "", "", FailureCode::Timeout, None),
    ] {
        let fake = Fake::new(move |_, asked| {
            let body = body.replace("KEY", KEY).replace("PROMPT", &asked.raw.repeat(20));
            vec![Step::Send(plain(status, headers, &body))]
        });
        let secret = "a word of the discussion ".repeat(40);
        let failure = ask(provider(&own(&fake)).as_ref(), ["", &secret]).await.unwrap_err();
        assert_eq!(failure.code, code, "{status}: {failure}");
        assert_eq!(failure.retry_after, wait.map(Duration::from_secs), "{status}");
        let told = format!("{failure:?}");
        assert!(!told.contains(KEY), "{told}");
        assert!(failure.message.chars().count() < 400, "{failure}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let thief = Fake::repeating(stream(CHAT, 1000));
        let place = format!("location: {}chat/completions\r\n", thief.url());
        let fake = Fake::repeating(plain(status, &place, ""));
        let failure = ask(provider(&own(&fake)).as_ref(), ["", "x"]).await.unwrap_err();
        assert_eq!(failure.code, FailureCode::Misconfigured);
        assert!(failure.message.contains("redirected"), "{failure}");
        assert!(thief.requests().is_empty(), "{status}");
    }
}

#[tokio::test]
async fn refused_connection_is_a_retryable_failure() {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let definition =
        format!("{{name: own, api: openai, model: m, url: 'http://127.0.0.1:{port}'}}");
    let failure = ask(provider(&definition).as_ref(), ["", "x"]).await.unwrap_err();
    assert_eq!((failure.code, failure.retryable), (FailureCode::Unreachable, true));
    assert!(failure.message.contains("connection refused"), "{failure}");
}

#[tokio::test]
async fn service_without_its_key_is_not_called() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let definition =
        format!("{{name: own, api: openai, model: m, url: '{}', key: NOT_SET}}", fake.url());
    let failure = ask(provider(&definition).as_ref(), ["", "x"]).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::Unauthorized);
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn rejected_temperature_is_dropped_and_reported_once() {
    let fake = Fake::new(|_, asked| {
        let refused =
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.5"}}"#;
        vec![Step::Send(match asked.body.get("temperature") {
            Some(_) => plain("400 Bad Request", "", refused),
            None => stream(CHAT, 1000),
        })]
    });
    let definition = own(&fake).replace('}', ", temperature: 0.5}");
    let own = provider(&definition);
    let warned = ask(own.as_ref(), ["", "x"]).await.unwrap().warnings;
    assert!(warned[0].contains("does not accept a temperature"), "{warned:?}");
    assert!(ask(own.as_ref(), ["", "x"]).await.unwrap().warnings.is_empty());
    assert_eq!(fake.requests().len(), 3);
}

#[tokio::test]
async fn calls_beyond_the_parallel_limit_wait() {
    let (let_go, wait) = std::sync::mpsc::channel();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let running = std::sync::Arc::new(std::sync::Mutex::new((0_u32, 0_u32)));
    let seen = std::sync::Arc::clone(&running);
    let fake = Fake::new(move |_, _| {
        {
            let mut running = running.lock().unwrap();
            running.0 += 1;
            running.1 = running.1.max(running.0);
        }
        // One call ends for each message of the test.
        wait.lock().unwrap().recv().unwrap();
        running.lock().unwrap().0 -= 1;
        vec![Step::Send(stream(CHAT, 1000))]
    });
    let own = provider(&own(&fake).replace('}', ", concurrency: 2}"));
    for _ in 0..6 {
        let_go.send(()).unwrap();
    }
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let own = std::sync::Arc::clone(&own);
        calls.spawn(async move {
            let context = discussions::provider::CallContext {
                participant: discussions::transcript::Alias::parse("a").unwrap(),
                phase: "p".into(),
                turn: 1,
                file: "d.md".into(),
                temperature: None,
                reach: discussions::provider::ToolPermissions::default(),
            };
            let request = discussions::provider::Request {
                prefix: "".into(),
                tail: "x",
                context: &context,
                deadline: super::LONG,
                longest: None,
                usd: None,
                on_text: None,
            };
            call_with_retries(own.as_ref(), request, Backoff::new(0)).await.result.is_ok()
        });
    }
    assert_eq!(calls.join_all().await, [true; 6]);
    assert!(seen.lock().unwrap().1 <= 2, "{:?}", seen.lock().unwrap());
}

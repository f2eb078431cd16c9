//! Tests with programs that fail, and the errors for them.

use super::*;

#[tokio::test]
async fn nonzero_exit_status_is_a_failure_even_after_an_answer() {
    let script =
        "echo 'A fine answer.'; echo noise >&2; printf '\\033[31mdisk full\\033[0m\\n' >&2; exit 3";
    let failure = Stage::new(script).failure().await;
    assert_eq!(failure.code, FailureCode::Exit);
    assert!(failure.retryable);
    assert!(failure.message.contains("code 3"), "{failure}");
    assert!(failure.message.contains("disk full"), "{failure}");
    assert!(!failure.message.contains('\u{1B}'), "{failure}");
}

#[tokio::test]
async fn death_during_an_answer_is_a_failure() {
    let failure = Stage::new("printf 'The first half of'; kill -9 $$").failure().await;
    let how = if cfg!(discussions_portable) { "fake failed" } else { "signal 9" };
    assert_eq!(failure.code, FailureCode::Exit);
    assert!(failure.message.contains(how), "{failure}");
}

#[tokio::test]
async fn empty_answer_is_a_retryable_failure() {
    for script in ["true", "printf ' \\n\\t\\n'", "echo thinking >&2"] {
        let failure = Stage::new(script).failure().await;
        assert_eq!((failure.code, failure.retryable), (FailureCode::Empty, true), "{script}");
    }
}

#[tokio::test]
async fn binary_output_is_not_an_answer() {
    for script in ["head -c 20000 /dev/urandom", "printf 'h\\000e\\000l\\000o\\000'"] {
        let failure = Stage::new(script).failure().await;
        assert_eq!((failure.code, failure.retryable), (FailureCode::Unreadable, true), "{script}");
        assert!(failure.message.contains("is not text"), "{failure}");
    }
}

#[tokio::test]
async fn excessive_output_is_stopped() {
    let stage = Stage::new("echo $$ >> $PIDS; exec head -c 10000000 /dev/zero");
    let failure = stage.failure().await;
    assert_eq!((failure.code, failure.retryable), (FailureCode::OutputTooLong, false));
    assert!(failure.message.contains("1048576"), "{failure}");
    assert!(stage.alive().await.is_empty());
}

#[tokio::test]
async fn answer_beyond_the_paid_length_is_stopped() {
    let lines = "output: {format: jsonl, text: /say, cut: {/stop: max_tokens}}\nmax_tokens: 40\n";
    let drip = "while :; do echo '{\"say\":\"0123456789\"}'; done";
    for (script, keys) in [
        ("echo $$ >> $PIDS; while :; do echo 0123456789; done", "max_tokens: 40"),
        (&*format!("echo $$ >> $PIDS; {drip}"), lines),
        // The program reports that its answer was cut off, but keeps running.
        ("echo $$ >> $PIDS; echo '{\"stop\":\"max_tokens\"}'; exec sleep 600", lines),
        // The program prints everything before the first read.
        ("echo $$ >> $PIDS; head -c 121 /dev/zero | tr '\\0' x", "max_tokens: 40"),
    ] {
        let stage = Stage::with(script, keys);
        let request = Request { longest: Some(120), ..stage.request("", PATIENT) };
        let failure = stage.provider.call(request).await.unwrap_err();
        let told = (failure.code, failure.retryable);
        assert_eq!(told, (FailureCode::OutputTooLong, false), "{script}");
        assert!(failure.message.contains("longer than the 40 tokens"), "{failure}");
        assert!(stage.alive().await.is_empty(), "{script}");
    }
    let stage = Stage::new("head -c 120 /dev/zero | tr '\\0' x");
    let request = Request { longest: Some(120), ..stage.request("", PATIENT) };
    assert_eq!(stage.provider.call(request).await.unwrap().text.len(), 120);
}

#[tokio::test]
async fn program_receives_the_maximum_answer_length() {
    let keys = "env: {MOST: '{max_tokens}'}\n";
    for (keys, most) in [(keys.to_owned(), "8192"), (format!("{keys}max_tokens: 300\n"), "300")] {
        let reply = Stage::with("echo $MOST", &keys).ask(PATIENT).await.unwrap();
        assert_eq!(reply.text.trim(), most);
    }
}

#[tokio::test]
async fn limits_of_the_service_are_distinguished() {
    for (words, code, retryable, wait) in [
        ("429 Too Many Requests", FailureCode::RateLimited, true, None),
        ("Rate limit reached, try again in 7s", FailureCode::RateLimited, true, Some(7)),
        ("Credit balance is too low", FailureCode::SpendLimit, false, None),
        ("API Error: 529 Overloaded", FailureCode::Overloaded, true, None),
        ("API Error: 500 Internal server error", FailureCode::Server, true, None),
        ("stream disconnected before completion", FailureCode::CutStream, true, None),
        ("Invalid API key", FailureCode::Unauthorized, false, None),
        ("error: unknown option '--model'", FailureCode::Misconfigured, false, None),
    ] {
        for stream in ["1", "2"] {
            let failure =
                Stage::new(&format!("echo \"{words}\" >&{stream}; exit 1")).failure().await;
            assert_eq!((failure.code, failure.retryable), (code, retryable), "{words}");
            assert_eq!(failure.retry_after, wait.map(Duration::from_secs), "{words}");
            assert!(failure.message.contains(words), "{failure}");
        }
    }
}

#[tokio::test]
async fn echo_of_the_prompt_on_standard_error_is_ignored() {
    let stage = Stage::new("cat >&2; echo 'it broke' >&2; exit 1");
    let prompt = "What if we hit the rate limit?\n429 Too Many Requests\n";
    let failure = stage.provider.call(stage.request(prompt, PATIENT)).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::Exit);
    assert!(!failure.message.contains("429"), "{failure}");
}

const JSONL: &str = "output: {format: jsonl, text: /text, end: {/type: done}, error: /error}";

#[tokio::test]
async fn stream_without_its_end_is_cut() {
    let failure = Stage::with(r#"echo '{"text": "Half"}'"#, JSONL).failure().await;
    assert_eq!((failure.code, failure.retryable), (FailureCode::CutStream, true));
}

#[tokio::test]
async fn failure_in_json_output_is_classified() {
    let script = r#"echo '{"error": {"message": "slow down", "status": 429, "retry-after": "9"}}'"#;
    for ending in ["", "; exit 1"] {
        let failure = Stage::with(&format!("{script}{ending}"), JSONL).failure().await;
        assert_eq!(failure.code, FailureCode::RateLimited);
        assert_eq!(failure.retry_after, Some(Duration::from_secs(9)));
        assert!(failure.message.contains("slow down"), "{failure}");
    }
}

#[tokio::test]
async fn failure_in_json_on_standard_error_is_classified() {
    let script = r#"printf 'Loading\n{\n  "error": {\n    "message": "bad key", "code": 401\n  }\n}\n' >&2; exit 41"#;
    let keys = "output: {format: json, text: /response, error: /error}";
    let failure = Stage::with(script, keys).failure().await;
    assert_eq!(failure.code, FailureCode::Unauthorized);
    assert_eq!(failure.message, "fake exited with code 41: bad key");
}

#[tokio::test]
async fn missing_program_is_reported_with_its_fix() {
    let mut stage = Stage::with("", "install: get it from the moon");
    stage.provider.definition.line = "no-such-program-anywhere -p".to_owned();
    let failure = stage.failure().await;
    assert_eq!((failure.code, failure.retryable), (FailureCode::NotInstalled, false));
    assert!(failure.message.contains("no-such-program-anywhere"), "{failure}");
    assert!(failure.message.contains("get it from the moon"), "{failure}");
    let env = stage.provider.env.clone();
    assert!(!stage.provider.availability(&env).is_ready());
    stage.provider.definition.line = "sh -c true".to_owned();
    assert!(stage.provider.availability(&env).is_ready());
}

#[tokio::test]
async fn file_that_cannot_run_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let mut stage = Stage::new("");
    let file = stage.folder.path().join("broken");
    fs::write(&file, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    stage.provider.definition.line = "./broken".to_owned();
    let failure = stage.failure().await;
    assert_eq!(failure.code, FailureCode::CannotStart);
    assert!(failure.message.contains("broken"), "{failure}");
}

use std::time::Duration;

use tokio::time::Instant;

use super::*;
use crate::provider::{CallContext, ToolPermissions};

struct Scene {
    provider: Scripted,
}

impl Scene {
    fn new(script: &str) -> Self {
        let script = Script::read(script, "script.yaml").unwrap();
        Self { provider: Scripted::new(ProviderName::parse("stage").unwrap(), script) }
    }

    async fn ask(&self, who: &str, phase: &str, turn: u32) -> Result<Reply, CallError> {
        let context = CallContext {
            participant: Alias::parse(who).unwrap(),
            phase: phase.to_owned(),
            turn,
            file: "f.md".into(),
            temperature: None,
            reach: ToolPermissions::default(),
        };
        let deadline = Duration::from_secs(60);
        let request = Request {
            prefix: "".into(),
            tail: "",
            context: &context,
            deadline,
            longest: None,
            usd: None,
            on_text: None,
        };
        self.provider.call(request).await
    }

    async fn text(&self, who: &str, phase: &str, turn: u32) -> String {
        self.ask(who, phase, turn).await.unwrap().text
    }

    async fn code(&self, who: &str) -> FailureCode {
        self.ask(who, "p", 1).await.unwrap_err().code
    }
}

#[tokio::test]
async fn first_matching_line_is_used() {
    let scene = Scene::new(
        "answers:
  - {participant: security, phase: vote, text: late}
  - {participant: security, turn: 2, text: second turn}
  - {participant: security, call: 1, text: first call}
  - {text: else}",
    );
    assert_eq!(scene.text("security", "review", 1).await, "first call");
    assert_eq!(scene.text("security", "review", 2).await, "second turn");
    assert_eq!(scene.text("security", "vote", 2).await, "late");
    assert_eq!(scene.text("security", "review", 1).await, "else");
    assert_eq!(scene.text("designer", "vote", 2).await, "else");
    assert_eq!(scene.provider.calls(), 5);
}

#[tokio::test(start_paused = true)]
async fn scripted_faults_have_their_code() {
    let scene = Scene::new(
        "answers:
  - {participant: a, fault: exit}
  - {participant: b, fault: empty}
  - {participant: c, fault: hang}
  - {participant: d, fault: {code: overloaded, retryable: false, message: busy}}",
    );
    assert_eq!(scene.code("a").await, FailureCode::Exit);
    assert_eq!(scene.code("b").await, FailureCode::Empty);
    assert_eq!(scene.code("c").await, FailureCode::Timeout);
    let failure = scene.ask("d", "p", 1).await.unwrap_err();
    assert_eq!((failure.code, failure.retryable), (FailureCode::Overloaded, false));
    assert_eq!(failure.message, "busy");
    let failure = scene.ask("e", "p", 1).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::Misconfigured);
    assert!(failure.message.contains("no answer for e"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn delays_end_at_the_deadline() {
    let scene = Scene::new("answers: [{turn: 1, delay_ms: 1500, text: Hi}, {delay_ms: 99000}]");
    let start = Instant::now();
    assert_eq!(scene.text("a", "p", 1).await, "Hi");
    assert_eq!(start.elapsed(), Duration::from_millis(1500));
    let failure = scene.ask("a", "p", 2).await.unwrap_err();
    assert_eq!(failure.code, FailureCode::Timeout);
    assert_eq!(start.elapsed(), Duration::from_millis(61_500));
}

#[tokio::test]
async fn scripted_usage_is_reported() {
    let scene =
        Scene::new("answers: [{text: Hi, usd: 0.5, model: m, usage: {input: 9, output: 2}}]");
    let reply = scene.ask("a", "p", 1).await.unwrap();
    assert_eq!((reply.usd, reply.model.as_deref()), (0.5.into(), Some("m")));
    assert_eq!(reply.usage.map(|usage| usage.input_tokens), Some(9));
}

#[test]
fn script_with_unknown_words_is_refused() {
    for bad in ["answers: [{txt: Hi}]", "answers: [{fault: explode}]", "lines: []"] {
        assert!(Script::read(bad, "script.yaml").is_err(), "{bad}");
    }
}

//! Limits hold despite misbehaving services, typing errors and cloned projects. A call waits for reserved money that
//! returns.

use serde_json::json;

use super::fake::{Fake, Step, plain};
use crate::cli::scenario::Scenario;

/// Money for one call of [`scenario`] at a time, and for many of its answers.
const ONE_CALL: &str = "0.06";

/// A service that sends this many words, with or without an end and token counts.
fn service_with_words(words: usize, ends: bool) -> Fake {
    let say = json!({"choices": [{"delta": {"content": "We look at it. ".repeat(words)}}]});
    let mut body = format!("data: {say}\n\n");
    if ends {
        let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}});
        body.push_str(&format!("data: {end}\n\ndata: [DONE]\n\n"));
    }
    Fake::new(move |_, _| {
        let head = "content-type: text/event-stream\r\nconnection: close\r\n";
        vec![Step::Send(plain("200 OK", head, &body))]
    })
}

fn scenario(fake: &Fake, head: &str, project: &str) -> Scenario {
    let scenario = Scenario::new().alone();
    let own = format!(
        "providers:\n  - {{name: own, api: openai, model: m, url: '{}', max_tokens: 300, price: {{input: 10, output: 50}}}}\n",
        fake.url()
    );
    scenario.write("../config/providers.yaml", own.as_bytes());
    let text = format!(
        "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security, pragmatist]\n{head}-->\n\n# D\n\n## Context\nText.\n"
    );
    let project = format!("author: Rob\nproviders: {{default: own}}\n{project}");
    scenario.file("d.md", &text).file("discussions.yaml", &project)
}

#[test]
fn endless_answer_is_kept_up_to_the_paid_length() {
    let fake = service_with_words(20_000, false);
    let scenario = scenario(&fake, "", "");
    scenario.discussions(&["turn", "d", "@architect", "--max-usd", ONE_CALL]).code(0);
    let file = scenario.read("d.md");
    assert!(file.contains("finish: length") && file.len() < 5_000, "{}", file.len());
    let usd = file.split("usd: ~").nth(1).and_then(|rest| rest.split([',', ' ']).next()).unwrap();
    assert!(usd.parse::<f64>().unwrap() <= 0.06, "{usd}");
}

#[test]
fn participant_waiting_for_reserved_money_is_called_afterwards() {
    let fake = service_with_words(2, true);
    let scenario = scenario(&fake, "", "");
    let run = scenario.discussions(&["turn", "d", "@all", "--max-usd", ONE_CALL]).code(0);
    assert_eq!(scenario.read("d.md").matches("<!-- REPLY").count(), 3, "{}", run.stderr());
}

#[test]
fn misspelt_limit_stops_every_call() {
    let fake = service_with_words(2, true);
    for head in ["limits: {max_usd: 0.01, max_call: 3}\n", "limits: {max_usd: 0.01\n"] {
        let scenario = scenario(&fake, head, "");
        for verb in ["run", "turn"] {
            let run = scenario.discussions(&[verb, "d"]).code(3);
            assert!(run.stderr().contains("the head cannot be read"), "{verb}: {}", run.stderr());
        }
    }
    assert!(fake.requests().is_empty());
}

#[test]
fn project_cannot_raise_the_limit_of_its_user() {
    let fake = service_with_words(2, true);
    let scenario = scenario(&fake, "", "limits: {max_calls: 100}\n");
    scenario.write("../config/config.yaml", b"limits: {max_calls: 1}\n");
    scenario.discussions(&["run", "d"]).with_warnings().code(1);
    assert_eq!(fake.requests().len(), 1);
}

#[test]
fn turn_makes_at_most_max_calls_calls() {
    let fake = service_with_words(2, true);
    let scenario = scenario(&fake, "", "");
    scenario.discussions(&["turn", "d", "@all", "--max-calls", "1"]).with_warnings().code(1);
    assert_eq!(fake.requests().len(), 1);
}

#[test]
fn key_is_not_accepted_as_a_variable_name() {
    let scenario = Scenario::new().alone();
    let run = scenario.discussions(&[
        "providers",
        "add",
        "b",
        "--api",
        "groq",
        "--key",
        "gsk_PLANTEDab12cd34",
    ]);
    let run = run.code(3);
    assert!(!format!("{}{}", run.stdout, run.stderr()).contains("PLANTED"), "{}", run.stderr());
    let run = scenario.discussions(&[
        "providers",
        "add",
        "d",
        "--api",
        "openai",
        "--model",
        "m",
        "--url",
        "https://me:hunter2pw@x.org/v1",
    ]);
    let run = run.code(3);
    assert!(!format!("{}{}", run.stdout, run.stderr()).contains("hunter2pw"), "{}", run.stderr());
}

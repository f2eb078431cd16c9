//! `discussions discuss --input`: a workflow's step.

use serde_json::{Value, json};

use super::scenario::{Run, Scenario};
use super::schema::errors;

/// Every key that such a step may have.
fn step() -> Value {
    json!({
        "pattern": "voting",
        "rounds": 2,
        "providers": ["architect", "security"],
        "prompt": "Redis or PostgreSQL?",
        "roles": {},
        "consensus": {"method": "majority", "synthesizer": "pragmatist", "threshold": 0.5, "includeDissent": true},
        "providerTimeout": 60000,
        "continueOnProviderFailure": true,
        "minProviders": 2,
        "temperature": 0.7,
        "verbose": false,
    })
}

fn discuss(scenario: &Scenario, step: &str) -> Run {
    scenario.discussions_with(&["discuss", "--input", "-", "--provider", "mock"], step)
}

/// A step with one key set otherwise.
fn with(path: &[&str], value: Value) -> String {
    let mut step = step();
    let mut at = &mut step;
    for key in path {
        at = &mut at[*key];
    }
    *at = value;
    step.to_string()
}

#[test]
fn a_step_is_answered_field_for_field() {
    let scenario = Scenario::new();
    let schema = scenario.discussions(&["schema", "discuss-step"]).code(0).json();
    let run = discuss(&scenario, &step().to_string()).code(0);
    let answer = run.json();
    assert!(errors(&schema, &answer).is_empty(), "{answer}");
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&answer), ["success", "output", "durationMs"]);
    let output = &answer["output"];
    assert_eq!(keys(output), ["synthesis", "rounds", "consensus", "participatingProviders"]);
    assert_eq!(answer["success"], true);
    assert_eq!(output["consensus"]["method"], "majority");
    assert_eq!(output["participatingProviders"].as_array().unwrap().len(), 3);
    assert!(!output["synthesis"].as_str().unwrap().is_empty());
    assert!(output["rounds"].as_array().is_some_and(|rounds| !rounds.is_empty()));
    // The least that a step says.
    let least = r#"{"prompt": "Why?", "providers": ["architect", "security"]}"#;
    assert_eq!(discuss(&scenario, least).code(0).json()["success"], true);
    // The same from a file, and the file that it makes.
    scenario.write("step.json", step().to_string().as_bytes());
    let run = scenario.discussions(&[
        "discuss",
        "--input",
        "step.json",
        "--provider",
        "mock",
        "--out",
        "kept.md",
    ]);
    assert_eq!(run.code(0).json()["success"], true);
    assert!(scenario.read("kept.md").contains("# Redis or PostgreSQL?"));
}

#[test]
fn what_a_step_may_not_say_is_told_with_what_it_may() {
    let scenario = Scenario::new();
    for (step, why) in [
        (with(&["rounds"], json!(11)), "`rounds` must be a whole number from 1 to 10"),
        (with(&["rounds"], json!(0)), "`rounds` must be"),
        (with(&["providers"], json!(["architect"])), "`providers` must be a list of 2 to 6"),
        (with(&["prompt"], json!("")), "`prompt` must be 1 to 5,000 characters"),
        (with(&["prompt"], json!("x".repeat(5_001))), "`prompt` must be"),
        (with(&["consensus", "threshold"], json!(1.1)), "`threshold` must be a number from 0 to 1"),
        (with(&["temperature"], json!(2.1)), "`temperature` must be a number from 0 to 2"),
        (
            with(&["providerTimeout"], json!(4999)),
            "`providerTimeout` must be milliseconds from 5000 to 3600000",
        ),
        (with(&["minProviders"], json!(3)), "`minProviders` must be"),
        (
            with(&["providerPrompts"], json!({"a": "b"})),
            "`providerPrompts` is not supported; use a persona to give a participant its own instructions",
        ),
        (
            with(&["consensus", "synthesisPrompt"], json!("x")),
            "`synthesisPrompt` is not supported; use your own template",
        ),
        (with(&["promt"], json!("x")), "unknown field `promt`"),
        ("{\"prompt\": ".to_owned(), "standard input:1:"),
        (with(&["pattern"], json!("nope")), "there is no template `nope`"),
    ] {
        let run = discuss(&scenario, &step).code(3);
        let answer = run.json();
        assert_eq!(answer["success"], false, "{step}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(why), "{message}");
        assert_eq!(answer["error"]["retryable"], false);
        assert_eq!(answer["output"]["synthesis"], "");
    }
    assert!(!scenario.path("discussions").exists(), "nothing is made");
    scenario.discussions(&["discuss", "Why?", "--input", "-"]).code(2);
    scenario.discussions(&["discuss"]).code(2);
}

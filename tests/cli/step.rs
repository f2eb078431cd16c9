//! `discussions discuss --input`: steps of a workflow as JSON.

use serde_json::{Value, json};

use super::scenario::{Run, Scenario};
use super::schema::errors;

/// Returns a step with every supported key.
fn complete_step() -> Value {
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

fn discuss_step(scenario: &Scenario, step: &str) -> Run {
    scenario.discussions_with(&["discuss", "--input", "-", "--provider", "mock"], step)
}

/// Returns the complete step with one value changed.
fn step_with(path: &[&str], value: Value) -> String {
    let mut step = complete_step();
    let mut at = &mut step;
    for key in path {
        at = &mut at[*key];
    }
    *at = value;
    step.to_string()
}

#[test]
fn step_result_has_the_documented_fields() {
    let scenario = Scenario::new();
    let schema = scenario.discussions(&["schema", "discuss-step"]).code(0).json();
    let run = discuss_step(&scenario, &complete_step().to_string()).code(0);
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
    // The smallest valid step.
    let least = r#"{"prompt": "Why?", "providers": ["architect", "security"]}"#;
    assert_eq!(discuss_step(&scenario, least).code(0).json()["success"], true);
    // The step comes from a file, and `--out` names the discussion.
    scenario.write("step.json", complete_step().to_string().as_bytes());
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
fn invalid_step_is_refused_with_the_valid_values() {
    let scenario = Scenario::new();
    for (step, why) in [
        (step_with(&["rounds"], json!(11)), "`rounds` must be a whole number from 1 to 10"),
        (step_with(&["rounds"], json!(0)), "`rounds` must be"),
        (step_with(&["providers"], json!(["architect"])), "`providers` must be a list of 2 to 6"),
        (step_with(&["prompt"], json!("")), "`prompt` must be 1 to 10,000 characters"),
        (step_with(&["prompt"], json!("x".repeat(10_001))), "`prompt` must be"),
        (
            step_with(&["consensus", "threshold"], json!(1.1)),
            "`threshold` must be a number from 0 to 1",
        ),
        (step_with(&["temperature"], json!(2.1)), "`temperature` must be a number from 0 to 2"),
        (
            step_with(&["providerTimeout"], json!(4999)),
            "`providerTimeout` must be milliseconds from 5000 to 3600000",
        ),
        (step_with(&["minProviders"], json!(3)), "`minProviders` must be"),
        (
            step_with(&["providerPrompts"], json!({"a": "b"})),
            "`providerPrompts` is not supported; use a persona to give a participant its own instructions",
        ),
        (
            step_with(&["consensus", "synthesisPrompt"], json!("x")),
            "`synthesisPrompt` is not supported; use your own template",
        ),
        (step_with(&["promt"], json!("x")), "unknown field `promt`"),
        ("{\"prompt\": ".to_owned(), "standard input:1:"),
        (step_with(&["pattern"], json!("nope")), "there is no template `nope`"),
    ] {
        let run = discuss_step(&scenario, &step).code(3);
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

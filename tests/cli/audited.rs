//! Requirements of the source documents, as an audit checked them.

use serde_json::Value;

use super::mended::{MIRA, costs_of, three_providers, with_mira};
use super::panel::{calls, panel};
use super::scenario::Scenario;

#[test]
fn answer_text_is_shown_without_its_marker_lines() {
    let scenario = panel()
        .env("ANSWER", "CONFIDENCE: 0.9\nIt lacks a plan.\n\nVOTE: CHANGES")
        .env("ANSWER_synthesis", "We wait.\n\nDECISION: wait")
        .env("ANSWER_review", "We wait.\n\nDECISION: wait");
    let args = [
        "discuss",
        "Ship?",
        "--pattern",
        "round-robin",
        "--consensus",
        "majority",
        "-r",
        "1",
        "-v",
    ];
    let run = scenario.discussions(&args).with_warnings().code(1);
    run.says(" votes CHANGES (confidence 0.9)").stdout_lacks("CONFIDENCE: 0.9");
    let result = scenario.discussions(&["result", "ship", "--json"]).json();
    let reason = result["votingResults"]["ballots"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("It lacks a plan.") && !reason.contains("CONFIDENCE"), "{reason}");
}

#[test]
fn vote_line_below_a_decision_is_not_part_of_it() {
    let scenario = panel().env("ANSWER", "Fine.\n\nDECISION: do it\nVOTE: REST");
    let result = scenario.discussions(&["discuss", "Ship?", "-r", "1", "--json"]).code(0).json();
    assert_eq!(result["outcome"]["decision"], "do it", "{result}");
    let status = scenario.discussions(&["status", "ship", "--json"]).json();
    assert_eq!(status["decisions"][0]["text"], "do it", "{status}");
}

#[test]
fn next_run_repeats_a_ballot_without_votes() {
    let scenario = panel().env("ANSWER", "I would rather wait.");
    let args =
        ["discuss", "Ship?", "--pattern", "round-robin", "--consensus", "majority", "-r", "1"];
    scenario.discussions(&args).with_warnings().code(1);
    scenario.discussions(&["status", "ship"]).code(0).notes("no votes were cast");
    let ballots = |scenario: &Scenario| {
        calls(scenario).iter().filter(|call| call.ends_with(" ballot")).count()
    };
    let before = ballots(&scenario);
    let scenario = scenario.env("ANSWER", "Ship it.\n\nVOTE: READY");
    scenario.discussions(&["run", "ship"]).code(0);
    assert_eq!(ballots(&scenario), before + 3, "each is asked once more");
    let status = scenario.discussions(&["status", "ship", "--json"]).json();
    assert_eq!(status["status"], "CONSENSUS", "{status}");
}

#[test]
fn step_can_stop_the_discussion_after_a_failure() {
    let step = r#"{"prompt": "Ship?", "pattern": "round-robin", "providers": ["bad", "pa"], "rounds": 1,
        "continueOnProviderFailure": false}"#;
    let scenario = three_providers();
    let result = scenario
        .discussions_with(&["discuss", "--input", "-"], step)
        .with_warnings()
        .code(4)
        .json();
    let by = &result["output"]["metadata"]["costSummary"]["byProvider"];
    assert!(by.get("pa").is_none(), "{result}");
    let file = scenario.read("discussions/ship.md");
    assert!(file.contains("<!-- FAILED who: bad") && !file.contains("Name: pa"), "{file}");
    scenario.discussions(&["run", "ship"]).code(1).with_warnings();
    assert!(scenario.read("discussions/ship.md").contains("Name: pa"), "the next run goes on");
}

#[test]
fn persona_with_unknown_provider_is_added_with_a_warning() {
    let zed = "name: AI-Zed\nalias: zed\npersonality: Look twice.\nprovider_hint: nowhere\n";
    let scenario = three_providers().file("zed.yaml", zed);
    scenario
        .discussions(&["participants", "add", "zed", "--from-file", "zed.yaml"])
        .code(0)
        .notes("uses the unknown provider `nowhere`");
    let many = "{preferred: [a, b, c, d, e, f, g]}";
    let seven = format!("name: AI-Mia\nalias: mia\npersonality: x\nprovider_affinity: {many}\n");
    scenario.write("mia.yaml", seven.as_bytes());
    scenario
        .discussions(&["participants", "add", "mia", "--from-file", "mia.yaml"])
        .code(3)
        .notes("prefers more than 6 providers");
}

#[test]
fn error_for_missing_program_is_not_retryable() {
    let scenario = Scenario::new();
    let result =
        scenario.discussions(&["discuss", "x?", "-p", "claude,codex", "--json"]).code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_INSUFFICIENT_PROVIDERS", "{result}");
    assert_eq!(result["error"]["retryable"], false, "{result}");
}

#[test]
fn review_without_ratings_has_no_average() {
    let scenario =
        panel().env("ANSWER", "No idea.").file("plan.md", "# Plan\n\nIt is built by spring.\n");
    let args = ["review", "plan.md", "--perspectives", "product,technical", "--json"];
    let result = scenario.discussions(&args).code(4).with_warnings().json();
    assert!(result["averageRating"].is_null(), "{result}");
}

#[test]
fn answer_end_event_contains_token_counts() {
    let scenario = panel().env("ANSWER", "Fine.");
    let run = scenario.discussions(&["discuss", "Ship?", "-r", "1", "--events"]);
    let events = run.code(0).stdout.lines().map(str::to_owned).collect::<Vec<_>>();
    let end = events.iter().find(|line| line.contains("\"answer.end\"")).unwrap();
    let end: Value = serde_json::from_str(end).unwrap();
    assert!(
        end["promptTokens"].as_u64() > Some(0) && end["answerTokens"].as_u64() > Some(0),
        "{end}"
    );
}

#[test]
fn events_contain_topic_and_outcome() {
    let scenario = panel().env("ANSWER", "Fine.\n\nDECISION: ship it");
    let run = scenario.discussions(&["discuss", "Ship?", "-r", "1", "--events"]).code(0);
    let events: Vec<Value> =
        run.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of = |name: &str| events.iter().find(|event| event["event"] == name).unwrap();
    assert_eq!(of("discussion.start")["topic"], "Ship?");
    let end = of("discussion.end");
    assert_eq!(
        (&end["status"], &end["decision"]),
        (&"ANSWERED".into(), &"ship it".into()),
        "{end}"
    );
}

#[test]
fn persona_that_excludes_default_uses_configured_fallback() {
    let scenario = with_mira(three_providers(), "{exclude: [panel]}").file(
        "discussions.yaml",
        "providers: {default: panel, fallback: [pd]}\nconsensus: {human_required: false}\n",
    );
    let result = scenario.discussions(&MIRA).code(0).json();
    let by = costs_of(&result);
    assert_eq!(by["pd"]["calls"], 1, "{by}");
    assert!(by.get("bad").is_none() && by.get("pa").is_none(), "nobody configured those: {by}");
}

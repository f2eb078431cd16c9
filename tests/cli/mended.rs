//! Faults in patterns that users reported; each test covers one fix.

mod slow;

use serde_json::{Value, json};

use super::panel::{calls, panel};
use super::scenario::Scenario;

/// An answer with every marker that a phase may require.
const READY: &str = "DECISION: ship it\n\nSOLUTION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: READY";

/// Defines three providers that answer and one that always fails.
pub(super) fn three_providers() -> Scenario {
    panel().env("ANSWER", READY).program("bad", "#!/bin/sh\ncat > /dev/null\necho 'no quota' >&2\nexit 1\n").file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: panel, retries: 0}\n  - {name: bad, command: bad, retries: 0}\n  \
         - {name: pa, command: panel, retries: 0}\n  - {name: pd, command: panel, retries: 0}\n",
    )
}

/// Adds a persona `mira` with preferences about providers.
pub(super) fn with_mira(scenario: Scenario, affinity: &str) -> Scenario {
    scenario.file(
        "participants/mira.yaml",
        &format!(
            "name: AI-Mira\nalias: mira\npersonality: Look twice.\nprovider_affinity: {affinity}\n"
        ),
    )
}

pub(super) fn costs_of(result: &Value) -> &Value {
    &result["metadata"]["costSummary"]["byProvider"]
}

pub(super) const MIRA: [&str; 11] = [
    "discuss",
    "Ship?",
    "-r",
    "1",
    "--set",
    "objections=0",
    "--set",
    "review=false",
    "-p",
    "mira,architect",
    "--json",
];

#[test]
fn preferred_providers_are_called_in_order_after_failures() {
    let scenario = with_mira(three_providers(), "{preferred: [bad, pa], fallback: pd}");
    let result = scenario.discussions(&MIRA).code(0).json();
    assert_eq!(costs_of(&result)["pa"]["calls"], 1, "{result}");
    assert!(costs_of(&result).get("pd").is_none(), "the fallback comes after all the preferred");
    let scenario = with_mira(three_providers(), "{preferred: [bad], fallback: pd}");
    let result = scenario.discussions(&MIRA).code(0).json();
    assert_eq!(costs_of(&result)["pd"]["calls"], 1);
}

#[test]
fn excluded_provider_is_neither_default_nor_fallback() {
    let scenario = with_mira(three_providers(), "{preferred: [pa], exclude: [panel]}");
    let result = scenario.discussions(&MIRA).code(0).json();
    assert_eq!(costs_of(&result)["pa"]["calls"], 1);
    // Both the default and the configured fallback are excluded.
    let scenario = with_mira(three_providers(), "{exclude: [panel, bad, pa]}").file(
        "discussions.yaml",
        "providers: {default: panel, fallback: [panel, pa, pd]}\nconsensus: {human_required: false}\n",
    );
    let result = scenario.discussions(&MIRA).code(0).json();
    assert_eq!(costs_of(&result)["pd"]["calls"], 1, "{result}");
    assert_eq!(costs_of(&result)["panel"]["calls"], 2, "the architect and the moderator");
}

#[test]
fn costs_count_for_the_provider_that_was_called() {
    let scenario = with_mira(three_providers(), "{preferred: [bad, pa]}");
    let result = scenario.discussions(&MIRA).code(0).json();
    let by = costs_of(&result);
    assert_eq!((&by["bad"]["calls"], &by["pa"]["calls"]), (&json!(1), &json!(1)), "{by}");
    assert_eq!(result["metadata"]["costSummary"]["totalCalls"], 4);
    let file = scenario.read("discussions/ship.md");
    assert!(file.contains("provider: pa") && file.contains("calls: 2, tried: [bad] -->"), "{file}");
    // A participant without an answer has costs, too.
    let scenario = with_mira(three_providers(), "{preferred: [bad], exclude: [panel]}").file(
        "discussions.yaml",
        "providers: {default: panel, fallback: []}\nconsensus: {human_required: false}\n",
    );
    let args = [
        "discuss",
        "Ship?",
        "-r",
        "1",
        "--set",
        "objections=0",
        "-p",
        "mira,architect,security",
        "--json",
    ];
    let result = scenario.discussions(&args).with_warnings().code(0).json();
    assert_eq!(costs_of(&result)["bad"]["calls"], 1, "{result}");
}

#[test]
fn retries_count_as_calls() {
    let scenario = panel()
        .env("ANSWER", "fail")
        .file("providers.yaml", "providers:\n  - {name: panel, command: panel, retries: 2}\n");
    scenario.discussions(&["new", "Caching", "-p", "architect"]).code(0);
    let run = scenario
        .discussions(&["run", "caching", "--max-calls", "1", "--json"])
        .code(1)
        .with_warnings();
    assert_eq!(calls(&scenario).len(), 1, "{}", run.stdout);
    let scenario = panel().env("ANSWER", "No marker at all.");
    let args = ["discuss", "Ship?", "--pattern", "voting", "--max-calls", "4", "--json"];
    scenario.discussions(&args).code(1).with_warnings();
    assert_eq!(calls(&scenario).len(), 4, "three votes, and one of them asked again");
}

#[test]
fn votes_decide_even_with_zero_confidence() {
    let scenario =
        panel().env("ANSWER", "DECISION: A").env("ANSWER_ballot", "CONFIDENCE: 0\n\nVOTE: A");
    let args = ["discuss", "A or B?", "--pattern", "voting", "-o", "A,B", "--json"];
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(result["votingResults"]["winner"], "A");
    assert_eq!(result["consensus"]["dissent"], json!([]));
    assert_eq!(result["success"], true);
}

#[test]
fn invalid_input_has_its_own_code_and_is_not_retryable() {
    let scenario = Scenario::new();
    let seven = "architect,security,pragmatist,perfectionist,designer,product,quality";
    for args in [
        &["-p", seven][..],
        &["-p", "architect"],
        &["-r", "11"],
        &["-p", "nobody,architect"],
        &["--roles", "nobody=judge", "--pattern", "debate"],
        &["--roles", "architect=jugde", "--pattern", "debate"],
    ] {
        let args = [&["discuss", "Ship?", "--provider", "mock", "--json"], args].concat();
        let result = scenario.discussions(&args).code(3).json();
        assert_eq!(result["error"]["code"], "DISCUSSION_INVALID_INPUT", "{args:?}");
        assert_eq!(result["error"]["retryable"], false, "{args:?}");
    }
}

#[test]
fn discussion_with_only_timeouts_has_the_timeout_code() {
    let scenario = panel()
        .program("slow", "#!/bin/sh\ncat > /dev/null\nexec sleep 60\n")
        .file("providers.yaml", "providers:\n  - {name: slow, command: slow, retries: 0}\n");
    let args = ["discuss", "Ship?", "--provider", "slow", "--provider-timeout", "5s", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_PROVIDER_TIMEOUT");
}

#[test]
fn text_without_a_vote_is_shown_as_not_voted_on() {
    let scenario = panel().env("ANSWER", "Ship it.");
    scenario
        .discussions(&["discuss", "Ship?", "-r", "1"])
        .code(0)
        .says("Synthesis by moderator\n\n")
        .says("\nOutcome: answered, not voted on (synthesis)\n")
        .stdout_lacks("reached");
    let result = scenario
        .discussions(&[
            "discuss",
            "Ship?",
            "-r",
            "1",
            "--set",
            "objections=0",
            "--set",
            "review=false",
            "--json",
        ])
        .code(0)
        .json();
    assert_eq!(result["stoppingReason"], "completed");
    assert_eq!(result["consensus"]["reached"], true, "as programs know it");
}

#[test]
fn costs_are_rounded_and_estimates_marked() {
    let scenario = three_providers().file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: panel, price: {input: 0.1, output: 0.7}}\n  - {name: free, command: panel}\n",
    );
    let args = ["discuss", "Ship?", "-r", "1", "-p", "architect,security=free", "--json"];
    let result = scenario.discussions(&args).code(0).json();
    let summary = &result["metadata"]["costSummary"];
    let text = summary["estimatedCostUsd"].to_string();
    assert!(text.len() <= 8, "{text}");
    assert_eq!(summary["estimated"], true);
    assert_eq!(result["metadata"]["estimated"], true);
    let by = costs_of(&result);
    assert_eq!((&by["free"]["costUsd"], &by["free"]["estimated"]), (&Value::Null, &json!(true)));
    assert!(by["panel"]["costUsd"].is_f64(), "{by}");
}

#[test]
fn reasons_and_dissent_contain_no_marker_lines() {
    let scenario = panel()
        .env("ANSWER", "DECISION: ship it")
        .env("ANSWER_ballot", "Fine.\n\nCONFIDENCE: 0.9\n\nVOTE: READY")
        .env(
            "ANSWER_ballot_security",
            "It leaks. Badly,\nin fact.\n\nCONFIDENCE: 0.3\n\nVOTE: REJECT",
        );
    let args = ["discuss", "Ship?", "--pattern", "voting"];
    let result = scenario.discussions(&[&args[..], &["--json"]].concat()).code(0).json();
    let ballots = result["votingResults"]["ballots"].as_array().unwrap();
    assert!(!ballots.iter().any(|one| one["reason"].as_str().unwrap().contains("CONFIDENCE")));
    let dissent = &result["consensus"]["dissent"][0];
    let position = dissent["position"].as_str().unwrap();
    assert!(
        !position.contains('\n') && position.starts_with("REJECT: I am security"),
        "{position}"
    );
    let run = scenario.discussions(&[&args[..], &["-v"]].concat()).code(0);
    assert_eq!(run.stdout.matches("I am moderator in synthesis").count(), 1, "{}", run.stdout);
    // Ballots are in the order of arrival, so the line number of the dissent varies.
    assert!(dissent["line"].is_u64());
    run.says("Dissent: AI-Security, REJECT: I am security in ballot. (line ");
}

#[test]
fn no_synthesis_is_requested_without_answers() {
    let scenario = panel().program("mute", "#!/bin/sh\ncat > /dev/null\necho \"$DISCUSSIONS_PHASE\" >> \"$CALLS\"\necho '{\"sentinel\": \"NO_RESPONSE\"}'\n")
        .file("providers.yaml", "providers:\n  - {name: mute, command: mute}\n");
    let args = ["discuss", "Ship?", "-r", "1", "--provider", "mute", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_INSUFFICIENT_PROVIDERS");
    assert!(!calls(&scenario).iter().any(|phase| phase == "synthesis"), "{:?}", calls(&scenario));
}

#[test]
fn dialogue_without_solution_takes_the_most_confident_draft() {
    let scenario = panel()
        .env("ANSWER_draft_architect", "Rewrite it.")
        .env("ANSWER_draft_pragmatist", "Patch it.")
        .env("ANSWER_check_architect", "CONFIDENCE: 0.6\n\nVOTE: YES")
        .env("ANSWER_check_pragmatist", "CONFIDENCE: 0.9\n\nVOTE: YES");
    let args =
        ["discuss", "Which?", "--pattern", "dialogue", "-p", "architect,pragmatist", "--json"];
    let result = scenario.discussions(&args).code(0).json();
    let solution = result["finalConsensus"]["solution"].as_str().unwrap();
    assert!(solution.contains("Patch it.") && !solution.contains("Rewrite it."), "{solution}");
}

#[test]
fn discussion_stopped_by_its_time_limit_is_retryable() {
    let scenario = panel()
        .program("slow", "#!/bin/sh\ncat > /dev/null\nexec sleep 60\n")
        .file("providers.yaml", "providers:\n  - {name: slow, command: slow, retries: 0}\n");
    let args = ["discuss", "Ship?", "--provider", "slow", "--timeout", "1s", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_TIMEOUT");
    assert_eq!(result["error"]["retryable"], true);
}

#[test]
fn discuss_takes_limits_parameters_and_a_context_file() {
    let scenario = panel().env("ANSWER", "No vote.").file("facts.md", "We have two servers.\n");
    let args = ["discuss", "Ship?", "--pattern", "dialogue", "--max-calls", "5", "--json"];
    let result = scenario.discussions(&args).with_warnings().code(1).json();
    assert!(calls(&scenario).len() <= 5, "{:?}", calls(&scenario));
    assert_eq!(result["error"]["code"], "DISCUSSION_COST_BUDGET_EXCEEDED");
    assert_eq!(result["error"]["retryable"], true);
    let scenario = scenario.env("ANSWER", READY);
    let args = [
        "discuss",
        "Which one?",
        "-r",
        "1",
        "--context-file",
        "facts.md",
        "--set",
        "include_dissent=false",
        "--max-usd",
        "5",
        "--unpriced",
        "--timeout",
        "1m",
        "--min-providers",
        "2",
        "--json",
    ];
    scenario.discussions(&args).code(0);
    assert!(scenario.read("discussions/which-one.md").contains("We have two servers."));
    scenario
        .discussions(&["discuss", "Ship?", "--set", "nope=1"])
        .code(3)
        .notes("no parameter `nope`");
}

fn tie_explained_by(said: &str) -> Scenario {
    panel()
        .env("ANSWER_ballot_architect", "CONFIDENCE: 0.5\n\nVOTE: REST")
        .env("ANSWER_ballot_security", "CONFIDENCE: 0.5\n\nVOTE: GraphQL")
        .env("ANSWER_synthesis", said)
}

//! What was found wrong with the patterns by people who tried them, each mended.

use serde_json::{Value, json};

use super::panel::{calls, panel};
use super::scenario::Scenario;

/// An answer that holds all that any phase asks for.
const READY: &str = "DECISION: ship it\n\nSOLUTION: ship it\n\nCONFIDENCE: 0.8\n\nVOTE: READY";

/// Two providers that answer, and one that always fails.
pub(super) fn three() -> Scenario {
    panel().env("ANSWER", READY).program("bad", "#!/bin/sh\ncat > /dev/null\necho 'no quota' >&2\nexit 1\n").file(
        "providers.yaml",
        "providers:\n  - {name: panel, command: panel, retries: 0}\n  - {name: bad, command: bad, retries: 0}\n  \
         - {name: pa, command: panel, retries: 0}\n  - {name: pd, command: panel, retries: 0}\n",
    )
}

/// A persona `mira` with wishes about providers.
pub(super) fn mira(scenario: Scenario, affinity: &str) -> Scenario {
    scenario.file(
        "participants/mira.yaml",
        &format!(
            "name: AI-Mira\nalias: mira\npersonality: Look twice.\nprovider_affinity: {affinity}\n"
        ),
    )
}

pub(super) fn by_provider(result: &Value) -> &Value {
    &result["metadata"]["costSummary"]["byProvider"]
}

pub(super) const MIRA: [&str; 9] =
    ["discuss", "Ship?", "-r", "1", "--set", "objections=0", "-p", "mira,architect", "--json"];

#[test]
fn x_01_affinity_goes_in_order_also_after_a_failure() {
    let scenario = mira(three(), "{preferred: [bad, pa], fallback: pd}");
    let result = scenario.discussions(&MIRA).code(0).json();
    assert_eq!(by_provider(&result)["pa"]["calls"], 1, "{result}");
    assert!(by_provider(&result).get("pd").is_none(), "the fallback comes after all the preferred");
    let scenario = mira(three(), "{preferred: [bad], fallback: pd}");
    let result = scenario.discussions(&MIRA).code(0).json();
    assert_eq!(by_provider(&result)["pd"]["calls"], 1);
}

#[test]
fn x_02_exclude_holds_against_a_default_and_a_fallback() {
    let scenario = mira(three(), "{preferred: [pa], exclude: [panel]}");
    let result = scenario.discussions(&MIRA).code(0).json();
    assert_eq!(by_provider(&result)["pa"]["calls"], 1);
    // The default is excluded, and so is the configured fallback.
    let scenario = mira(three(), "{exclude: [panel, bad, pa]}").file(
        "discussions.yaml",
        "providers: {default: panel, fallback: [panel, pa, pd]}\nconsensus: {human_required: false}\n",
    );
    let result = scenario.discussions(&MIRA).code(0).json();
    assert_eq!(by_provider(&result)["pd"]["calls"], 1, "{result}");
    assert_eq!(by_provider(&result)["panel"]["calls"], 2, "the architect and the moderator");
}

#[test]
fn x_03_cost_is_booked_on_whoever_was_called() {
    let scenario = mira(three(), "{preferred: [bad, pa]}");
    let result = scenario.discussions(&MIRA).code(0).json();
    let by = by_provider(&result);
    assert_eq!((&by["bad"]["calls"], &by["pa"]["calls"]), (&json!(1), &json!(1)), "{by}");
    assert_eq!(result["metadata"]["costSummary"]["totalCalls"], 4);
    let file = scenario.read("discussions/ship.md");
    assert!(file.contains("provider: pa") && file.contains("calls: 2, tried: [bad] -->"), "{file}");
    // One who could not answer at all is booked too.
    let scenario = mira(three(), "{preferred: [bad], exclude: [panel]}").file(
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
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(by_provider(&result)["bad"]["calls"], 1, "{result}");
}

#[test]
fn x_04_retries_count_among_the_calls() {
    let scenario = panel()
        .env("ANSWER", "fail")
        .file("providers.yaml", "providers:\n  - {name: panel, command: panel, retries: 2}\n");
    scenario.discussions(&["new", "Caching", "-p", "architect"]).code(0);
    let run = scenario.discussions(&["run", "caching", "--max-calls", "1", "--json"]);
    assert_eq!(calls(&scenario).len(), 1, "{}", run.stdout);
    let scenario = panel().env("ANSWER", "No marker at all.");
    let args = ["discuss", "Ship?", "--pattern", "voting", "--max-calls", "4", "--json"];
    scenario.discussions(&args);
    assert_eq!(calls(&scenario).len(), 4, "three votes, and one of them asked again");
}

#[test]
fn x_05_votes_decide_where_nobody_is_sure() {
    let scenario =
        panel().env("ANSWER", "DECISION: A").env("ANSWER_ballot", "CONFIDENCE: 0\n\nVOTE: A");
    let args = ["discuss", "A or B?", "--pattern", "voting", "-o", "A,B", "--json"];
    let result = scenario.discussions(&args).code(0).json();
    assert_eq!(result["votingResults"]["winner"], "A");
    assert_eq!(result["consensus"]["dissent"], json!([]));
    assert_eq!(result["success"], true);
}

#[test]
fn x_09_x_10_wrong_input_has_a_code_of_its_own_and_is_never_tried_again() {
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
fn x_11_all_who_ran_out_of_time_is_a_timeout() {
    let scenario = panel()
        .program("slow", "#!/bin/sh\ncat > /dev/null\nexec sleep 60\n")
        .file("providers.yaml", "providers:\n  - {name: slow, command: slow, retries: 0}\n");
    let args = ["discuss", "Ship?", "--provider", "slow", "--provider-timeout", "5s", "--json"];
    let result = scenario.discussions(&args).code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_PROVIDER_TIMEOUT");
}

#[test]
fn x_12_a_text_that_nobody_voted_on_is_no_consensus_that_was_reached() {
    let scenario = panel().env("ANSWER", "Ship it.");
    scenario
        .discussions(&["discuss", "Ship?", "-r", "1"])
        .code(0)
        .says("Synthesis by moderator\n\n")
        .says("\nConsensus: not voted on (synthesis)\n")
        .stdout_lacks("reached");
    let result = scenario
        .discussions(&["discuss", "Ship?", "-r", "1", "--set", "objections=0", "--json"])
        .code(0)
        .json();
    assert_eq!(result["stoppingReason"], "completed");
    assert_eq!(result["consensus"]["reached"], true, "as programs know it");
}

#[test]
fn x_13_the_threshold_is_a_setting_and_a_flag() {
    let votes = |scenario: Scenario| {
        scenario
            .env("ANSWER", "DECISION: ship it\n\nCONFIDENCE: 1\n\nVOTE: READY")
            .env("ANSWER_ballot_pragmatist", "CONFIDENCE: 1\n\nVOTE: REJECT")
    };
    let args = ["discuss", "Ship?", "--pattern", "voting", "--json"];
    let config = "providers: {default: panel}\nconsensus: {threshold: 0.9}\n";
    let scenario = votes(panel()).file("discussions.yaml", config);
    let result = scenario.discussions(&args).code(1).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_CONSENSUS_FAILED", "{result}");
    // The flag says more than the project does.
    scenario.discussions(&[&args[..], &["--threshold", "0.6"]].concat()).code(0);
    votes(panel()).discussions(&[&args[..], &["--threshold", "0.9"]].concat()).code(1);
    votes(panel()).discussions(&args).code(0);
    votes(panel()).discussions(&[&args[..], &["--threshold", "1.9"]].concat()).code(2);
}

#[test]
fn x_14_a_seat_without_a_role_that_speaks_is_said() {
    let debate = |more: &[&str]| {
        let args = ["discuss", "Ship?", "--pattern", "debate", "-r", "1", "-p"];
        let four = ["architect,security,pragmatist,designer", "--json"];
        panel().env("ANSWER", READY).discussions(&[&args, &four[..], more].concat()).code(0)
    };
    let note = "note: designer has no speaking role in `debate`, so it answers only mentions and ballots; to give it one: `discuss --roles designer=neutral`\n";
    assert_eq!(debate(&[]).stderr.matches(note).count(), 1);
    assert!(!debate(&["--roles", "designer=neutral"]).stderr.contains("no role that speaks"));
    panel()
        .discussions(&[
            "new",
            "Ship?",
            "-t",
            "debate",
            "-p",
            "architect,security,pragmatist,designer",
        ])
        .code(0)
        .notes(note);
    // Nobody of these is silent.
    for pattern in ["synthesis", "round-robin", "critique", "voting", "feature"] {
        let args = ["new", "Ship?", "-t", pattern, "-p", "architect,security,pragmatist,designer"];
        assert!(!panel().discussions(&args).code(0).stderr.contains("no role that speaks"));
    }
}

#[test]
fn x_14_the_moderator_is_whoever_judges_or_writes() {
    for (pattern, role) in [
        ("debate", "judge"),
        ("synthesis", "synthesizer"),
        ("round-robin", "synthesizer"),
        ("voting", "synthesizer"),
    ] {
        let scenario = panel().env("ANSWER", READY);
        let args =
            ["discuss", "Ship?", "--pattern", pattern, "--roles", "designer=moderator", "--json"];
        let result = scenario.discussions(&args).code(0).json();
        let head = scenario.read(result["file"].as_str().unwrap());
        assert!(head.contains(&format!("{role}: [designer]")), "{pattern}: {head}");
    }
    panel()
        .discussions(&[
            "discuss",
            "Ship?",
            "--pattern",
            "dialogue",
            "--roles",
            "architect=moderator",
        ])
        .code(3)
        .notes("the template `dialogue` has no role `moderator`; it has: one, other");
}

#[test]
fn x_16_round_events_count_what_the_result_counts() {
    for (pattern, rounds) in [("voting", 1), ("debate", 2), ("critique", 2)] {
        let run = panel()
            .env("ANSWER", READY)
            .discussions(&["discuss", "Ship?", "--pattern", pattern, "--events", "--json"])
            .code(0);
        let lines: Vec<Value> =
            run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (result, events) = lines.split_last().unwrap();
        let of = |name: &str| -> Vec<&Value> {
            events.iter().filter(|event| event["event"] == name).map(|it| &it["round"]).collect()
        };
        let counted: Vec<&Value> =
            result["rounds"].as_array().unwrap().iter().map(|it| &it["roundNumber"]).collect();
        assert_eq!(counted.len(), rounds, "{pattern}");
        assert_eq!(of("discussion.round.start"), counted, "{pattern}");
        assert_eq!(of("discussion.round.end"), counted, "{pattern}");
        assert!(of("turn.start").len() > rounds, "{pattern}: several turns a round");
    }
}

#[test]
fn x_17_money_is_rounded_and_estimates_say_so() {
    let scenario = three().file(
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
    let by = by_provider(&result);
    assert_eq!((&by["free"]["costUsd"], &by["free"]["estimated"]), (&Value::Null, &json!(true)));
    assert!(by["panel"]["costUsd"].is_f64(), "{by}");
}

#[test]
fn x_18_reasons_and_dissent_hold_no_marker_lines_and_the_text_stands_once() {
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
    // Ballots stand in the order in which they came.
    assert!(dissent["line"].is_u64());
    run.says("Dissent: AI-Security, REJECT: I am security in ballot. (line ");
}

#[test]
fn x_19_the_result_of_a_file_is_there_whenever_it_is_asked_for() {
    let scenario = panel().env("ANSWER", READY).env("ANSWER_synthesis", "fail");
    let failed = scenario.discussions(&["discuss", "Ship?", "--json"]).code(4).json();
    let again = scenario.discussions(&["result", "ship", "--json"]).code(0).json();
    assert_eq!(failed, again);
    let scenario = scenario.env("ANSWER_synthesis", "All of it.");
    scenario.discussions(&["run", "ship"]).code(0);
    let whole = scenario.discussions(&["result", "ship", "--json"]).code(0).json();
    assert_eq!((&whole["success"], &whole["pattern"]), (&json!(true), &json!("synthesis")));
}

#[test]
fn x_20_nobody_is_paid_for_a_text_on_nothing() {
    let scenario = panel().program("mute", "#!/bin/sh\ncat > /dev/null\necho \"$DISCUSSIONS_PHASE\" >> \"$CALLS\"\necho '{\"sentinel\": \"NO_RESPONSE\"}'\n")
        .file("providers.yaml", "providers:\n  - {name: mute, command: mute}\n");
    let args = ["discuss", "Ship?", "-r", "1", "--provider", "mute", "--json"];
    let result = scenario.discussions(&args).code(4).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_INSUFFICIENT_PROVIDERS");
    assert!(!calls(&scenario).iter().any(|phase| phase == "synthesis"), "{:?}", calls(&scenario));
}

#[test]
fn x_21_without_a_signed_solution_the_surer_ones_position_stands_alone() {
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
fn x_23_what_was_stopped_may_be_run_again() {
    let scenario = panel()
        .program("slow", "#!/bin/sh\ncat > /dev/null\nexec sleep 60\n")
        .file("providers.yaml", "providers:\n  - {name: slow, command: slow, retries: 0}\n");
    let args = ["discuss", "Ship?", "--provider", "slow", "--timeout", "1s", "--json"];
    let result = scenario.discussions(&args).code(1).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_TIMEOUT");
    assert_eq!(result["error"]["retryable"], true);
}

#[test]
fn x_24_a_discussion_has_limits_parameters_and_a_context_file() {
    let scenario = panel().env("ANSWER", "No vote.").file("facts.md", "We have two servers.\n");
    let args = ["discuss", "Ship?", "--pattern", "dialogue", "--max-calls", "5", "--json"];
    let result = scenario.discussions(&args).code(1).json();
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

#[test]
fn dissent_and_failures_are_switches_of_every_discussion() {
    let scenario = panel()
        .env("ANSWER", READY)
        .env("ANSWER_ballot_security", "It leaks.\n\nCONFIDENCE: 0.3\n\nVOTE: REJECT");
    let args = ["discuss", "Ship?", "--pattern", "voting", "--json"];
    let off = [&args[..], &["--set", "include_dissent=false"]].concat();
    assert_eq!(scenario.discussions(&off).code(0).json()["consensus"]["dissent"], json!([]));

    let scenario = panel().env("ANSWER", READY).env("ANSWER_security", "fail");
    let args = ["discuss", "Ship?", "-r", "1", "--set", "objections=0", "--json"];
    scenario.discussions(&args).code(0);
    let strict = [&args[..], &["--set", "continue_on_provider_failure=false"]].concat();
    let result = scenario.discussions(&strict).code(4).json();
    assert_eq!(result["success"], false);
    let wrong = [&args[..], &["--set", "include_dissent=perhaps"]].concat();
    scenario.discussions(&wrong).code(3).notes("true or false");
}

#[test]
fn whoever_explains_a_tie_decides_it() {
    let scenario = panel()
        .env("ANSWER_ballot_architect", "CONFIDENCE: 0.5\n\nVOTE: REST")
        .env("ANSWER_ballot_security", "CONFIDENCE: 0.5\n\nVOTE: GraphQL")
        .env("ANSWER_synthesis", "Both work.\n\nDECISION: We take GraphQL for the public API");
    let args = [
        "discuss",
        "API?",
        "--pattern",
        "voting",
        "-o",
        "REST,GraphQL",
        "-p",
        "architect,security",
    ];
    let result = scenario.discussions(&[&args[..], &["--json"]].concat()).code(0).json();
    let voting = &result["votingResults"];
    assert_eq!((&voting["winner"], &voting["tied"]), (&json!("GraphQL"), &json!(true)));
    assert_eq!(voting["tieBrokenBy"], "moderator");
    assert_eq!(result["consensus"]["agreementScore"], 0.5);
    scenario.discussions(&args).code(0).says("a tie, and moderator chose GraphQL");
    // One who names both, or neither, decides nothing.
    for said in ["DECISION: REST or GraphQL", "DECISION: gRPC"] {
        let result =
            scenario_with(said).discussions(&[&args[..], &["--json"]].concat()).code(1).json();
        assert_eq!(
            (&result["votingResults"]["winner"], &result["votingResults"]["tied"]),
            (&json!(""), &json!(true))
        );
    }
}

fn scenario_with(said: &str) -> Scenario {
    panel()
        .env("ANSWER_ballot_architect", "CONFIDENCE: 0.5\n\nVOTE: REST")
        .env("ANSWER_ballot_security", "CONFIDENCE: 0.5\n\nVOTE: GraphQL")
        .env("ANSWER_synthesis", said)
}

/// Two vendors, by the programs of their bundled definitions.
fn vendors() -> Scenario {
    let says = "#!/bin/sh\ncat > /dev/null\necho \"$(basename \"$0\") $DISCUSSIONS_PARTICIPANT\" >> \"$CALLS\"\n";
    let claude = format!(
        "{says}printf '{{\"is_error\":false,\"result\":\"Yes.\",\"usage\":{{\"input_tokens\":1,\"output_tokens\":1}}}}'\n"
    );
    let gemini = format!(
        "{says}printf '{{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"Yes.\"}}\\n{{\"type\":\"result\"}}\\n'\n"
    );
    panel()
        .program("claude", &claude)
        .program("gemini", &gemini)
        .file("discussions.yaml", "author: Rob\n")
        .file("providers.yaml", "")
}

#[test]
fn vendors_are_dealt_over_the_seats_where_nobody_chose() {
    let scenario = vendors();
    let args = ["discuss", "Ship?", "-r", "1", "--set", "objections=0", "--json"];
    let run = scenario.discussions(&args).code(0);
    let by = run.json();
    let by = by_provider(&by);
    assert_eq!(
        (&by["claude-sonnet"]["calls"], &by["gemini-flash"]["calls"]),
        (&json!(2), &json!(2)),
        "{by}"
    );
    run.notes(
        "note: providers: gemini-flash for architect, pragmatist; claude-sonnet for security, moderator",
    );
    // Whoever chooses is heard, and nothing is said.
    let chosen = [&args[..], &["--provider", "claude"]].concat();
    let run = scenario.discussions(&chosen).code(0);
    assert_eq!(by_provider(&run.json())["claude-sonnet"]["calls"], 4);
    assert!(!run.stderr.contains("who speaks"), "{}", run.stderr);
}

#[test]
fn another_vendor_is_asked_where_one_fails() {
    let scenario = vendors()
        .program("gemini", "#!/bin/sh\ncat > /dev/null\necho 'quota exceeded' >&2\nexit 1\n");
    let result = scenario
        .discussions(&["discuss", "Ship?", "-r", "1", "--set", "objections=0", "--json"])
        .code(0)
        .json();
    assert_eq!(result["failedProviders"], json!([]));
    assert_eq!(by_provider(&result)["gemini-flash"]["calls"], 2, "{}", by_provider(&result));
    assert_eq!(by_provider(&result)["claude-sonnet"]["calls"], 4);
    // Nobody is asked beyond what was named.
    let args = ["discuss", "Ship?", "-r", "1", "--provider", "gemini", "--json"];
    scenario.discussions(&args).code(4);
}

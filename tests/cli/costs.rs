//! Costs: limits that do not cover a single call, and providers with an unknown price.

use super::scenario::Scenario;

/// A provider with a known, high price for a million tokens.
const DEAR: &str = "providers: [{name: dear, command: cat, max_tokens: 10000, price: {input: 1.0, output: 25.0}}]\n";
/// A provider without a known price.
const LOCAL: &str = "providers: [{name: local, command: \"echo Measure first.\"}]\n";

fn with_providers(providers: &str) -> Scenario {
    let scenario = Scenario::new();
    scenario.write("../config/providers.yaml", providers.as_bytes());
    scenario
}

#[test]
fn limit_below_one_call_is_refused_without_a_new_file() {
    let scenario = with_providers(DEAR);
    scenario.write("p.md", b"We cache.\n");
    for args in [&["discuss", "Cheap?"][..], &["review", "p.md"]] {
        let limit = ["--provider", "dear", "--max-usd", "0.01"];
        let run = scenario.discussions(&[args, &limit].concat()).code(1);
        assert!(!run.stderr().contains("--unpriced"), "{}", run.stderr());
        run.notes("error: one call may cost up to $0.28; raise --max-usd");
        let list = scenario.discussions(&["list", "--json"]).code(0).json();
        assert_eq!(list.as_array().map(Vec::len), Some(0), "{list}");
    }
    let json = scenario.discussions(&[
        "discuss",
        "Cheap?",
        "--provider",
        "dear",
        "--max-usd",
        "0.01",
        "--json",
    ]);
    let result = json.code(1).json();
    assert_eq!(result["error"]["code"], "DISCUSSION_COST_BUDGET_EXCEEDED");
    assert_eq!(result["file"], "");
}

#[test]
fn limit_below_one_call_leaves_an_existing_file_unchanged() {
    let scenario = with_providers(DEAR);
    scenario.discussions(&["new", "Cheap", "-c", "Which?"]).code(0);
    let file = scenario.discussions(&["status", "cheap", "--json"]).json();
    let file = file["file"].as_str().unwrap();
    let before = scenario.read(file);
    for verb in ["run", "turn"] {
        let args = [verb, "cheap", "--provider", "dear", "--max-usd", "0.01"];
        scenario.discussions(&args).code(1).notes("one call may cost up to $0.");
        assert_eq!(scenario.read(file), before, "{verb}");
    }
}

#[test]
fn limit_below_one_call_writes_no_phase_line() {
    let both = format!(
        "{}  - {{name: local, command: \"echo Measure first.\"}}\n",
        "providers:\n  - {name: dear, command: cat, max_tokens: 10000, price: {input: 1.0, output: 25.0}}\n"
    );
    let scenario = with_providers(&both);
    scenario.discussions(&["new", "Cheap", "-p", "architect,security"]).code(0);
    scenario.discussions(&["turn", "cheap", "--provider", "local"]).code(0);
    let file = scenario.discussions(&["status", "cheap", "--json"]).json();
    let file = file["file"].as_str().unwrap();
    let before = scenario.read(file);
    let args = ["run", "cheap", "--provider", "dear", "--max-usd", "0.01"];
    scenario.discussions(&args).code(1).notes("one call may cost up to $0.");
    assert_eq!(scenario.read(file), before);
    // Control: with enough money, the next step enters a phase.
    scenario
        .discussions(&["run", "cheap", "--provider", "local", "--max-calls", "1"])
        .code(1)
        .with_warnings();
    let after = scenario.read(file);
    let appended = after.strip_prefix(&before).expect("an append");
    assert!(appended.trim_start().starts_with("<!-- PHASE"), "{appended}");
}

#[test]
fn limit_with_unknown_price_names_two_solutions() {
    let scenario = Scenario::new().env("OPENAI_API_KEY", "sk-test");
    let args = ["discuss", "Cheap?", "--provider", "openai:gpt-4o", "--max-usd", "1"];
    scenario.discussions(&args).code(1).notes(
        "error: the price of openai:gpt-4o is not known; add --unpriced, or set price: in providers.yaml",
    );
    let list = scenario.discussions(&["list", "--json"]).code(0).json();
    assert_eq!(list.as_array().map(Vec::len), Some(0), "{list}");
}

#[test]
fn total_names_the_providers_with_unknown_price() {
    let both = "providers:\n  - {name: local, command: \"echo Measure first.\"}\n  - {name: paid, command: \"echo Measure first.\", price: {input: 1.0, output: 1.0}}\n";
    let scenario = with_providers(both);
    let args = ["discuss", "Cheap?", "-p", "architect=local,security=paid", "--provider", "paid"];
    scenario.discussions(&args);
    scenario.discussions(&["turn", "cheap", "@architect", "--provider", "local"]);
    scenario.discussions(&["status", "cheap", "-v"]).code(0).says("and an unknown cost of local");
    scenario.discussions(&["result", "cheap"]).code(0).says("and an unknown cost of local");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program many times"]
    fn unknown_price_is_never_shown_as_zero() {
        let scenario = with_providers(LOCAL);
        let run = scenario.discussions(&["discuss", "Cheap?", "--provider", "local"]);
        run.says("cost unknown").stdout_lacks("$0.0000").notes("cost unknown");
        scenario
            .discussions(&["result", "cheap"])
            .code(0)
            .says("cost unknown")
            .stdout_lacks("$0.0");
        let json =
            scenario.discussions(&["discuss", "Next?", "--provider", "local", "--json"]).json();
        let metadata = &json["metadata"];
        assert!(metadata["estimatedCost"].is_null(), "{metadata}");
        assert!(metadata["costSummary"]["estimatedCostUsd"].is_null(), "{metadata}");
        let status = scenario.discussions(&["status", "cheap", "--json"]).code(0).json();
        assert!(status["cost"]["estimatedCostUsd"].is_null(), "{status}");
        let stats = scenario.discussions(&["stats", "--json"]).code(0).json();
        assert!(stats["all"]["costUsd"].is_null(), "{stats}");
    }
}

//! Limits of money and calls, in the file and for one run.

use super::fake::{Fake, Step, plain, stream};
use super::recordings::CHAT;
use crate::cli::scenario::Scenario;

/// Three parallel calls to a service whose answers cost 5,120 tokens at 1 USD per million and 410 at 10.
fn scenario(fake: &Fake, more: &str, head: &str) -> Scenario {
    let scenario = Scenario::new().alone();
    let own = format!(
        "providers:\n  - {{name: own, api: openai, model: m, url: '{}', max_tokens: 1000, retries: 0{more}}}\n",
        fake.url()
    );
    scenario.write("../config/providers.yaml", own.as_bytes());
    let head = format!(
        "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security, pragmatist]\n{head}-->\n\n# D\n\n## Context\nText.\n"
    );
    scenario
        .file("d.md", &head)
        .file("discussions.yaml", "author: Rob\nproviders: {default: own}\n")
}

const PRICE: &str = ", price: {input: 1, output: 10}";

#[test]
fn call_beyond_the_budget_waits_for_a_later_run() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    // One call may cost a little over 0.01, so two do not fit.
    let scenario = scenario(&fake, PRICE, "");
    let run = scenario.discussions(&["run", "d", "--max-usd", "0.015"]).code(1);
    assert!(
        run.stderr().contains("the remaining budget does not cover another call"),
        "{}",
        run.stderr()
    );
    let file = scenario.read("d.md");
    assert_eq!(fake.requests().len(), file.matches("<!-- REPLY").count());
    assert!((1..3).contains(&fake.requests().len()), "{file}");
    assert!(!file.contains("FAILED"), "whoever was not asked did not fail: {file}");
    // The others are called with more money; no call is repeated.
    scenario
        .discussions(&["run", "d", "--max-usd", "5", "--max-turns", "1"])
        .code(1)
        .with_warnings();
    let text = scenario.read("d.md");
    let first = text.split("<!-- TURN: 2").next().unwrap();
    assert_eq!(first.matches("<!-- REPLY").count(), 3, "{text}");
}

#[test]
fn unknown_price_is_refused_under_a_money_limit_without_the_flag() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario = scenario(&fake, "", "");
    let run = scenario.discussions(&["run", "d", "--max-usd", "5"]).code(1);
    assert!(fake.requests().is_empty(), "{}", run.stderr());
    assert!(run.stderr().contains("is not known"), "{}", run.stderr());
    scenario
        .discussions(&["run", "d", "--max-usd", "5", "--unpriced", "--max-turns", "1"])
        .code(1)
        .with_warnings();
    assert_eq!(fake.requests().len(), 3);
}

#[test]
fn turn_and_discuss_obey_money_limits() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let unknown = scenario(&fake, "", "");
    let turn = unknown.discussions(&["turn", "d", "@architect", "--max-usd", "5"]).code(1);
    assert!(turn.stderr().contains("is not known"), "{}", turn.stderr());
    let args = ["discuss", "Which?", "--pattern", "voting", "--max-usd", "5"];
    let told = unknown.discussions(&args).code(1);
    assert!(told.stderr().contains("is not known"), "{}", told.stderr());
    let told = unknown.discussions(&[&args[..], &["--json"]].concat()).code(1).json();
    assert_eq!(told["error"]["code"], "DISCUSSION_COST_BUDGET_EXCEEDED", "{told}");
    assert!(fake.requests().is_empty(), "nobody is asked whose price nobody knows");
    unknown.discussions(&["turn", "d", "@architect", "--max-usd", "5", "--unpriced"]).code(0);
    assert_eq!(fake.requests().len(), 1);
    let known = scenario(&fake, PRICE, "");
    let args = ["turn", "d", "@all", "--max-usd", "0.025", "--json"];
    let turn = known.discussions(&args).with_warnings().code(1).json();
    assert_eq!(turn["stopped"], "max_usd");
    assert!((2..4).contains(&fake.requests().len()), "{turn}");
}

#[test]
fn each_limit_has_one_code_in_events_and_results() {
    for (limit, code) in [
        (&["--max-calls", "1"][..], "DISCUSSION_COST_BUDGET_EXCEEDED"),
        (&["--max-usd", "0.001"], "DISCUSSION_COST_BUDGET_EXCEEDED"),
    ] {
        let fake = Fake::repeating(stream(CHAT, 1000));
        let scenario = scenario(&fake, PRICE, "");
        let run = scenario
            .discussions(&[&["run", "d", "--events"], limit].concat())
            .with_warnings()
            .code(1);
        let error = run.stdout.lines().find(|line| line.contains("\"event\":\"error\""));
        assert!(error.is_some_and(|line| line.contains(code)), "{limit:?} {}", run.stdout);
        let args = [&["discuss", "Which?", "--pattern", "voting", "--json"], limit].concat();
        let result = scenario.discussions(&args).with_warnings().code(1).json();
        assert_eq!(result["error"]["code"], code, "{limit:?}");
    }
}

#[test]
fn unreadable_limit_stops_every_run() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario = scenario(&fake, PRICE, "limits: {timeout: soon}\n");
    let run = scenario.discussions(&["run", "d"]).code(3);
    assert!(run.stderr().contains("the limit `timeout` cannot be read"), "{}", run.stderr());
    assert!(fake.requests().is_empty());
}

#[test]
fn failed_call_that_may_have_cost_money_counts() {
    // Cut after its first words: the service has billed them.
    let fake = Fake::repeating(stream(&CHAT[..600], 1000));
    let scenario = scenario(&fake, PRICE, "");
    scenario.discussions(&["turn", "d", "@architect"]).code(4).with_warnings();
    assert!(!scenario.read("d.md").contains("usd"), "without a limit only what is known is said");
    scenario.discussions(&["run", "d", "--max-usd", "0.05"]).code(4).with_warnings();
    let failed = scenario.read("d.md");
    let told = failed.lines().rfind(|line| line.starts_with("<!-- FAILED")).unwrap();
    assert!(told.contains("usd: ~0.01"), "{told}");
}

#[test]
fn cost_of_a_failed_call_is_charged_to_its_provider() {
    let (broken, whole) =
        (Fake::repeating(stream(&CHAT[..600], 1000)), Fake::repeating(stream(CHAT, 1000)));
    let scenario = scenario(&broken, PRICE, "");
    let both = format!(
        "providers:\n  - {{name: own, api: openai, model: m, url: '{}', max_tokens: 1000, retries: 0{PRICE}}}\n  - {{name: other, api: openai, model: m, url: '{}', max_tokens: 1000, retries: 0{PRICE}}}\n",
        broken.url(),
        whole.url()
    );
    scenario.write("../config/providers.yaml", both.as_bytes());
    scenario
        .write("discussions.yaml", b"author: Rob\nproviders: {default: own, fallback: [other]}\n");
    scenario.discussions(&["turn", "d", "@architect", "--max-usd", "5"]).code(0);
    let file = scenario.read("d.md");
    let told = file.lines().find(|line| line.starts_with("<!-- REPLY")).unwrap();
    assert!(told.contains("provider: other"), "{told}");
    assert!(told.contains("calls: 2") && told.contains("tried: [\"own 1 $~0.01"), "{told}");
    // The cost of the other answer is known and added: 0.00922.
    assert!(told.contains("usd: ~0.0199"), "{told}");
}

#[test]
fn refusal_by_the_service_costs_nothing() {
    let fake = Fake::new(|_, _| vec![Step::Send(plain("529 Overloaded", "", ""))]);
    let scenario = scenario(&fake, PRICE, "");
    scenario.discussions(&["run", "d", "--max-usd", "0.05"]).code(4).with_warnings();
    assert!(!scenario.read("d.md").contains("usd"));
}

#[test]
fn cached_tokens_and_finish_reason_are_reported() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario = scenario(&fake, PRICE, "");
    let run = scenario.discussions(&["turn", "d", "@architect", "--json"]).code(0).json();
    assert_eq!(run["calls"][0]["cachedTokens"], 4800);
    assert_eq!(run["calls"][0]["finish"], "stop");
    assert!(run["calls"][0]["promptBytes"].as_u64() > Some(100));
    let file = scenario.read("d.md");
    assert!(file.contains("finish: stop, cached: 4800"), "{file}");
    let shown = scenario.discussions(&["show", "d", "--json"]).code(0).json();
    assert!(shown.to_string().contains("\"cached\":4800"), "{shown}");
    let told = scenario.discussions(&["turn", "d", "@security", "--events"]).code(0).stdout;
    let end = told.lines().find(|line| line.contains("\"answer.end\"")).unwrap();
    let end: serde_json::Value = serde_json::from_str(end).unwrap();
    assert_eq!((&end["finish"], &end["cached"]), (&"stop".into(), &4800.into()), "{end}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program for many calls over HTTP"]
    fn limits_of_head_and_configuration_cover_the_whole_discussion() {
        for (head, configured, most) in [
            ("limits: {max_calls: 4}\n", "", 4),
            ("", "limits: {max_calls: 4}\n", 4),
            ("limits: {max_calls: 9}\n", "limits: {max_calls: 2}\n", 2),
            ("limits: {max_usd: 0.028}\n", "", 2),
        ] {
            let fake = Fake::repeating(stream(CHAT, 1000));
            let scenario = scenario(&fake, PRICE, head);
            scenario.write(
                "discussions.yaml",
                format!("author: Rob\nproviders: {{default: own}}\n{configured}").as_bytes(),
            );
            for _ in 0..4 {
                scenario.discussions(&["run", "d"]).code(1).with_warnings();
                scenario.discussions(&["turn", "d", "@all"]).code(1).with_warnings();
            }
            assert!(
                fake.requests().len() <= most,
                "{head} {configured}: {}",
                fake.requests().len()
            );
            assert!(!fake.requests().is_empty(), "{head} {configured}");
        }
    }
}

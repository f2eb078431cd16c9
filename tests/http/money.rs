//! Spending limits of a discussion, forecasts before a run, and savings by caches.

use std::sync::{Arc, Mutex};

use serde_json::json;

use super::fake::{Fake, ReceivedRequest, Step, stream};
use super::recordings::CHAT;
use crate::cli::scenario::Scenario;

/// A discussion with a fake service, with these keys for its provider and its head.
fn scenario(fake: &Fake, keys: &str, head: &str) -> Scenario {
    let scenario = Scenario::new().alone();
    let own = format!(
        "providers:\n  - {{name: own, api: openai, model: m, url: '{}', {keys}}}\n",
        fake.url()
    );
    scenario.write("../config/providers.yaml", own.as_bytes());
    let text = format!(
        "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security, pragmatist]\n{head}-->\n\n# D\n\n## Context\nText.\n"
    );
    scenario
        .file("d.md", &text)
        .file("discussions.yaml", "author: Rob\nproviders: {default: own}\n")
}

/// Pseudo-random numbers that are equal in every run.
struct Random(u64);

impl Random {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }
}

/// A service that bills all input and output, even if it breaks off. Prices in US dollars per million tokens.
struct Bill {
    random: Random,
    prices: (f64, f64),
    most: u64,
    usd: f64,
    calls: usize,
}

impl Bill {
    fn answer(&mut self, asked: &ReceivedRequest) -> String {
        let prompt = asked.body["messages"][0]["content"].as_str().unwrap().len() as u64;
        let (input, output) = (prompt / 3, 1 + self.random.roll(self.most));
        let what = self.random.roll(5);
        self.calls += 1;
        if what == 0 {
            return String::new();
        }
        self.usd += (input as f64 * self.prices.0 + output as f64 * self.prices.1) / 1e6;
        let words = "We look at it again. ".repeat(1 + self.random.roll(20) as usize);
        let say = json!({"choices": [{"delta": {"content": words}}]});
        if what == 1 {
            // The service breaks off and bills text that the client never received.
            return format!("data: {say}\n\n");
        }
        let end = json!({
            "choices": [{"delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output},
        });
        format!("data: {say}\n\ndata: {end}\n\ndata: [DONE]\n\n")
    }
}

#[test]
fn time_limit_in_the_head_covers_the_whole_discussion() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let said = "<!-- TURN: 1, asks: [architect], at: 2026-11-20T10:00:00Z -->\n\n---\n\nName: AI-Architect\n\
                <!-- REPLY turn: 1, at: 2026-11-20T10:00:12Z, provider: own, ms: 12000 -->\n\nYes.\n\n---\n";
    for (timeout, asked) in [("10s", false), ("10m", true)] {
        let scenario = scenario(&fake, "retries: 0", &format!("limits: {{timeout: {timeout}}}\n"));
        let text = scenario.read("d.md") + "\n---\n\n" + said;
        scenario.write("d.md", text.as_bytes());
        let before = fake.requests().len();
        let run = scenario.discussions(&["run", "d", "--json"]).code(1).with_warnings().json();
        assert_eq!(fake.requests().len() > before, asked, "{run}");
        assert_eq!(run["error"]["code"] == "DISCUSSION_TIMEOUT", !asked, "{run}");
        assert_eq!(run["stopped"] == "timeout", !asked, "{run}");
    }
}

#[test]
fn limits_use_camel_case_in_json_documents() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let limits = "limits: {max_usd: 5, max_calls: 9, timeout: 10m}\n";
    let scenario = scenario(&fake, "retries: 0", limits);
    let shown = scenario.discussions(&["show", "d", "--json"]).code(0).json();
    let wanted = json!({"maxUsd": 5.0, "maxCalls": 9, "timeout": "10m"});
    assert_eq!(shown["head"]["limits"], wanted);
}

#[test]
fn reached_limit_is_an_error_in_every_document() {
    for (limit, code) in [
        (["--max-calls", "1"], "DISCUSSION_COST_BUDGET_EXCEEDED"),
        (["--max-usd", "0.001"], "DISCUSSION_COST_BUDGET_EXCEEDED"),
    ] {
        let fake = Fake::repeating(stream(CHAT, 1000));
        let scenario = scenario(&fake, "price: {input: 1, output: 10}", "");
        let run = scenario
            .discussions(&[&["run", "d", "--json"][..], &limit].concat())
            .with_warnings()
            .code(1);
        assert_eq!(run.json()["error"]["code"], code, "{}", run.stdout);
    }
}

#[test]
fn cache_share_is_reported_with_the_possible_share() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario = scenario(&fake, "price: {input: 1, output: 10}", "");
    let run = scenario.discussions(&["turn", "d", "@all"]).code(0);
    assert!(
        run.stderr().contains("cache: 94 % of the prompts came from caches; 0 %"),
        "{}",
        run.stderr()
    );
    let cost =
        scenario.discussions(&["turn", "d", "@all", "--json"]).code(0).json()["cost"].clone();
    assert_eq!(cost["calls"], 3);
    assert_eq!(cost["cachedShare"], 0.9375);
    assert_eq!((&cost["promptTokens"], &cost["answerTokens"]), (&json!(15360), &json!(1230)));
    assert!(cost["usd"].as_f64() > Some(0.0) && cost["ms"].is_u64(), "{cost}");
    let mock = scenario.discussions(&["turn", "d", "@all", "--provider", "mock"]).code(0);
    assert!(
        !mock.stderr().contains("cache:"),
        "who tells nothing is not counted: {}",
        mock.stderr()
    );
}

#[test]
fn calls_needed_only_on_dispute_are_announced_separately() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario =
        scenario(&fake, "retries: 0, max_tokens: 1000, price: {input: 1, output: 10}", "");
    let run = scenario.discussions(&["run", "d", "--max-turns", "1"]).code(1);
    // First reactions, review and ballot of three, one proposal and its author's review; all of it but the first two may
    // happen three times.
    assert!(run.stderr().contains("note: 11 to 21 calls, usually about $"), "{}", run.stderr());
    assert!(
        run.stderr().contains(", plus repeated calls and mentions; --max-usd"),
        "{}",
        run.stderr()
    );
    let run = scenario.discussions(&["run", "d", "--max-calls", "11", "--max-turns", "1"]).code(1);
    assert!(run.stderr().contains("note: 8 to 11 calls, usually about $"), "{}", run.stderr());
}

#[test]
fn announced_highest_cost_is_never_exceeded() {
    let fake = Fake::repeating(stream(CHAT, 1000));
    let scenario = scenario(&fake, "max_tokens: 2000, price: {input: 1, output: 10}", "");
    let args = [
        "discuss",
        "Which?",
        "--pattern",
        "round-robin",
        "-r",
        "5",
        "-p",
        "architect,security,pragmatist",
    ];
    let run = scenario.discussions(&[&args[..], &["--json"]].concat());
    let note = run.stderr().lines().find(|line| line.contains(" calls, usually")).unwrap();
    let number = |behind: &str| -> f64 {
        let rest = note.split(behind).nth(1).unwrap();
        rest.split([' ', ',', ';']).next().unwrap().parse().unwrap()
    };
    let cost = &run.json()["metadata"]["costSummary"];
    assert!(cost["totalCalls"].as_f64().unwrap() <= number(" to "), "{note} {cost}");
    assert!(cost["estimatedCostUsd"].as_f64().unwrap() <= number("at most $"), "{note} {cost}");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program for many calls over HTTP"]
    fn calls_and_costs_are_announced_before_a_run() {
        let fake = Fake::repeating(stream(CHAT, 1000));
        let many = |args: &[&str], price: &str| {
            let scenario = scenario(&fake, &format!("retries: 0, max_tokens: 1000{price}"), "");
            let start = ["discuss", "Which?", "--pattern", "round-robin", "-r", "5"];
            scenario.discussions(&[&start, args].concat()).with_any_code().into_stderr()
        };
        let priced = ", price: {input: 1, output: 10}";
        let told = many(&["-p", "architect,security,pragmatist"], priced);
        let note =
            told.lines().find(|line| line.starts_with("note: 17 to 20 calls")).unwrap_or(&told);
        assert!(note.contains(" calls, usually about $0.3"), "{told}");
        assert!(
            note.contains(", at most $0.") && note.ends_with("; --max-usd sets a limit"),
            "{told}"
        );
        let told = many(&["-p", "architect,security,pragmatist", "--max-usd", "3"], priced);
        assert!(told.contains("the run spends at most $3.00"), "{told}");
        let told = many(&["-p", "architect,security,pragmatist"], "");
        let unpriced = "17 to 20 calls plus repeated calls; the price of own is unknown";
        assert!(told.contains(unpriced), "{told}");
        assert!(told.contains("; --max-calls sets a limit"), "--max-usd would ask nobody: {told}");
        let told = many(&["-p", "architect,security,pragmatist", "--max-calls", "10"], priced);
        assert!(told.contains("note: 10 calls, usually about $0."), "{told}");
        assert!(!told.contains("plus repeated calls"), "the limit allows no more: {told}");
        let told = many(&["-p", "architect,security,pragmatist", "--provider", "mock"], priced);
        assert!(!told.contains(" calls, usually"), "what is free needs no word: {told}");
    }

    #[test]
    #[ignore = "slow: starts the program for many calls over HTTP"]
    fn spending_stays_below_the_head_limit_for_any_price() {
        let mut stopped = 0;
        for seed in 0..6 {
            let mut random = Random(seed);
            let prices = (random.roll(40) as f64, random.roll(160) as f64);
            let most = 50 + random.roll(2000);
            let limit = (1 + random.roll(300)) as f64 / 1000.0;
            let bill = Bill { random, prices, most, usd: 0.0, calls: 0 };
            let bill = Arc::new(Mutex::new(bill));
            let service = Arc::clone(&bill);
            let fake = Fake::new(move |_, asked| {
                let said = service.lock().unwrap().answer(asked);
                if said.is_empty() {
                    vec![Step::Send(super::super::fake::plain("503 Service Unavailable", "", ""))]
                } else {
                    vec![Step::Send(stream(&said, 4000))]
                }
            });
            let keys = format!(
                "max_tokens: {most}, retries: 1, price: {{input: {}, output: {}}}",
                prices.0, prices.1
            );
            let scenario = scenario(&fake, &keys, &format!("limits: {{max_usd: {limit}}}\n"));
            for args in [&["run", "d"][..], &["turn", "d", "@all"], &["turn", "d", "@all"]] {
                let run = scenario.discussions(args).with_any_code();
                stopped += usize::from(
                    run.stderr().contains("the remaining budget does not cover another call"),
                );
            }
            let bill = bill.lock().unwrap();
            assert!(bill.usd <= limit + 1e-9, "seed {seed}: {} of {limit}", bill.usd);
            let status = scenario.discussions(&["status", "d", "--json"]).code(0).json();
            let known = status["cost"]["estimatedCostUsd"].as_f64().unwrap();
            assert!(
                known >= bill.usd - 1e-5,
                "seed {seed}: the file knows of {known}, {} was billed",
                bill.usd
            );
        }
        assert!(stopped > 3, "limits were reached: {stopped}");
    }
}

//! Money limits with programs as providers: the recorded cost never exceeds a limit, whatever the programs print. A
//! cost that they report beyond their reservation is counted and ends the run.

use crate::cli::scenario::Scenario;

/// A program that prints as many bytes as the next line of a plan says; a line `0` makes it fail after its first words.
const TALKER: &str = r#"#!/bin/sh
cat > /dev/null
n=$(cat "$HOME/n" 2>/dev/null || echo 0)
echo $((n + 1)) > "$HOME/n"
line=$(sed -n "$((n % 12 + 1))p" "$HOME/plan")
[ "$line" = 0 ] && { echo "We look at"; echo "it fell over" >&2; exit 1; }
yes 'We look at it again.' | head -c "$line"
"#;

/// Three participants with this program, with a price per million tokens and a money limit for the discussion.
fn scenario(program: &str, keys: &str, limit: f64) -> Scenario {
    let scenario = Scenario::new().program("talker", program).file(
        "d.md",
        &format!(
            "<!-- DISCUSSION\ntemplate: feature\nparticipants: [architect, security, pragmatist]\nlimits: {{max_usd: {limit}}}\n-->\n\n# D\n\n## Context\nText.\n"
        ),
    );
    let own = format!("providers: [{{name: own, command: talker, {keys}}}]\n");
    scenario.write("../config/providers.yaml", own.as_bytes());
    scenario.file("discussions.yaml", "author: Rob\nproviders: {default: own}\n")
}

fn spent(scenario: &Scenario) -> f64 {
    let status = scenario.discussions(&["status", "d", "--json"]).code(0).json();
    status["cost"]["estimatedCostUsd"].as_f64().unwrap_or_default()
}

#[test]
fn answer_beyond_its_reservation_is_cut_and_paid_under_a_limit() {
    let keys = "retries: 0, max_tokens: 1000, price: {input: 1, output: 10}";
    let flood = "#!/bin/sh\ncat > /dev/null\nyes 'We look at it again.' | head -c 9000\n";
    let limited = scenario(flood, keys, 5.0);
    limited.discussions(&["turn", "d", "@architect"]).with_warnings().code(4);
    let file = limited.read("d.md");
    let failed = file.lines().find(|line| line.starts_with("<!-- FAILED")).unwrap();
    assert!(failed.contains("code: output_too_long"), "{failed}");
    assert!(failed.contains("1000 tokens reserved for it"), "{failed}");
    assert!(failed.contains("usd: ~0.03"), "what may have been paid is told: {failed}");
    // Without a money limit, it is an ordinary answer.
    let free = scenario(flood, keys, 5.0);
    free.write("d.md", free.read("d.md").replace("limits: {max_usd: 5}\n", "").as_bytes());
    free.discussions(&["turn", "d", "@architect"]).code(0);
}

#[test]
fn reported_cost_beyond_reservation_is_counted_and_ends_the_run() {
    let dear = r#"#!/bin/sh
cat > /dev/null
printf '{"result":"I looked.\\n\\nVOTE: CHANGES","total_cost_usd":0.4}'
"#;
    let keys = "retries: 0, price: {input: 1, output: 10}, output: {format: jsonl, text: /result, usd: /total_cost_usd}";
    let scenario = scenario(dear, keys, 1.0);
    let run = scenario.discussions(&["run", "d"]).code(1);
    let told = "own: cost more than was reserved for this call";
    assert_eq!(run.stderr().matches(told).count(), 1, "{} {}", run.stdout, run.stderr());
    assert!(
        run.stderr().contains("the remaining budget does not cover another call"),
        "{}",
        run.stderr()
    );
    // The three participants of the first turn are called together; no call follows.
    assert_eq!(scenario.read("d.md").matches("<!-- REPLY").count(), 3);
    assert!((spent(&scenario) - 1.2).abs() < 1e-6);
}

#[test]
fn reported_cost_that_is_no_money_is_refused_and_the_reservation_counts() {
    let liar = r#"#!/bin/sh
cat > /dev/null
echo >> "$HOME/n"
[ -e "$HOME/bad" ] || { printf '{"result":"I looked.\\n\\nVOTE: CHANGES","usd":0.02}'; exit 0; }
printf '{"result":"I looked.\\n\\nVOTE: CHANGES","usd":%s}' "$(cat "$HOME/bad")"
"#;
    let keys = "retries: 0, max_tokens: 1000, price: {input: 1, output: 10}, \
        output: {format: json, text: /result, usd: /usd}";
    for cost in ["-1000", "-0.0001", "1e308", "\"NaN\"", "true"] {
        let scenario = scenario(liar, keys, 0.08);
        scenario.write("../home/bad", cost.as_bytes());
        let ran = scenario.discussions(&["turn", "d", "@architect"]).code(0);
        let warned = "own reported a cost that is not an amount of money";
        assert!(ran.stderr().contains(warned), "{cost}: {}", ran.stderr());
        let file = scenario.read("d.md");
        let reply = file.lines().find(|line| line.starts_with("<!-- REPLY")).unwrap();
        assert!(reply.contains("usd: ~0.03"), "{cost}: the reservation is recorded: {reply}");
        assert!((0.03..0.05).contains(&spent(&scenario)), "{cost}: {}", spent(&scenario));
        // The limit of the head still ends the calls.
        for _ in 0..4 {
            scenario.discussions(&["turn", "d", "@architect"]).with_any_code().with_warnings();
        }
        assert!(spent(&scenario) <= 0.08, "{cost}: {}", spent(&scenario));
        assert_eq!(scenario.read("../home/n").lines().count(), 2, "{cost}");

        // Without a limit nothing is reserved, and the price list gives an estimate.
        let free = self::scenario(liar, keys, 0.08);
        free.write("d.md", free.read("d.md").replace("limits: {max_usd: 0.08}\n", "").as_bytes());
        free.write("../home/bad", cost.as_bytes());
        free.discussions(&["turn", "d", "@architect"]).code(0);
        assert!((0.0..0.01).contains(&spent(&free)), "{cost}: {}", spent(&free));
        assert!(free.read("d.md").contains("usd: ~0.0"), "{cost}: {}", free.read("d.md"));
    }
}

/// A program that prints its arguments, and with a small budget fails like `claude` at the end of its budget.
const FRUGAL: &str = r#"#!/bin/sh
cat > /dev/null
echo "$*" >> "$HOME/words"
[ -e "$HOME/poor" ] || { printf '{"failed": false, "said": "Yes."}'; exit 0; }
printf '{"failed": true, "why": ["Reached maximum budget ($%s)"], "usd": 0.75}' "$2"
exit 1
"#;

#[test]
fn program_is_given_its_reservation_and_failed_calls_count() {
    let keys = "retries: 2, max_tokens: 1000, budget: '--spend {max_usd}', price: {input: 1, output: 10}, \
        output: {format: json, text: /said, error: /failed, reason: /why/0, usd: /usd}";
    let limited = scenario(FRUGAL, keys, 0.5);
    let words = |scenario: &Scenario| scenario.read("../home/words");
    limited.discussions(&["turn", "d", "@architect"]).code(0);
    let told = words(&limited);
    let told: f64 = told.trim().strip_prefix("--spend ").expect(&told).parse().unwrap();
    // 20,000 tokens for the program itself, some for the prompt, and 1,000 for the answer.
    assert!((0.03..0.05).contains(&told), "{told}");

    limited.write("../home/poor", b"");
    limited.discussions(&["turn", "d", "@architect"]).with_warnings().code(4);
    let file = limited.read("d.md");
    let failed = file.lines().find(|line| line.starts_with("<!-- FAILED")).unwrap();
    assert!(failed.contains("code: budget_spent, retryable: false"), "{failed}");
    assert!(failed.contains("usd: ~0.75"), "{failed}");
    assert!(failed.contains("Reached maximum budget ($0.0"), "{failed}");
    assert!(failed.contains("it used all that was reserved for this call"), "{failed}");
    assert_eq!(words(&limited).lines().count(), 2, "it is not asked for more of the same");
    limited.discussions(&["turn", "d", "@architect"]).with_warnings().code(1);
    assert_eq!(words(&limited).lines().count(), 2, "nothing is left");

    // Without a limit the program gets no budget, but its reported cost still counts.
    let free = scenario(FRUGAL, keys, 5.0);
    free.write("d.md", free.read("d.md").replace("limits: {max_usd: 5}\n", "").as_bytes());
    free.write("../home/poor", b"");
    free.discussions(&["turn", "d", "@architect"]).with_warnings().code(4);
    assert_eq!(words(&free), "\n");
    assert!((spent(&free) - 0.75).abs() < 1e-9, "{}", spent(&free));
}

#[test]
fn program_without_a_price_is_given_the_remaining_budget() {
    let keys = "retries: 0, budget: '--spend {max_usd}', output: {format: json, text: /said}";
    let scenario = scenario(FRUGAL, keys, 0.5);
    scenario.discussions(&["turn", "d", "@architect", "--unpriced"]).code(0);
    assert_eq!(scenario.read("../home/words"), "--spend 0.500000\n");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts a model program for many calls"]
    fn recorded_cost_stays_below_limit_for_answers_of_any_length() {
        let mut random = 7_u64;
        let mut roll = |below: u64| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) % below
        };
        let (mut stopped, mut ended) = (0, 0);
        for seed in 0..5 {
            let (input, output) = (roll(10), 1 + roll(160));
            let most = 100 + roll(3000);
            // A program's own prompt is counted as 20,000 tokens.
            let call = (25_000 * input + most * output) as f64 / 1e6;
            let limit = call * (1.5 + roll(40) as f64 / 10.0);
            let keys = format!(
                "retries: 1, max_tokens: {most}, price: {{input: {input}, output: {output}}}"
            );
            let scenario = scenario(TALKER, &keys, limit);
            let plan: String = (0..12)
                .map(|_| format!("{}\n", [0, 1, 2, 9][roll(4) as usize] * roll(most)))
                .collect();
            scenario.write("../home/plan", plan.as_bytes());
            for args in [&["run", "d"][..], &["turn", "d", "@all"], &["turn", "d", "@all"]] {
                let run = scenario.discussions(args).with_any_code();
                stopped += usize::from(
                    run.stderr().contains("the remaining budget does not cover another call"),
                );
            }
            ended += scenario.read("d.md").matches("code: output_too_long").count();
            let spent = spent(&scenario);
            assert!(spent > 0.0 && spent <= limit + 1e-6, "seed {seed}: {spent} of {limit}");
        }
        assert!(stopped > 2 && ended > 2, "limits were reached: {stopped}, {ended}");
    }

    #[test]
    #[ignore = "slow: starts a model program for many calls"]
    fn unreadable_price_does_not_bypass_a_limit() {
        let keys = "price: {input: 1, output: 1}";
        let spent = |price: &str| {
            format!(
                "\n---\n\n<!-- TURN: 1, asks: [architect] -->\n\n---\n\nName: AI-Architect\n\
             <!-- REPLY turn: 1, provider: own, usd: {price} -->\n\nYes.\n\n---\n"
            )
        };
        for price in ["-1000", "NaN", "1e400", "0x1", "[1]"] {
            let scenario = scenario(TALKER, keys, 5.0);
            scenario.write("../home/plan", "20\n".repeat(12).as_bytes());
            let text = scenario.read("d.md") + &spent(price);
            scenario.write("d.md", text.as_bytes());
            for args in [&["turn", "d", "@security"][..], &["run", "d"]] {
                let refused = scenario.discussions(args);
                assert_ne!(refused.exit(), 0, "{price}");
                let why =
                    "the price of 1 recorded call is unknown: the recorded `usd` is not an amount";
                assert!(refused.stderr().contains(why), "{price}: {}", refused.stderr());
                assert!(
                    refused.stderr().contains("; add --unpriced"),
                    "{price}: {}",
                    refused.stderr()
                );
                assert!(!scenario.path("../home/n").exists(), "{price}: somebody was asked");
                assert_eq!(scenario.read("d.md"), text, "{price}");
            }
            // Users who accept unknown prices accept this one too.
            scenario.discussions(&["turn", "d", "@security", "--unpriced"]).code(0);
            assert!(scenario.path("../home/n").exists(), "{price}");
            // Without a money limit no price needs to be known.
            let text = text.replace("limits: {max_usd: 5}\n", "");
            scenario.write("d.md", text.as_bytes());
            scenario.discussions(&["turn", "d", "@security"]).code(0);
        }
        let scenario = scenario(TALKER, keys, 5.0);
        scenario.write("../home/plan", "20\n".repeat(12).as_bytes());
        scenario.write("d.md", (scenario.read("d.md") + &spent("0.5")).as_bytes());
        scenario.discussions(&["turn", "d", "@security"]).code(0);
    }
}

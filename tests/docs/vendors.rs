//! Programs in place of the vendors' models: they give the answers of an example in the formats of the real programs.

use regex::Regex;
use serde_json::json;

use crate::cli::Scenario;

const EXAMPLE: &str = include_str!("../../examples/second-look.md");

/// Prints the answer of a turn.
const PROGRAM: &str = "#!/bin/sh\ncat > /dev/null\ncat \"$HOME/answers/$DISCUSSIONS_TURN\"\n";

/// An answer of the example with the figures of its receipt.
pub(super) struct Answer {
    turn: u32,
    provider: String,
    pub(super) ms: u64,
    tokens: (u64, u64),
    pub(super) usd: f64,
    text: String,
}

/// Returns the answers of the example in their order.
pub(super) fn answers() -> Vec<Answer> {
    let receipt = Regex::new(
        r"(?s)---\n\nName: AI-\w+\n<!-- REPLY turn: (\d+), [^>]*?provider: ([\w-]+), [^>]*?ms: (\d+), tokens: (\d+)/(\d+), usd: ~?([\d.]+) -->\n\n(.*?)\n\n---\n",
    );
    let answers = receipt.unwrap();
    let answers = answers.captures_iter(EXAMPLE).map(|found| Answer {
        turn: found[1].parse().unwrap(),
        provider: found[2].to_owned(),
        ms: found[3].parse().unwrap(),
        tokens: (found[4].parse().unwrap(), found[5].parse().unwrap()),
        usd: found[6].parse().unwrap(),
        text: found[7].to_owned(),
    });
    answers.collect()
}

impl Answer {
    /// Returns the output of the program that gave the answer.
    fn output(&self) -> String {
        let (input, output) = self.tokens;
        let usage = json!({"input_tokens": input, "output_tokens": output});
        if self.provider == "codex" {
            let said = json!({"item": {"type": "agent_message", "text": self.text}});
            return format!("{said}\n{}\n", json!({"type": "turn.completed", "usage": usage}));
        }
        let usd = self.usd;
        format!(
            "{}\n",
            json!({"is_error": false, "result": self.text, "total_cost_usd": usd, "usage": usage})
        )
    }
}

/// Adds `claude` and `codex`, which answer as in the example, and a file with the example's facts.
pub(super) fn with_vendors(scenario: Scenario) -> Scenario {
    let scenario = scenario.program("claude", PROGRAM).program("codex", PROGRAM);
    for answer in answers() {
        let file = format!("../home/answers/{}", answer.turn);
        scenario.write(&file, answer.output().as_bytes());
    }
    let context = EXAMPLE.split("\n---\n").next().unwrap();
    let facts = context.split_once("night?\n\n").unwrap().1;
    scenario.file("facts.md", facts)
}

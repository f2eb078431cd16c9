//! How much of a long discussion a service's cache finds again.

use std::collections::HashMap;
use std::sync::Mutex;

use serde_json::{Value, json};

use super::fake::{Fake, ReceivedRequest, Step, stream};
use crate::cli::scenario::Scenario;

const SEATS: usize = 6;
const TURNS: usize = 20;
/// The number of blocks that are searched before a mark.
const LOOKS_BACK: usize = 20;
/// The maximum number of marks in a request.
const MOST_MARKS: usize = 4;

/// A cache like Anthropic's: it keeps the text before a mark and finds it again only at ends of blocks. Parallel calls
/// find nothing of each other.
#[derive(Default)]
struct Cache {
    asked: usize,
    /// Beginnings of prompts by model, with the turn in which they were stored.
    kept: HashMap<(String, String), usize>,
    bytes: usize,
    paid: usize,
}

impl Cache {
    fn answer(&mut self, asked: &ReceivedRequest) -> String {
        let turn = self.asked / SEATS;
        self.asked += 1;
        let model = asked.body["model"].as_str().unwrap().to_owned();
        let content = asked.body["messages"][0]["content"].as_array().unwrap();
        let mut ends = Vec::new();
        let mut text = String::new();
        for block in content {
            text.push_str(block["text"].as_str().unwrap());
            ends.push(text.len());
        }
        let is_marked = |block: &Value| block.get("cache_control").is_some();
        let marks: Vec<usize> = (0..content.len()).filter(|&at| is_marked(&content[at])).collect();
        assert!((1..=MOST_MARKS).contains(&marks.len()), "{} marks", marks.len());
        let looked_at = marks.iter().flat_map(|&mark| mark.saturating_sub(LOOKS_BACK)..=mark);
        let known = |end: &usize| {
            let kept = self.kept.get(&(model.clone(), text[..*end].to_owned()));
            kept.is_some_and(|&kept| kept < turn)
        };
        let found = looked_at.map(|at| ends[at]).filter(known).max().unwrap_or(0);
        for mark in marks {
            let beginning = text[..ends[mark]].to_owned();
            self.kept.entry((model.clone(), beginning)).or_insert(turn);
        }
        self.bytes += text.len();
        self.paid += text.len() - found;
        let usage = json!({
            "input_tokens": text.len() - found, "cache_read_input_tokens": found, "output_tokens": 1,
        });
        // Each answer is different and as long as usual.
        let words = format!("Point {} is what I would look at next. ", self.asked).repeat(12);
        let said =
            json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": words}});
        let start = json!({"type": "message_start", "message": {"model": model, "usage": usage}});
        let end = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 90}});
        [start, said, end].map(|event| format!("data: {event}\n\n")).concat()
    }
}

/// The percentage of all prompt bytes that are paid in full.
fn percent_paid(models: usize, turns: usize) -> f64 {
    let cache: &'static Mutex<Cache> = Box::leak(Box::default());
    let fake = Fake::new(move |_, asked| {
        let said = cache.lock().unwrap().answer(asked);
        vec![Step::Send(stream(&said, 4000))]
    });
    let seats = ["architect", "security", "pragmatist", "perfectionist", "designer", "moderator"];
    let own: String = (0..models)
        .map(|model| {
            let url = fake.url();
            format!("  - {{name: m{model}, api: anthropic, model: m{model}, url: '{url}', concurrency: 64}}\n")
        })
        .collect();
    let dealt: Vec<String> =
        seats.iter().enumerate().map(|(at, seat)| format!("{seat}: m{}", at % models)).collect();
    let scenario = Scenario::new().alone();
    scenario.write("../config/providers.yaml", format!("providers:\n{own}").as_bytes());
    let text = format!(
        "<!-- DISCUSSION\ntemplate: feature\nparticipants: [{}]\nproviders: {{{}}}\n-->\n\n# D\n\n## Context\n{}\n",
        seats.join(", "),
        dealt.join(", "),
        "We poll every minute and want to be told instead. ".repeat(20),
    );
    let scenario = scenario.file("d.md", &text).file("discussions.yaml", "author: Rob\n");
    for _ in 0..turns {
        scenario.discussions(&["turn", "d", "@all"]).code(0);
    }
    let cache = cache.lock().unwrap();
    assert_eq!(cache.asked, SEATS * turns);
    let file = scenario.read("d.md");
    let told = |key: &str| -> usize {
        let values = file.lines().filter(|line| line.starts_with("<!-- REPLY")).map(|line| {
            let value = line.split(&format!("{key}: ")).nth(1).unwrap();
            value.split([',', '/', ' ']).next().unwrap().parse::<usize>().unwrap()
        });
        values.sum()
    };
    assert_eq!(told("tokens"), cache.bytes, "what was sent is what the file says");
    assert_eq!(told("cached"), cache.bytes - cache.paid, "and what was found again");
    100.0 * cache.paid as f64 / cache.bytes as f64
}

/// Each of the few prompts costs more than later ones do, because less of it was stored before.
#[test]
fn second_and_third_turn_find_the_first_one_in_the_cache() {
    let paid = percent_paid(1, 3);
    assert!(paid <= 70.0, "{paid:.1} %");
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: starts the program for many calls over HTTP"]
    fn long_discussion_of_six_pays_at_most_a_fifth_uncached() {
        for models in [1, 3] {
            let paid = percent_paid(models, TURNS);
            println!("{models} model(s): {paid:.1} % paid in full");
            assert!(paid <= 20.0, "{models} model(s): {paid:.1} %");
        }
    }
}

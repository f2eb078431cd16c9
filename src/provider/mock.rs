//! The built-in mock provider, for trying things out and for tests. It calls no model, and meets
//! all demands of a prompt.

mod topic;

use self::topic::Topic;
use super::{
    Availability, CallContext, CallError, CallFuture, Environment, FailureCode, Provider,
    ProviderName, Reply, Request,
};
use crate::transcript::Marker;

/// The sentence that is in every answer.
const NOTICE: &str = "*No model spoke here: this is the built-in mock.*";

/// Reasons, chosen by a hash too.
const REASONS: [&str; 5] = [
    "It can be undone if it turns out wrong.",
    "It is easy to test, so we will know soon.",
    "It leaves the parts that work as they are.",
    "It says who does what, which saves a second discussion.",
    "It costs little now and keeps the other options open.",
];

/// A provider that answers every prompt at once with a short comment. The comment depends only on the prompt and the
/// call's context, and has a valid example of every marker that the prompt demands.
#[derive(Debug)]
pub(super) struct Mock {
    name: ProviderName,
}

impl Mock {
    /// Creates the mock with the name under which it is defined.
    pub(super) fn new(name: ProviderName) -> Self {
        Self { name }
    }
}

impl Provider for Mock {
    fn name(&self) -> &ProviderName {
        &self.name
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            if request.deadline.is_zero() {
                return Err(CallError::new(FailureCode::Timeout, "no time was left for the call"));
            }
            let text = answer(&request.prefix, request.tail, request.context);
            if let Some(on_text) = request.on_text {
                on_text(&text);
            }
            Ok(Reply { text, model: Some("mock".to_owned()), ..Reply::default() })
        })
    }

    fn availability(&self, _env: &Environment) -> Availability {
        Availability::Ready { through: None }
    }
}

fn answer(material: &str, prompt: &str, context: &CallContext) -> String {
    let who = context.participant.as_str();
    let seed = hash([who, &context.phase, &context.turn.to_string()]);
    if asks_for_findings(prompt) {
        return quotable(material)
            .map_or_else(|| "No findings.\n".to_owned(), |line| finding(line, seed));
    }
    let demanded = demands(prompt);
    let vote = demanded.iter().find(|demand| demand.marker == "VOTE");
    let option = vote.and_then(|demand| demand.options.first()).map(String::as_str);
    let topic = Topic::of(material, prompt, option);
    let mut text = String::new();
    if demanded.is_empty() {
        for marker in lines_of_text(prompt) {
            let demand = MockDemand { marker, options: Vec::new() };
            text.push_str(&format!("{}: {}\n\n", demand.marker, value(&demand, &topic, seed)));
        }
    }
    text.push_str(&format!("{} {}\n\n{NOTICE}\n", topic.opening(seed), pick(&REASONS, seed / 4)));
    // The vote comes last, because people look for it there.
    let (votes, others): (Vec<_>, Vec<_>) =
        demanded.into_iter().partition(|demand| demand.marker == "VOTE");
    for demand in others.iter().chain(&votes) {
        text.push_str(&format!("\n{}: {}\n", demand.marker, value(demand, &topic, seed)));
    }
    text
}

/// Returns one finding about a line, so that the phases after a review run too.
fn finding(line: &str, seed: u64) -> String {
    format!("### Finding 1\n\n> {line}\n\nProof: {NOTICE}\n\nInstead: {}\n", pick(&REASONS, seed))
}

/// Returns a valid value for a marker.
fn value(demand: &MockDemand, topic: &Topic, seed: u64) -> String {
    if let Some(first) = demand.options.first() {
        return first.clone();
    }
    match demand.marker.as_str() {
        "VOTE" => "READY".to_owned(),
        "CONFIDENCE" => format!("0.{}", 6 + seed % 4),
        "DECISION" => topic.decision(),
        "SOLUTION" => format!("{}. It can be undone if it turns out wrong.", topic.decision()),
        word => {
            let marker = Marker::built_in(word);
            let example = |marker: Marker| {
                let has_range = marker.value().range().is_some();
                marker.sample().or(has_range.then(|| marker.example()))
            };
            marker.and_then(example).unwrap_or("an example of the mock").to_owned()
        }
    }
}

fn pick<'t>(texts: &[&'t str], seed: u64) -> &'t str {
    texts[(seed % texts.len() as u64) as usize]
}

/// Returns the FNV-1a hash, which is equal on every machine and in every version.
fn hash<'t>(parts: impl IntoIterator<Item = &'t str>) -> u64 {
    let bytes = parts.into_iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The beginning of the line that lists the demanded markers at the end of a prompt.
const LABEL: &str = "Your comment needs:";

/// One demanded marker.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MockDemand {
    /// The marker's word, without the colon.
    marker: String,
    /// The allowed values, in order; empty if any value is allowed.
    options: Vec<String>,
}

/// The heading that a task shows if it asks for findings.
const FINDING: &str = "\n### Finding 1\n";

/// Returns true if a task asks for findings about a text.
pub(super) fn asks_for_findings(task: &str) -> bool {
    task.contains(FINDING)
}

/// Returns the first line of the text that a prompt shows, or else of the question below its title.
pub(super) fn quotable(material: &str) -> Option<&str> {
    let below = |heading: &str| Some(material.rsplit_once(heading)?.1);
    let text = below("\n# The text\n").or_else(|| below("\n# The question\n"))?;
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| line.contains(char::is_alphanumeric) && !line.starts_with('#'))
}

/// Returns the markers that the task of a text names: `DECISION` for the words "the `DECISION:` line" or "the line
/// `DECISION: ...`". A text has no list of markers.
pub(super) fn lines_of_text(task: &str) -> Vec<String> {
    let named = task.match_indices(":` line").filter_map(|(at, _)| task[..at].rsplit_once('`'));
    let shown = task.match_indices("the line `").filter_map(|(at, found)| {
        task[at + found.len()..].split_once(':').map(|(word, _)| ("", word))
    });
    let mut words: Vec<String> = Vec::new();
    for (_, word) in named.chain(shown) {
        let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase());
        if is_word && words.iter().all(|known| known != word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// Returns the markers that a line like `Your comment needs: VOTE (A | B), CONFIDENCE` asks for. The last such line
/// counts, because earlier ones may be quoted material.
fn demands(prompt: &str) -> Vec<MockDemand> {
    let line = prompt.lines().rev().find_map(|line| {
        let line = line.trim().trim_start_matches(['*', '-', ' ']);
        line.strip_prefix(LABEL)
    });
    let mut found: Vec<MockDemand> = Vec::new();
    for item in line.into_iter().flat_map(items) {
        let (word, options) = match item.split_once('(') {
            Some((word, rest)) => (word, rest.rsplit_once(')').map_or(rest, |(inside, _)| inside)),
            None => (item, ""),
        };
        let Some(marker) = word.split_whitespace().next() else { continue };
        let marker = marker.trim_matches(['*', '`', ':', '.']).to_owned();
        let is_word = marker.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '_' | '-'));
        if marker.is_empty() || !is_word || found.iter().any(|demand| demand.marker == marker) {
            continue;
        }
        // The text in brackets lists options if the marker is `VOTE` or if it contains a bar. Otherwise it is a remark
        // such as `(1-5)`.
        let is_choice = marker == "VOTE" || options.contains('|');
        let options = options
            .split('|')
            .map(|option| option.trim().trim_matches('`').to_owned())
            .filter(|option| is_choice && !option.is_empty())
            .collect();
        found.push(MockDemand { marker, options });
    }
    found
}

/// Splits a list at the commas outside of brackets.
fn items(list: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    list.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::ToolPermissions;
    use crate::transcript::Alias;

    fn context(who: &str, phase: &str) -> CallContext {
        CallContext {
            participant: Alias::parse(who).unwrap(),
            phase: phase.to_owned(),
            turn: 1,
            file: "a.md".into(),
            temperature: None,
            reach: ToolPermissions::default(),
        }
    }

    #[test]
    fn equal_calls_get_equal_answers() {
        let once = answer("", "prompt", &context("architect", "review"));
        assert_eq!(once, answer("", "prompt", &context("architect", "review")));
        assert!(once.contains("No model spoke"));
    }

    #[test]
    fn answers_vary_with_the_speaker_and_the_phase() {
        let speakers = ["architect", "security", "pragmatist", "designer"];
        let answers: std::collections::BTreeSet<_> =
            speakers.iter().map(|who| answer("", "", &context(who, "review"))).collect();
        assert!(answers.len() > 2, "{answers:?}");
    }

    #[test]
    fn demanded_markers_are_answered_with_valid_examples() {
        let prompt = "...\nYour comment needs: VOTE (YES | NO), CONFIDENCE, RATING (1-5), RISK\n";
        let text = answer("", prompt, &context("a", "b"));
        assert!(text.ends_with("\nVOTE: YES\n"), "{text}");
        assert!(text.contains("\nCONFIDENCE: 0."), "{text}");
        assert!(text.contains("\nRATING: 4\n"), "{text}");
        assert!(text.contains("\nRISK: low"), "{text}");
    }

    #[test]
    fn findings_quote_the_text_and_texts_begin_with_their_decision() {
        let shown = "rules\n# The question\n\n# Tea?\n\n# The text\n\nDrink tea.\n";
        let task = "# Your task: Objections\n\n### Finding 1\n\n> the exact words\n";
        let text = answer(shown, task, &context("a", "objections"));
        assert!(text.starts_with("### Finding 1\n\n> Drink tea.\n\nProof: "), "{text}");
        assert_eq!(answer("", task, &context("a", "objections")), "No findings.\n");
        let text = answer(shown, "Begin with the `DECISION:` line.", &context("a", "final"));
        assert!(
            text.starts_with("DECISION: on “Tea?”, take the smallest useful step first\n\n"),
            "{text}"
        );
        let text = answer("", "Begin with the `DECISION:` line.", &context("a", "final"));
        assert!(text.starts_with("DECISION: go on as outlined\n\n"), "{text}");
    }

    fn record(title: &str) -> String {
        format!("rules\n\n===== THE RECORD BEGINS =====\n# {title}\n\nWhy.\n")
    }

    #[test]
    fn decision_of_a_vote_names_the_winner() {
        let material = record("UUIDv7 or bigint for new tables?");
        let material = material.replace("# UUID", "# The question\n\n# UUID");
        let count = |told: &str| {
            let task = format!(
                "A program has counted the ballots; do not count again. Votes cast: x 3. {told}\n\nThe `DECISION:` line.\n"
            );
            answer(&material, &task, &context("moderator", "synthesis"))
        };
        let text = count("Weighted by confidence, bigint wins.");
        assert!(text.starts_with("DECISION: bigint, which most votes support\n"), "{text}");
        assert!(text.contains("new tables"), "{text}");
        let text = count("It is a tie, also by confidence, between bigint and UUIDv7: decide it.");
        assert!(text.starts_with("DECISION: bigint\n"), "{text}");
        let text = count("Nothing is decided: bigint leads, but without the votes.");
        assert!(text.starts_with("DECISION: nothing is decided yet\n"), "{text}");
    }

    #[test]
    fn answers_name_their_question() {
        for title in ["UUIDv7 or bigint?", "How do we deploy?", "Add user authentication"] {
            for (who, task) in [
                ("architect", "Your comment needs: VOTE (READY | CHANGES), CONFIDENCE\n"),
                ("security", "Begin with the `DECISION:` line."),
                ("pragmatist", ""),
            ] {
                let text = answer(&record(title), task, &context(who, "review"));
                assert!(text.contains(title), "{text}");
                assert!(!text.contains("outlined"), "{text}");
            }
        }
        let ballot = "Your comment needs: VOTE (Kafka | NATS), CONFIDENCE\n";
        let text = answer(&record("Which queue?"), ballot, &context("a", "ballot"));
        assert!(text.contains("Kafka") && text.ends_with("\nVOTE: Kafka\n"), "{text}");
        let asked = "# Your task: answer what you were asked\n\nRob asks you: @a, which `tables` first?\nAnswer this.\n";
        let text = answer(&record("Which queue?"), asked, &context("a", "mentions"));
        assert!(text.contains("“a, which tables first?”"), "a mention would ask again: {text}");
    }

    #[test]
    fn undemanded_markers_are_not_written() {
        assert!(!answer("", "Vote if you like. VOTE: READY", &context("a", "b")).contains("VOTE"));
    }

    fn listed_demands(prompt: &str) -> Vec<(String, Vec<String>)> {
        demands(prompt).into_iter().map(|d| (d.marker, d.options)).collect()
    }

    #[test]
    fn markers_with_and_without_options_are_found() {
        assert_eq!(
            listed_demands(
                "Your comment needs: VOTE (Rust | Go, maybe), CONFIDENCE (0 to 1), RATING.\n"
            ),
            [
                ("VOTE".to_owned(), vec!["Rust".to_owned(), "Go, maybe".to_owned()]),
                ("CONFIDENCE".to_owned(), vec![]),
                ("RATING".to_owned(), vec![]),
            ]
        );
    }

    #[test]
    fn only_the_last_demand_line_counts() {
        let prompt = "Your comment needs: RISK\n\nYour comment needs: Q\nmore\n";
        assert_eq!(listed_demands(prompt), [("Q".to_owned(), vec![])]);
        assert_eq!(
            listed_demands("Your comment needs: VOTE (Go)"),
            [("VOTE".to_owned(), vec!["Go".to_owned()])]
        );
        assert_eq!(listed_demands("no such line"), []);
        assert_eq!(listed_demands("Your comment needs: none"), []);
    }

    #[test]
    fn task_of_a_text_names_its_lines() {
        let task = "Begin with the `DECISION:` line. Keep the `DECISION:` line first.";
        assert_eq!(lines_of_text(task), ["DECISION"]);
        assert_eq!(lines_of_text("The text begins with the line `DECISION: go`."), ["DECISION"]);
        assert_eq!(lines_of_text("`- TODO: @alias` is a line"), [""; 0]);
    }

    #[test]
    fn finding_quotes_the_text_before_the_question() {
        let question = "\n# The question\n\n# Tea?\n\nWe are tired.\n";
        assert_eq!(quotable(question), Some("We are tired."));
        let both = format!("{question}\n# The text\n\n## Plan\n\nDrink tea.\nSleep.\n");
        assert_eq!(quotable(&both), Some("Drink tea."));
        assert_eq!(quotable("no material"), None);
    }
}

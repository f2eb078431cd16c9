//! The built-in mock, which answers without a model what a prompt demands: for trying things out and for tests.

use super::{
    Availability, CallContext, CallError, CallFuture, Environment, FailureCode, Provider,
    ProviderName, Reply, Request,
};
use crate::transcript::Marker;

/// The sentence that is in every answer.
const NOTICE: &str = "*No model spoke here: this is the built-in mock.*";

/// Openings, chosen by a hash of participant and phase.
const OPENINGS: [&str; 4] = [
    "The outline holds together, and I see no reason to wait.",
    "This is workable; the smallest useful part of it should come first.",
    "I read it twice and would keep the plan, with its limits written down.",
    "The direction is right, and what is left open can be settled on the way.",
];

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
            let text = answer(request.tail, request.context);
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

fn answer(prompt: &str, context: &CallContext) -> String {
    let who = context.participant.as_str();
    let seed = hash([who, &context.phase, &context.turn.to_string()]);
    let mut text = format!(
        "{} {}\n\n{NOTICE}\n",
        pick(&OPENINGS, seed),
        pick(&REASONS, seed / OPENINGS.len() as u64)
    );
    // The vote comes last, because people look for it there.
    let (votes, others): (Vec<_>, Vec<_>) =
        demands(prompt).into_iter().partition(|demand| demand.marker == "VOTE");
    for demand in others.iter().chain(&votes) {
        text.push_str(&format!("\n{}: {}\n", demand.marker, value(demand, seed)));
    }
    text
}

/// Returns a valid value for a marker.
fn value(demand: &MockDemand, seed: u64) -> String {
    if let Some(first) = demand.options.first() {
        return first.clone();
    }
    match demand.marker.as_str() {
        "VOTE" => "READY".to_owned(),
        "CONFIDENCE" => format!("0.{}", 6 + seed % 4),
        "RATING" => "4".to_owned(),
        "RISK" => "low - a mock sees no danger".to_owned(),
        "MISSING" => "none".to_owned(),
        "Q" => "Who looks after this once it runs?".to_owned(),
        "DECISION" => "go on as outlined".to_owned(),
        "SOLUTION" => "do what the outline says, smallest part first".to_owned(),
        "CONCERN" => "nothing here was weighed by a model".to_owned(),
        "TODO" => "write down what was agreed".to_owned(),
        word => match Marker::built_in(word).filter(|marker| marker.value().range().is_some()) {
            Some(marker) => marker.example().to_owned(),
            None => "an example of the mock".to_owned(),
        },
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
const LABEL: &str = "Markers demanded:";

/// One demanded marker.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MockDemand {
    /// The marker's word, without the colon.
    marker: String,
    /// The allowed values, in order; empty if any value is allowed.
    options: Vec<String>,
}

/// Returns the markers that a line like `Markers demanded: VOTE (A | B), CONFIDENCE` asks for. The last such line
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
        let once = answer("prompt", &context("architect", "review"));
        assert_eq!(once, answer("prompt", &context("architect", "review")));
        assert!(once.contains("No model spoke"));
    }

    #[test]
    fn answers_vary_with_the_speaker_and_the_phase() {
        let speakers = ["architect", "security", "pragmatist", "designer"];
        let answers: std::collections::BTreeSet<_> =
            speakers.iter().map(|who| answer("", &context(who, "review"))).collect();
        assert!(answers.len() > 2, "{answers:?}");
    }

    #[test]
    fn demanded_markers_are_answered_with_valid_examples() {
        let prompt = "...\nMarkers demanded: VOTE (YES | NO), CONFIDENCE, RATING (1-5), RISK\n";
        let text = answer(prompt, &context("a", "b"));
        assert!(text.ends_with("\nVOTE: YES\n"), "{text}");
        assert!(text.contains("\nCONFIDENCE: 0."), "{text}");
        assert!(text.contains("\nRATING: 4\n"), "{text}");
        assert!(text.contains("\nRISK: low"), "{text}");
    }

    #[test]
    fn undemanded_markers_are_not_written() {
        assert!(!answer("Vote if you like. VOTE: READY", &context("a", "b")).contains("VOTE"));
    }

    fn listed_demands(prompt: &str) -> Vec<(String, Vec<String>)> {
        demands(prompt).into_iter().map(|d| (d.marker, d.options)).collect()
    }

    #[test]
    fn markers_with_and_without_options_are_found() {
        assert_eq!(
            listed_demands(
                "Markers demanded: VOTE (Rust | Go, maybe), CONFIDENCE (0 to 1), RATING.\n"
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
        let prompt = "Markers demanded: RISK\n\nMarkers demanded: Q\nmore\n";
        assert_eq!(listed_demands(prompt), [("Q".to_owned(), vec![])]);
        assert_eq!(
            listed_demands("Markers demanded: VOTE (Go)"),
            [("VOTE".to_owned(), vec!["Go".to_owned()])]
        );
        assert_eq!(listed_demands("no such line"), []);
        assert_eq!(listed_demands("Markers demanded: none"), []);
    }
}

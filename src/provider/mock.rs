//! The built-in mock, which answers without a model: for trying things out and for tests.

mod demands;

use self::demands::{MockDemand, asks_for_findings, demands, lines_of_text, quotable};
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
    let mut text = String::new();
    if demanded.is_empty() {
        for marker in lines_of_text(prompt) {
            let demand = MockDemand { marker, options: Vec::new() };
            text.push_str(&format!("{}: {}\n\n", demand.marker, value(&demand, seed)));
        }
    }
    text.push_str(&format!(
        "{} {}\n\n{NOTICE}\n",
        pick(&OPENINGS, seed),
        pick(&REASONS, seed / OPENINGS.len() as u64)
    ));
    // The vote comes last, because people look for it there.
    let (votes, others): (Vec<_>, Vec<_>) =
        demanded.into_iter().partition(|demand| demand.marker == "VOTE");
    for demand in others.iter().chain(&votes) {
        text.push_str(&format!("\n{}: {}\n", demand.marker, value(demand, seed)));
    }
    text
}

/// Returns one finding about a line, so that the phases after a review run too.
fn finding(line: &str, seed: u64) -> String {
    format!("### Finding 1\n\n> {line}\n\nProof: {NOTICE}\n\nInstead: {}\n", pick(&REASONS, seed))
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
        assert!(text.starts_with("DECISION: go on as outlined\n\n"), "{text}");
    }

    #[test]
    fn undemanded_markers_are_not_written() {
        assert!(!answer("", "Vote if you like. VOTE: READY", &context("a", "b")).contains("VOTE"));
    }
}

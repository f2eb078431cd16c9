//! What a prompt says about markers.

use indexmap::IndexMap;

use crate::template::Demand;
use crate::transcript::{Choice, Marker};

/// The line that names the demanded markers, and the form of each.
pub(super) fn demands(asks: &IndexMap<String, Demand>, options: &[Choice]) -> String {
    let words: Vec<&str> = options.iter().map(Choice::as_str).collect();
    let choice = words.join(" | ");
    if asks.is_empty() {
        return format!(
            "\nYou may end with a vote where there is a proposal to vote on: one of {choice}.\n"
        );
    }
    let named: Vec<String> = asks
        .keys()
        .map(|word| match range(word, &choice) {
            Some(range) => format!("{word} ({range})"),
            None => word.clone(),
        })
        .collect();
    let mut out = format!(
        "\nMarkers demanded: {}\nEach begins a line of its own, outside lists, quotes and code.",
        named.join(", ")
    );
    let required: Vec<&str> = asks
        .iter()
        .filter(|(_, demand)| **demand == Demand::Required)
        .map(|(word, _)| word.as_str())
        .collect();
    if !required.is_empty() {
        out.push_str(&format!(" An answer without {} is sent back.", required.join(" or ")));
    }
    let examples: Vec<String> = asks
        .keys()
        .filter(|word| *word != "VOTE")
        .map(|word| format!("{word}: {}\n", Marker::of(word).example()))
        .collect();
    if !examples.is_empty() {
        out.push_str(&format!(" Examples:\n\n{}", examples.concat()));
    }
    // All options are shown: a single example would draw votes to itself.
    if asks.contains_key("VOTE") {
        let lines: Vec<String> = words.iter().map(|word| format!("VOTE: {word}")).collect();
        let lead = if examples.is_empty() { " " } else { "\n" };
        out.push_str(&format!(
            "{lead}The vote comes last, exactly one of:\n\n{}",
            lines.join("\n")
        ));
        out.push('\n');
    }
    out
}

/// What may stand behind a marker.
fn range(word: &str, choice: &str) -> Option<String> {
    match Marker::of(word) {
        Marker::Vote => Some(choice.to_owned()),
        marker => marker.value().range().map(str::to_owned),
    }
}

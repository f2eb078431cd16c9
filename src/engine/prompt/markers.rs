//! Describes the markers in a prompt: only the requested ones, and no other.

use indexmap::IndexMap;

use crate::engine::snapshot::Snapshot;
use crate::state::Turn;
use crate::template::Demand;
use crate::transcript::{Alias, Choice, Marker, MarkerValue};

/// Returns the list of requested markers, the format of each, and the instructions for the vote.
pub(super) fn demands(
    snapshot: &Snapshot,
    turn: &Turn,
    alias: &Alias,
    asks: &IndexMap<String, Demand>,
    instructions: &str,
) -> String {
    let options = &snapshot.config.options[turn.phase];
    let mut out = String::new();
    if !asks.is_empty() {
        let named: Vec<String> = asks.keys().map(|word| describe_marker(word, options)).collect();
        out.push_str(&format!("\nYour comment needs: {}\n", named.join(", ")));
    }
    let items: String = asks
        .keys()
        .filter(|word| *word != VOTE && !is_shown(word, instructions))
        .map(|word| format!("- {word}: {}\n", Marker::of(word).example()))
        .collect();
    if !items.is_empty() {
        out.push_str(&format!("\nAs list items:\n\n{items}"));
    }
    if asks.contains_key(VOTE) {
        vote(snapshot, alias, options, instructions, &mut out);
    } else if snapshot.template().phases[turn.phase].asks.contains_key(VOTE) {
        out.push_str("\nThe other participants vote now; you do not.\n");
    }
    let required: Vec<&str> = asks
        .iter()
        .filter(|(_, demand)| **demand == Demand::Required)
        .map(|(word, _)| word.as_str())
        .collect();
    if !required.is_empty() {
        out.push_str(&format!("\nA comment without {} is rejected.\n", required.join(" and ")));
    } else if asks.contains_key(VOTE) {
        out.push_str("\nVote only if your position is clear.\n");
    }
    out
}

/// Returns instructions for the marker lines that a text needs, except for markers that the phase's
/// instructions already describe.
pub(super) fn demands_of_text(asks: &IndexMap<String, Demand>, instructions: &str) -> String {
    let mut out = String::new();
    for word in asks.keys().filter(|word| !is_shown(word, instructions)) {
        let example = Marker::of(word).example();
        out.push_str(&format!("\nThe text begins with the line `{word}: {example}`.\n"));
    }
    out
}

const VOTE: &str = "VOTE";

/// Returns true if the instructions themselves say where the marker goes. A second format next to
/// them could contradict them.
fn is_shown(word: &str, instructions: &str) -> bool {
    let is_text = Marker::of(word).value() == MarkerValue::Text;
    is_text && instructions.contains(&format!("`{word}:` line"))
}

/// Returns a marker's word, with the values that may follow it.
fn describe_marker(word: &str, options: &[Choice]) -> String {
    let marker = Marker::of(word);
    let range = if marker == Marker::Vote {
        let words: Vec<&str> = options.iter().map(Choice::as_str).collect();
        Some(words.join(" | "))
    } else {
        marker.value().range().map(str::to_owned)
    };
    range.map_or_else(|| word.to_owned(), |range| format!("{word} ({range})"))
}

/// Appends the instructions for the vote. They list all options: a single example would bias the votes.
fn vote(
    snapshot: &Snapshot,
    alias: &Alias,
    options: &[Choice],
    instructions: &str,
    out: &mut String,
) {
    let lines: String = options.iter().map(|option| format!("VOTE: {option}\n")).collect();
    out.push_str(&format!("\nYour vote is one of these lines, alone at the end:\n\n{lines}"));
    if !is_usual(options) {
        return;
    }
    let votes = snapshot.config.persona(alias).map_or("", |persona| persona.votes.trim());
    if !votes.is_empty() {
        out.push_str(&format!("\nYou vote {votes}\n"));
    } else if !options.iter().all(|option| instructions.contains(option.as_str())) {
        out.push_str("\nREADY: go ahead. CHANGES: go ahead after the changes that you name. REJECT: the basis is wrong; say why.\n");
    }
}

/// Returns true for the default options, which a persona's own voting rules refer to.
fn is_usual(options: &[Choice]) -> bool {
    let words: Vec<&str> = options.iter().map(Choice::as_str).collect();
    words == ["READY", "CHANGES", "REJECT"]
}

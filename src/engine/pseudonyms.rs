//! The labels of participants in an anonymous view, `P1`, `P2` and so on, and their replacement by names.

use std::collections::BTreeMap;

use super::prose::Words;
use super::snapshot::Snapshot;
use super::view::Cut;
use crate::state::Turn;
use crate::transcript::Alias;

/// The letters in front of the numbers, in order of preference. None of them has another meaning in
/// the format (`Q1` is a question, `D1` a decision).
const PREFIXES: [&str; 7] = ["P", "X", "Y", "Z", "PX", "PY", "PZ"];

/// The replacement of labels by names in a comment: the file contains names, although the prompt did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pseudonyms(Vec<(String, String)>);

impl Pseudonyms {
    /// Returns the names for the labels in the prompts of a turn. There are none if the template is
    /// not anonymous, or if the answers are texts for a reader, which no program rewrites.
    pub(crate) fn of(snapshot: &Snapshot, turn: &Turn) -> Self {
        let phase = &snapshot.template().phases[turn.phase];
        if !snapshot.template().anonymous || phase.is_text_in(turn) {
            return Self::default();
        }
        let pairs =
            labels(snapshot, Cut::of(snapshot, turn)).into_iter().flat_map(|(alias, label)| {
                let name = snapshot.config.name_of(&alias).to_owned();
                [(mention(&label), format!("@{alias}")), (label, name)]
            });
        Self(pairs.collect())
    }

    /// Replaces labels in a body by names and aliases. Code and addresses stay unchanged.
    pub(crate) fn text(&self, body: &str) -> String {
        if self.0.is_empty() { body.to_owned() } else { Words::new(self.0.clone()).replace(body) }
    }
}

/// Returns the labels of all participants, in the order of the head. If the question or a comment
/// up to the cut already contains one of these labels as a word, all labels get another prefix.
pub(super) fn labels(snapshot: &Snapshot, cut: Cut) -> BTreeMap<Alias, String> {
    let mut numbers: BTreeMap<Alias, usize> = BTreeMap::new();
    for alias in snapshot.config.seats().chain(snapshot.config.roles.values().flatten()) {
        let next = numbers.len() + 1;
        numbers.entry(alias.clone()).or_insert(next);
    }
    let start = snapshot.transcript.preamble.start.min(cut.0);
    let text = &snapshot.transcript.text[start..cut.0];
    let free = PREFIXES.into_iter().find(|prefix| !has_label(text, prefix, numbers.len()));
    let prefix = free.unwrap_or("Participant-");
    numbers.into_iter().map(|(alias, number)| (alias, format!("{prefix}{number}"))).collect()
}

/// Returns true if a text contains the prefix and a number up to `most` as a word.
fn has_label(text: &str, prefix: &str, most: usize) -> bool {
    text.match_indices(prefix).any(|(at, _)| {
        let inner = |c: char| c.is_alphanumeric() || c == '_';
        let rest = &text[at + prefix.len()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: Option<usize> = rest[..digits].parse().ok();
        number.is_some_and(|number| (1..=most).contains(&number))
            && !text[..at].ends_with(inner)
            && !rest[digits..].starts_with(inner)
    })
}

/// Returns the form in which a label is mentioned.
pub(super) fn mention(label: &str) -> String {
    format!("@{}", label.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_is_found_only_as_a_whole_word() {
        for (text, found) in [
            ("P1 says", true),
            ("(P3)", true),
            ("P4", false),
            ("P10", false),
            ("P01", true),
            ("xP1", false),
            ("P1a", false),
            ("p1", false),
            ("@P2", true),
            ("", false),
        ] {
            assert_eq!(has_label(text, "P", 3), found, "{text}");
        }
    }
}

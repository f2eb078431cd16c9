//! The markers that an answer needs.

use indexmap::IndexMap;

use super::prompt::HEADER;
use super::snapshot::Snapshot;
use crate::state::{CommentFacts, Turn, Typed};
use crate::template::{DecidedBy, Demand};
use crate::transcript::Alias;
use crate::transcript::Marker;

/// Returns the markers to request from one participant: those of the phase, and a decision from the participant that
/// decides.
///
/// A participant that answers a mention is asked for no markers, and one without the right to vote is asked for no
/// vote.
pub(super) fn demanded(
    snapshot: &Snapshot,
    turn: &Turn,
    alias: &Alias,
) -> IndexMap<String, Demand> {
    if turn.line.is_aside() {
        return IndexMap::new();
    }
    let phase = &snapshot.template().phases[turn.phase];
    let mut asks = phase.asks.clone();
    if !snapshot.config.may_vote(alias) {
        asks.shift_remove("VOTE");
    }
    // With this method the decision is the result, so a text without a decision is not a result (INV-DISC-003).
    if phase.decides() && snapshot.config.rules.method.decided_by() == DecidedBy::StatedDecision {
        asks.insert("DECISION".to_owned(), Demand::Required);
    }
    asks
}

/// Returns the words of markers that the header or the phase's instructions name, and the template's own markers. A
/// vote is among them if the participant may vote and this discussion counts votes: an early vote counts until the
/// ballot begins.
pub(super) fn invited(snapshot: &Snapshot, turn: &Turn, alias: &Alias) -> Vec<String> {
    let template = snapshot.template();
    let by_votes = snapshot.config.rules.method.decided_by() == DecidedBy::Votes
        && snapshot.config.may_vote(alias)
        && !turn.line.is_aside();
    let instructions = template.phases[turn.phase].instructions.source();
    let vote = Marker::Vote.word();
    let built_in = Marker::words().filter(|word| {
        if *word == vote { by_votes } else { names(HEADER, word) || names(instructions, word) }
    });
    built_in.map(str::to_owned).chain(template.markers.iter().cloned()).collect()
}

/// Returns true if a text contains a marker's word with its colon.
fn names(text: &str, word: &str) -> bool {
    text.match_indices(&format!("{word}:"))
        .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

impl Snapshot {
    /// Returns true if a comment contains every marker that its phase requires, so that it counts as a contribution. A
    /// missing vote is an abstention, which is a contribution too.
    pub(crate) fn holds_what_is_required(&self, said: &CommentFacts) -> bool {
        self.required(said.phase).all(|word| {
            said.marks.iter().any(|mark| mark.marker.word() == word && Typed::of(mark).is_some())
        })
    }

    /// Returns true if a participant that passes still counts as a contributor. False if the phase requires a marker.
    pub(super) fn takes_a_pass(&self, phase: usize) -> bool {
        self.required(phase).next().is_none()
    }

    /// Returns the markers that a phase requires, without the vote.
    fn required(&self, phase: usize) -> impl Iterator<Item = &str> {
        let asks = self.template().phases[phase].asks.iter();
        let required = asks.filter(|(_, demand)| **demand == Demand::Required);
        required.map(|(word, _)| word.as_str()).filter(|word| *word != Marker::Vote.word())
    }
}

//! Which markers an answer needs.

use indexmap::IndexMap;

use super::prompt::HEADER;
use super::snapshot::Snapshot;
use crate::state::{Said, Turn, Typed};
use crate::template::{DecidedBy, Demand};
use crate::transcript::Alias;
use crate::transcript::Marker;

/// The markers that one participant's answer is asked for: the phase's, and a decision of whoever decides.
///
/// Whoever was called answers that and nothing else; whoever has no vote is not asked for one.
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
    // Under this method the decision is the result, so a text without one is none (INV-DISC-003).
    if phase.decides() && snapshot.config.rules.method.decided_by() == DecidedBy::StatedDecision {
        asks.insert("DECISION".to_owned(), Demand::Required);
    }
    asks
}

/// Words of markers that the header or the phase's instructions name, and the template's own. A vote is among them if the
/// participant may vote and votes are counted in this discussion: an early vote counts until the ballot begins.
pub(super) fn invited(snapshot: &Snapshot, turn: &Turn, alias: &Alias) -> Vec<String> {
    let template = snapshot.template();
    let by_votes = snapshot.config.rules.method.decided_by() == DecidedBy::Votes
        && snapshot.config.may_vote(alias)
        && !turn.line.is_aside();
    let instructions = template.phases[turn.phase].instructions.source();
    let vote = Marker::Vote.word();
    let built_in = Marker::words().filter(|word| match *word == vote {
        true => by_votes,
        false => names(HEADER, word) || names(instructions, word),
    });
    built_in.map(str::to_owned).chain(template.markers.iter().cloned()).collect()
}

/// Whether a text holds a marker's word with its colon.
fn names(text: &str, word: &str) -> bool {
    text.match_indices(&format!("{word}:"))
        .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

impl Snapshot {
    /// Whether a comment holds what its phase requires of an answer, so that it takes part in what the phase is for. A
    /// missing vote is an abstention, and takes part.
    pub(crate) fn holds_what_is_required(&self, said: &Said) -> bool {
        self.required(said.phase).all(|word| {
            said.marks.iter().any(|mark| mark.marker.word() == word && Typed::of(mark).is_some())
        })
    }

    /// Whether somebody who has nothing to add takes part in a phase all the same: not where it requires a marker.
    pub(super) fn takes_a_pass(&self, phase: usize) -> bool {
        self.required(phase).next().is_none()
    }

    /// The markers that a phase requires, a vote aside.
    fn required(&self, phase: usize) -> impl Iterator<Item = &str> {
        let asks = self.template().phases[phase].asks.iter();
        let required = asks.filter(|(_, demand)| **demand == Demand::Required);
        required.map(|(word, _)| word.as_str()).filter(|word| *word != Marker::Vote.word())
    }
}

//! Which markers an answer needs.

use indexmap::IndexMap;

use super::snapshot::Snapshot;
use crate::state::{Said, Turn, Typed};
use crate::template::{DecidedBy, Demand};
use crate::transcript::Marker;

/// The markers that a turn's answers are asked for: the phase's, and a decision of whoever decides.
pub(super) fn demanded(snapshot: &Snapshot, turn: &Turn) -> IndexMap<String, Demand> {
    let phase = &snapshot.template().phases[turn.phase];
    let mut asks = phase.asks.clone();
    // Under this method the decision is the result, so a text without one is none (INV-DISC-003).
    if phase.decides() && snapshot.config.rules.method.decided_by() == DecidedBy::StatedDecision {
        asks.insert("DECISION".to_owned(), Demand::Required);
    }
    asks
}

impl Snapshot {
    /// Whether a comment holds what its phase requires of an answer, so that it takes part in what the phase is for. A
    /// missing vote is an abstention, and takes part.
    pub(crate) fn holds_what_is_required(&self, said: &Said) -> bool {
        let asks = &self.template().phases[said.phase].asks;
        let vote = Marker::Vote;
        let mut required = asks
            .iter()
            .filter(|(word, demand)| **demand == Demand::Required && *word != vote.word());
        required.all(|(word, _)| {
            said.marks.iter().any(|mark| mark.marker.word() == word && Typed::of(mark).is_some())
        })
    }
}

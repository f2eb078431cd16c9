//! Which markers an answer needs.

use indexmap::IndexMap;

use super::snapshot::Snapshot;
use crate::state::Turn;
use crate::template::{DecidedBy, Demand};

/// The markers that a turn's answers are asked for: the phase's, and a decision of whoever decides; whoever is only
/// called is asked for none.
pub(super) fn demanded(snapshot: &Snapshot, turn: &Turn) -> IndexMap<String, Demand> {
    if turn.line.mentions {
        return IndexMap::new();
    }
    let phase = &snapshot.template().phases[turn.phase];
    let mut asks = phase.asks.clone();
    // Under this method the decision is the result, so a text without one is none (INV-DISC-003).
    if phase.decides() && snapshot.config.rules.method.decided_by() == DecidedBy::StatedDecision {
        asks.insert("DECISION".to_owned(), Demand::Required);
    }
    asks
}

//! Which markers an answer needs.

use indexmap::IndexMap;

use super::snapshot::Snapshot;
use crate::state::Turn;
use crate::template::{DecidedBy, Demand};
use crate::transcript::Alias;

/// The markers that one participant's answer is asked for: the phase's, and a decision of whoever decides.
///
/// Whoever was called answers that and nothing else; whoever has no vote is not asked for one.
pub(super) fn demanded(
    snapshot: &Snapshot,
    turn: &Turn,
    alias: &Alias,
) -> IndexMap<String, Demand> {
    if turn.line.mentions {
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

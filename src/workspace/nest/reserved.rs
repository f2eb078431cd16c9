//! Calls that a run began and did not live to record.

use std::path::Path;

use crate::engine::Snapshot;
use crate::state::Outcome;
use crate::store::{Reservations, Reserved};
use crate::workspace::Workspace;

impl Workspace {
    /// What was begun in a discussion and may have been paid, while nothing in it says so.
    pub(crate) fn reserved(&self, path: &Path, snapshot: &Snapshot) -> Vec<Reserved> {
        let mut left =
            self.open_with(path, Reservations::of).map_or_else(|_| Vec::new(), |it| it.left());
        left.retain(|one| is_unrecorded(one, snapshot));
        left
    }
}

/// Whether the turn stands in the file as it stood when the call began, with nobody's answer to it.
fn is_unrecorded(one: &Reserved, snapshot: &Snapshot) -> bool {
    let turns = &mut snapshot.state.turns.iter();
    turns.any(|turn| {
        (turn.line.number, turn.line.at) == (one.turn, one.opened)
            && turn.line.asks.contains(&one.who)
            && matches!(turn.outcomes.get(&one.who), None | Some(Outcome::Failed { .. }))
    })
}

//! Reserved calls: a run began them and ended before it recorded them.

use std::path::Path;

use crate::engine::Snapshot;
use crate::state::TurnOutcome;
use crate::store::{Reservations, Reserved};
use crate::workspace::Workspace;

impl Workspace {
    /// Returns the calls of a discussion that began and may have been paid, but are not recorded in its file.
    pub(crate) fn reserved(&self, path: &Path, snapshot: &Snapshot) -> Vec<Reserved> {
        let mut left =
            self.open_with(path, Reservations::of).map_or_else(|_| Vec::new(), |it| it.pending());
        left.retain(|one| is_unrecorded(one, snapshot));
        left
    }
}

/// Returns true if the file has the turn of the call, unchanged since the call began and without an answer from its
/// participant.
fn is_unrecorded(one: &Reserved, snapshot: &Snapshot) -> bool {
    let turns = &mut snapshot.state.turns.iter();
    turns.any(|turn| {
        (turn.line.number, turn.line.at) == (one.turn, one.opened)
            && turn.line.asks.contains(&one.who)
            && matches!(turn.outcomes.get(&one.who), None | Some(TurnOutcome::Failed { .. }))
    })
}

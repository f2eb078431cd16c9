//! Records the entries that each prompt of a turn certainly showed; an answer can only refer to those, not to later
//! ones.

use crate::template::{Order, Phase, Sees};

/// The number of entries that the next prompt of each turn shows.
#[derive(Debug, Default)]
pub(super) struct VisibleEntries {
    turns: Vec<ShownTurn>,
    /// Index of the `PHASE` line of this visit; 0 before the first.
    visit: usize,
}

#[derive(Debug)]
struct ShownTurn {
    entries: usize,
    /// True if each participant sees the answers given before it in this turn.
    grows: bool,
}

impl VisibleEntries {
    /// Records that a visit of a phase begins with an entry.
    pub(super) fn visit(&mut self, entry: usize) {
        self.visit = entry;
    }

    /// Records that a turn begins with an entry. In a turn that answers mentions, the prompt quotes the mentions,
    /// even if the phase shows less of the discussion.
    pub(super) fn turn(&mut self, entry: usize, phase: &Phase, for_calls: bool) {
        let entries = match phase.sees {
            _ if for_calls => entry,
            Sees::Everything => entry,
            Sees::EarlierPhases => self.visit,
            Sees::Topic => 0,
        };
        let grows = phase.order == Order::Sequential && phase.sees == Sees::Everything;
        self.turns.push(ShownTurn { entries, grows });
    }

    /// Records an outcome in a turn; the participant that is asked next sees it.
    pub(super) fn note_outcome(&mut self, turn: usize, entry: usize) {
        if let Some(turn) = self.turns.get_mut(turn).filter(|turn| turn.grows) {
            turn.entries = entry + 1;
        }
    }

    /// Returns the number of entries that the next prompt of a turn shows.
    pub(super) fn of(&self, turn: usize) -> usize {
        self.turns.get(turn).map_or(0, |turn| turn.entries)
    }
}

//! What the prompts of a turn could surely show: answers answer that, and nothing that came later.

use crate::template::{Order, Phase, Sees};

/// Of each turn, how many of the file's entries its next prompt shows.
#[derive(Debug, Default)]
pub(super) struct Shown {
    turns: Vec<Turn>,
    /// Index of the `PHASE` line of this visit; 0 before the first.
    visit: usize,
}

#[derive(Debug)]
struct Turn {
    entries: usize,
    /// Each one who is asked sees what was said before them in the turn.
    grows: bool,
}

impl Shown {
    /// A visit of a phase begins with an entry.
    pub(super) fn visit(&mut self, entry: usize) {
        self.visit = entry;
    }

    /// A turn begins with an entry. The task of one for calls quotes them, whatever else is seen.
    pub(super) fn turn(&mut self, entry: usize, phase: &Phase, for_calls: bool) {
        let entries = match phase.sees {
            _ if for_calls => entry,
            Sees::Everything => entry,
            Sees::EarlierPhases => self.visit,
            Sees::Topic => 0,
        };
        let grows = phase.order == Order::Sequential && phase.sees == Sees::Everything;
        self.turns.push(Turn { entries, grows });
    }

    /// Something came of asking one in a turn; whoever is asked next sees it.
    pub(super) fn told(&mut self, turn: usize, entry: usize) {
        if let Some(turn) = self.turns.get_mut(turn).filter(|turn| turn.grows) {
            turn.entries = entry + 1;
        }
    }

    /// How many entries the next prompt of a turn shows.
    pub(super) fn of(&self, turn: usize) -> usize {
        self.turns.get(turn).map_or(0, |turn| turn.entries)
    }
}

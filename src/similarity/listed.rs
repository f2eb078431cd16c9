//! The open texts that hold one word: a list that is made smaller now and then, not at each that is closed.

/// Texts by number, in their order; some of them may be closed by now.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    all: Vec<u32>,
    closed: u32,
}

impl Listed {
    /// How many are open.
    pub(super) fn len(&self) -> usize {
        self.all.len() - self.closed as usize
    }

    /// Takes in a text that is open now.
    pub(super) fn open(&mut self, index: usize) {
        let Ok(index) = u32::try_from(index) else { return };
        match self.all.last().is_none_or(|last| *last < index) {
            true => self.all.push(index),
            false => match self.all.binary_search(&index) {
                // It was closed, and stands there still.
                Ok(_) => self.closed -= 1,
                Err(place) => self.all.insert(place, index),
            },
        }
    }

    /// One of them was closed. When most of them are, those are left out: so each costs a few steps, however many there are.
    pub(super) fn close(&mut self, is_open: &[bool]) {
        self.closed += 1;
        if self.closed as usize * 2 > self.all.len() {
            self.all.retain(|index| is_open[*index as usize]);
            self.closed = 0;
        }
    }

    /// Those that are open, in their order.
    pub(super) fn open_ones(&self, is_open: &[bool]) -> impl Iterator<Item = usize> {
        self.all.iter().map(|index| *index as usize).filter(|index| is_open[*index])
    }
}

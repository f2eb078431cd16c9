//! A list of the open texts that contain one word. Closed texts are removed in batches, not one by one.

/// Indices of texts in order; some of the texts may be closed by now.
#[derive(Clone, Debug, Default)]
pub(super) struct ListedFinding {
    all: Vec<u32>,
    closed: u32,
}

impl ListedFinding {
    /// Returns the number of open texts.
    pub(super) fn len(&self) -> usize {
        self.all.len() - self.closed as usize
    }

    /// Adds a text that is now open.
    pub(super) fn open(&mut self, index: usize) {
        let Ok(index) = u32::try_from(index) else { return };
        if self.all.last().is_none_or(|last| *last < index) {
            self.all.push(index)
        } else {
            match self.all.binary_search(&index) {
                // The text was closed but is still in the list.
                Ok(_) => self.closed -= 1,
                Err(place) => self.all.insert(place, index),
            }
        }
    }

    /// Records that one of the texts was closed. Removes the closed texts only when they are more than half of the
    /// list, so that a closing takes only a few steps on average, however long the list is.
    pub(super) fn close(&mut self, is_open: &[bool]) {
        self.closed += 1;
        if self.closed as usize * 2 > self.all.len() {
            self.all.retain(|index| is_open[*index as usize]);
            self.closed = 0;
        }
    }

    /// Returns the open texts in order.
    pub(super) fn open_ones(&self, is_open: &[bool]) -> impl Iterator<Item = usize> {
        self.all.iter().map(|index| *index as usize).filter(|index| is_open[*index])
    }
}

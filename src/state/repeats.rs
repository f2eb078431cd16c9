//! Texts that repeat an earlier one word for word. Each repetition keeps its own number, so that `A: Q2` always means
//! the same question; readers see only the first.

use foldhash::HashMap;

use super::decisions::normal;

/// A record of the numbered texts that repeat an earlier one.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// The last text that is not a repetition, by its normalized words.
    first_of: HashMap<String, usize>,
    /// For each repetition, the index of the text that it repeats.
    repeats: HashMap<usize, usize>,
}

impl Repeats {
    /// Adds a text, and returns the text that it repeats if that one is still open.
    pub(super) fn add(
        &mut self,
        index: usize,
        text: &str,
        is_open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let key = normal(text);
        let first = self.first_of.get(&key).copied().filter(|first| is_open(*first));
        match first {
            Some(first) => self.repeats.insert(index, first),
            None => self.first_of.insert(key, index),
        };
        first
    }

    /// Returns the text that this one repeats, or the text itself.
    pub(super) fn first(&self, index: usize) -> usize {
        self.repeats.get(&index).copied().unwrap_or(index)
    }

    /// Removes the texts that repeat another one.
    pub(super) fn fold<T>(&self, all: Vec<T>) -> Vec<T> {
        if self.repeats.is_empty() {
            return all;
        }
        let kept = all.into_iter().enumerate().filter(|(at, _)| !self.repeats.contains_key(at));
        kept.map(|(_, one)| one).collect()
    }
}

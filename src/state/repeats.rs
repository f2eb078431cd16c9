//! What was said again word for word. Each saying keeps its number, so that `A: Q2` means the same for good; readers are
//! shown the first one alone.

use foldhash::HashMap;

use super::decisions::normal;

/// Which numbered texts repeat an earlier one.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// The last text that repeats none, by its words.
    first_of: HashMap<String, usize>,
    /// The text that another one repeats, by index.
    repeats: HashMap<usize, usize>,
}

impl Repeats {
    /// Adds a text and returns the one that it repeats, if that is still open.
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

    /// The text that counts for this one.
    pub(super) fn first(&self, index: usize) -> usize {
        self.repeats.get(&index).copied().unwrap_or(index)
    }

    /// All texts but those that repeat another one.
    pub(super) fn fold<T>(&self, all: Vec<T>) -> Vec<T> {
        if self.repeats.is_empty() {
            return all;
        }
        let kept = all.into_iter().enumerate().filter(|(at, _)| !self.repeats.contains_key(at));
        kept.map(|(_, one)| one).collect()
    }
}

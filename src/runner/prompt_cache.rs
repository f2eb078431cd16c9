//! Prompts and the caches of providers: what comes first in a prompt, and how much of it a provider may have cached.

use std::collections::HashMap;
use std::sync::Arc;

use super::options::RunOptions;
use super::providers::{Chain, Providers};
use crate::engine::{Layout, Prompt, Snapshot};

/// The number of prompts that are remembered. Later prompts extend those of the last turn.
const REMEMBERED: usize = 12;
/// The minimum number of bytes that a provider caches: 1,024 tokens of about 4 bytes.
const LEAST: usize = 4096;

/// The last answered prompts of a run, each with the provider that answered.
///
/// A cache belongs to one model and holds a prompt only after the model has read the prompt. Prompts that are sent at
/// one moment therefore cannot use each other's cached parts.
#[derive(Default)]
pub(super) struct PromptCache(Vec<(String, Prompt)>);

impl PromptCache {
    /// Returns, for each provider that answered before, the bytes at the start of a prompt that it may have cached.
    pub(super) fn cached(&self, prompt: &Prompt) -> Vec<(String, usize)> {
        let mut cached: Vec<(String, usize)> = Vec::new();
        for (provider, earlier) in &self.0 {
            let bytes = Some(common(earlier, prompt)).filter(|bytes| *bytes >= LEAST).unwrap_or(0);
            match cached.iter_mut().find(|(known, _)| known == provider) {
                Some((_, longest)) => *longest = bytes.max(*longest),
                None => cached.push((provider.clone(), bytes)),
            }
        }
        cached
    }

    /// Remembers an answered prompt.
    pub(super) fn add(&mut self, provider: String, prompt: Prompt) {
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push((provider, prompt));
    }
}

/// Returns the number of bytes that two prompts have in common at their start.
fn common(a: &Prompt, b: &Prompt) -> usize {
    let (tail_a, tail_b) = (a.tail.as_bytes(), b.tail.as_bytes());
    // The prompts of a turn share their prefix.
    if Arc::ptr_eq(&a.prefix, &b.prefix) {
        return a.prefix.len() + common_length(tail_a, tail_b);
    }
    let (a, b) = (a.prefix.as_bytes(), b.prefix.as_bytes());
    let shorter = a.len().min(b.len());
    match common_length(a, b) {
        // The shorter prefix has ended: compare the tail after it with the rest of the other prompt.
        shared if shared == shorter => {
            shared + common_length_of_parts([&a[shared..], tail_a], [&b[shared..], tail_b])
        }
        shared => shared,
    }
}

/// Returns the common length of two texts in two parts each, one of which starts with an empty part.
fn common_length_of_parts(a: [&[u8]; 2], b: [&[u8]; 2]) -> usize {
    a.into_iter().flatten().zip(b.into_iter().flatten()).take_while(|(x, y)| x == y).count()
}

/// Returns the common length of two texts.
fn common_length(a: &[u8], b: &[u8]) -> usize {
    // Compare pages first: the prompts of a long discussion differ only near their ends.
    let pages =
        a.chunks(4096).zip(b.chunks(4096)).take_while(|(x, y)| x == y && x.len() == 4096).count()
            * 4096;
    pages + a[pages..].iter().zip(&b[pages..]).take_while(|(x, y)| x == y).count()
}

/// The number of participants that each provider answers for if none fails. Caches are per model, so this decides what
/// comes first in a prompt.
pub(super) struct Sharing(HashMap<String, usize>);

impl Sharing {
    /// Returns what comes first in the prompts of a participant with this chain.
    pub(super) fn layout(&self, chain: &Chain) -> Layout {
        match first(chain).and_then(|name| self.0.get(name)) {
            Some(0 | 1) => Layout::PersonaFirst,
            _ => Layout::RecordFirst,
        }
    }
}

/// Returns the provider that is called first.
fn first(chain: &Chain) -> Option<&str> {
    chain.candidates.first().map(|candidate| candidate.name().as_str())
}

impl Providers {
    /// Counts all participants, also those that are not asked now, so that a participant's prompts have the same layout in
    /// every turn.
    pub(super) fn sharing(&self, snapshot: &Snapshot, options: &RunOptions) -> Sharing {
        let config = &snapshot.config;
        let mut all: Vec<_> = config.seats().chain(config.roles.values().flatten()).collect();
        all.sort_unstable();
        all.dedup();
        let mut counts = HashMap::new();
        for alias in all.into_iter().filter(|alias| config.is_model(alias)) {
            // An unknown provider is reported when its participant is asked.
            if let Ok(chain) = self.chain(snapshot, alias, options)
                && let Some(name) = first(&chain)
            {
                *counts.entry(name.to_owned()).or_default() += 1;
            }
        }
        Sharing(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(prefix: &str, tail: &str) -> Prompt {
        Prompt { prefix: prefix.into(), tail: tail.to_owned() }
    }

    #[test]
    fn only_what_the_same_provider_has_read_counts_and_only_from_where_it_is_kept() {
        let record = "x".repeat(5000);
        let mut cache = PromptCache::default();
        assert!(cache.cached(&prompt(&record, "a")).is_empty(), "nothing was answered yet");
        cache.add("one".to_owned(), prompt(&record, "a"));
        cache.add("two".to_owned(), prompt("other", "b"));
        cache.add("one".to_owned(), prompt("short", ""));
        let kept = cache.cached(&prompt(&record, "ab"));
        assert_eq!(kept, [("one".to_owned(), 5001), ("two".to_owned(), 0)]);
        let kept = cache.cached(&prompt(&record[..LEAST - 1], "y"));
        assert_eq!(kept[0].1, 0, "fewer than 1,024 tokens are not kept");
        assert_eq!(cache.cached(&prompt(&record[..LEAST], "y"))[0].1, LEAST);
    }

    #[test]
    fn what_two_prompts_begin_with_does_not_depend_on_where_they_are_cut() {
        let prompts = ["", "a", "ab", "abc", "abd", "abcdef"];
        let cut = |text: &str, at: usize| Prompt {
            prefix: text[..at].into(),
            tail: text[at..].to_owned(),
        };
        for (a, b) in prompts.iter().flat_map(|a| prompts.iter().map(move |b| (a, b))) {
            let wanted = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
            for (i, j) in (0..=a.len()).flat_map(|i| (0..=b.len()).map(move |j| (i, j))) {
                let (a, b) = (cut(a, i), cut(b, j));
                assert_eq!(common(&a, &b), wanted, "{a:?} {b:?}");
                assert_eq!(common(&a, &a.clone()), a.size());
            }
        }
    }
}

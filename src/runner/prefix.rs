//! How much of a prompt an earlier one began with.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use crate::engine::Prompt;

/// Prompts that are remembered: later ones go on from the last turn's.
const REMEMBERED: usize = 12;

/// The last prompts of a run whose answers have begun, by provider: only then does a service know them.
#[derive(Default)]
pub(super) struct Prefixes(HashMap<String, VecDeque<Prompt>>);

impl Prefixes {
    /// Bytes at the beginning that an earlier prompt to the same provider has too.
    pub(super) fn shared(&self, provider: &str, prompt: &Prompt) -> usize {
        let earlier = self.0.get(provider).into_iter().flatten();
        earlier.map(|earlier| common(earlier, prompt)).max().unwrap_or(0)
    }

    /// Remembers a prompt whose answer has begun.
    pub(super) fn began(&mut self, provider: String, prompt: Prompt) {
        let known = self.0.entry(provider).or_default();
        if known.len() == REMEMBERED {
            known.pop_front();
        }
        known.push_back(prompt);
    }
}

fn common(a: &Prompt, b: &Prompt) -> usize {
    let (tail_a, tail_b) = (a.tail.as_bytes(), b.tail.as_bytes());
    // Within a turn the prefix is one and the same text.
    if Arc::ptr_eq(&a.prefix, &b.prefix) {
        return a.prefix.len() + begin(tail_a, tail_b);
    }
    let (a, b) = (a.prefix.as_bytes(), b.prefix.as_bytes());
    let shorter = a.len().min(b.len());
    match begin(a, b) {
        // One prefix ends: its tail is held against the rest of the other.
        shared if shared == shorter => {
            shared + begin_of_parts([&a[shared..], tail_a], [&b[shared..], tail_b])
        }
        shared => shared,
    }
}

/// As [`begin`], of texts in two parts each, of which one begins with an empty part.
fn begin_of_parts(a: [&[u8]; 2], b: [&[u8]; 2]) -> usize {
    a.into_iter().flatten().zip(b.into_iter().flatten()).take_while(|(x, y)| x == y).count()
}

/// Bytes at the beginning of both.
fn begin(a: &[u8], b: &[u8]) -> usize {
    // Pages first: prompts of long discussions differ only near their ends.
    let pages =
        a.chunks(4096).zip(b.chunks(4096)).take_while(|(x, y)| x == y && x.len() == 4096).count()
            * 4096;
    pages + a[pages..].iter().zip(&b[pages..]).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

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

//! How much of a prompt a provider may have kept from an earlier one.

use std::sync::Arc;

use crate::engine::Prompt;

/// Prompts that are remembered: later ones go on from the last turn's.
const REMEMBERED: usize = 12;
/// Least bytes that a provider's cache keeps: 1,024 tokens of about 4 bytes.
const LEAST: usize = 4096;

/// The last prompts of a run whose answers have begun, each with the provider that answered.
///
/// A cache belongs to one model, and holds a prompt when it has been read; what is sent at the same moment finds nothing.
#[derive(Default)]
pub(super) struct Prefixes(Vec<(String, Prompt)>);

impl Prefixes {
    /// For each provider that was asked before: bytes at the beginning that an earlier prompt to it has too, where they
    /// are enough to be kept.
    pub(super) fn kept(&self, prompt: &Prompt) -> Vec<(String, usize)> {
        let mut kept: Vec<(String, usize)> = Vec::new();
        for (provider, earlier) in &self.0 {
            let bytes = Some(common(earlier, prompt)).filter(|bytes| *bytes >= LEAST).unwrap_or(0);
            match kept.iter_mut().find(|(known, _)| known == provider) {
                Some((_, longest)) => *longest = bytes.max(*longest),
                None => kept.push((provider.clone(), bytes)),
            }
        }
        kept
    }

    /// Remembers a prompt whose answer has begun.
    pub(super) fn answered(&mut self, provider: String, prompt: Prompt) {
        if self.0.len() == REMEMBERED {
            self.0.remove(0);
        }
        self.0.push((provider, prompt));
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

    fn prompt(prefix: &str, tail: &str) -> Prompt {
        Prompt { prefix: prefix.into(), tail: tail.to_owned() }
    }

    #[test]
    fn only_text_kept_by_the_same_provider_counts() {
        let record = "x".repeat(5000);
        let mut prefixes = Prefixes::default();
        assert!(prefixes.kept(&prompt(&record, "a")).is_empty(), "nothing was answered yet");
        prefixes.answered("one".to_owned(), prompt(&record, "a"));
        prefixes.answered("two".to_owned(), prompt("other", "b"));
        prefixes.answered("one".to_owned(), prompt("short", ""));
        let kept = prefixes.kept(&prompt(&record, "ab"));
        assert_eq!(kept, [("one".to_owned(), 5001), ("two".to_owned(), 0)]);
        let kept = prefixes.kept(&prompt(&record[..LEAST - 1], "y"));
        assert_eq!(kept[0].1, 0, "fewer than 1,024 tokens are not kept");
        assert_eq!(prefixes.kept(&prompt(&record[..LEAST], "y"))[0].1, LEAST);
    }

    #[test]
    fn common_prefix_does_not_depend_on_cuts() {
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

//! The open ones among many texts, so that finding the most alike does not compare with all of them.

use std::collections::{BTreeMap, HashMap};

use super::{ALIKE, STEM, Sentence};

/// Numbered texts that can be open or closed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    texts: Vec<Sentence>,
    is_open: Vec<bool>,
    /// The open texts that hold a word with this beginning, once for each such word. Words of one stem begin alike.
    by_stem: HashMap<String, Vec<usize>>,
    /// The open texts in scripts without blanks, and how often each has which letter.
    unspaced: BTreeMap<usize, HashMap<char, usize>>,
    /// For each text, how many pairs of words share a stem with the text that is looked for; all 0 between two searches.
    shared: Vec<usize>,
}

impl Candidates {
    /// Adds an open text behind all others.
    pub(crate) fn push(&mut self, text: &str) {
        let index = self.texts.len();
        self.texts.push(Sentence::new(text));
        self.is_open.push(false);
        self.shared.push(0);
        self.open(index);
    }

    /// Opens a text; one that is open stays so.
    pub(crate) fn open(&mut self, index: usize) {
        if std::mem::replace(&mut self.is_open[index], true) {
            return;
        }
        for word in &self.texts[index].words {
            self.by_stem.entry(stem(word).to_owned()).or_default().push(index);
        }
        if let Some(text) = &self.texts[index].unspaced {
            self.unspaced.insert(index, letters(text));
        }
    }

    /// Closes a text; one that is closed stays so.
    pub(crate) fn close(&mut self, index: usize) {
        if !std::mem::replace(&mut self.is_open[index], false) {
            return;
        }
        for word in &self.texts[index].words {
            if let Some(list) = self.by_stem.get_mut(stem(word)) {
                list.retain(|other| *other != index);
            }
        }
        self.unspaced.remove(&index);
    }

    /// The open text that is most like this one, if one is like it at all; of equals the first.
    pub(crate) fn best(&mut self, text: &str) -> Option<usize> {
        let wanted = Sentence::new(text);
        let mut found = Vec::new();
        for word in &wanted.words {
            for &index in self.by_stem.get(stem(word)).into_iter().flatten() {
                if self.shared[index] == 0 {
                    found.push(index);
                }
                self.shared[index] += 1;
            }
        }
        if wanted.unspaced.is_some() {
            self.add_unspaced(&wanted, &mut found);
        }
        let mut best: Option<(usize, f64)> = None;
        for index in found {
            let shared = std::mem::take(&mut self.shared[index]);
            let candidate = &self.texts[index];
            let few = candidate.words.len().min(wanted.words.len());
            if (shared as f64) < ALIKE * few as f64 {
                continue;
            }
            let like = candidate.like(&wanted);
            let better =
                |(other, most): (usize, f64)| like > most || (like == most && index < other);
            if like >= ALIKE && best.is_none_or(better) {
                best = Some((index, like));
            }
        }
        best.map(|(index, _)| index)
    }

    /// Adds those that have enough letters in common with a text in a script without blanks.
    fn add_unspaced(&mut self, wanted: &Sentence, found: &mut Vec<usize>) {
        let wanted = letters(wanted.unspaced.as_deref().unwrap_or_default());
        let total: usize = wanted.values().sum();
        for (&index, letters) in &self.unspaced {
            let common: usize =
                wanted.iter().map(|(c, n)| *letters.get(c).unwrap_or(&0).min(n)).sum();
            if common * 4 >= total + letters.values().sum::<usize>() {
                if self.shared[index] == 0 {
                    found.push(index);
                }
                self.shared[index] = usize::MAX;
            }
        }
    }
}

/// What all words of one stem begin with.
fn stem(word: &str) -> &str {
    word.char_indices().nth(STEM).map_or(word, |(end, _)| &word[..end])
}

fn letters(text: &str) -> HashMap<char, usize> {
    let mut letters = HashMap::new();
    text.chars().for_each(|c| *letters.entry(c).or_default() += 1);
    letters
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::likeness::of;

    const WORDS: [&str; 16] = [
        "write",
        "written",
        "writes",
        "the",
        "spec",
        "specs",
        "token",
        "tokens",
        "令牌的有效期",
        "令牌",
        "有效",
        "a1",
        "été",
        "ships",
        "ship",
        "o'clock",
    ];

    proptest! {
        #[test]
        fn the_best_is_the_one_that_comparing_with_all_finds(
            texts in prop::collection::vec(prop::collection::vec(prop::sample::select(&WORDS[..]), 0..6), 0..8),
            text in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..6),
            closed in prop::collection::vec(0..8usize, 0..4),
            opened in prop::option::of(0..8usize),
        ) {
            let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
            let text = text.join(" ");
            let mut candidates = Candidates::default();
            let mut open = vec![true; texts.len()];
            texts.iter().for_each(|text| candidates.push(text));
            for index in closed.into_iter().filter(|index| *index < texts.len()) {
                candidates.close(index);
                open[index] = false;
            }
            if let Some(index) = opened.filter(|index| *index < texts.len()) {
                candidates.open(index);
                open[index] = true;
            }
            let mut best: Option<(usize, f64)> = None;
            for (index, candidate) in texts.iter().enumerate().filter(|(index, _)| open[*index]) {
                let like = of(candidate, &text);
                if like >= ALIKE && best.is_none_or(|(_, best)| like > best) {
                    best = Some((index, like));
                }
            }
            prop_assert_eq!(candidates.best(&text), best.map(|(index, _)| index));
        }
    }
}

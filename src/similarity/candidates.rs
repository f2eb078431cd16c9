//! The open ones among many texts, so that finding the most alike does not compare with all of them.

use std::collections::{BTreeMap, HashMap};

use super::{ALIKE, STEM, Sentence};

/// Which of some numbered texts are open. The texts themselves stay with the caller, and nothing is looked at before
/// the first search: most discussions answer by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    is_open: Vec<bool>,
    /// The first texts, as many as were there at the last search.
    known: Vec<Sentence>,
    /// The open ones of them that hold a word with this beginning, once for each such word.
    by_stem: HashMap<u128, Vec<usize>>,
    /// The open ones in scripts without blanks, and how often each has which letter.
    unspaced: BTreeMap<usize, HashMap<char, usize>>,
    /// For each, how many pairs of words share a stem with what is looked for; all 0 between two searches.
    shared: Vec<usize>,
    /// Those for which that is not 0; empty between two searches.
    found: Vec<usize>,
}

impl Candidates {
    /// Adds an open text behind all others.
    pub(crate) fn push(&mut self) {
        self.is_open.push(true);
    }

    /// Opens a text; one that is open stays so.
    pub(crate) fn open(&mut self, index: usize) {
        let was_open = std::mem::replace(&mut self.is_open[index], true);
        if !was_open && index < self.known.len() {
            self.list(index);
        }
    }

    /// Closes a text; one that is closed stays so.
    pub(crate) fn close(&mut self, index: usize) {
        let was_open = std::mem::replace(&mut self.is_open[index], false);
        let Some(sentence) = self.known.get(index).filter(|_| was_open) else { return };
        for word in sentence.words() {
            if let Some(list) = self.by_stem.get_mut(&stem(word)) {
                list.retain(|other| *other != index);
            }
        }
        self.unspaced.remove(&index);
    }

    /// The open text that is most like this one, if one is like it at all; of equals the first.
    pub(crate) fn best<'t>(
        &mut self,
        text: &str,
        candidate: impl Fn(usize) -> &'t str,
    ) -> Option<usize> {
        for index in self.known.len()..self.is_open.len() {
            self.known.push(Sentence::new(candidate(index)));
            self.shared.push(0);
            if self.is_open[index] {
                self.list(index);
            }
        }
        let wanted = Sentence::new(text);
        let mut found = std::mem::take(&mut self.found);
        for word in wanted.words() {
            for &index in self.by_stem.get(&stem(word)).into_iter().flatten() {
                if self.shared[index] == 0 {
                    found.push(index);
                }
                self.shared[index] += 1;
            }
        }
        if wanted.unspaced {
            self.add_unspaced(&wanted, &mut found);
        }
        let mut best: Option<(usize, f64)> = None;
        for index in found.drain(..) {
            let shared = std::mem::take(&mut self.shared[index]);
            let candidate = &self.known[index];
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
        self.found = found;
        best.map(|(index, _)| index)
    }

    /// Adds those that have enough letters in common with a text in a script without blanks.
    fn add_unspaced(&mut self, wanted: &Sentence, found: &mut Vec<usize>) {
        let wanted = letters(&wanted.text);
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

    fn list(&mut self, index: usize) {
        let sentence = &self.known[index];
        for word in sentence.words() {
            self.by_stem.entry(stem(word)).or_default().push(index);
        }
        if sentence.unspaced {
            self.unspaced.insert(index, letters(&sentence.text));
        }
    }
}

/// What all words of one stem begin with: up to four letters, as a number.
fn stem(word: &str) -> u128 {
    let end = word.char_indices().nth(STEM).map_or(word.len(), |(end, _)| end);
    word.as_bytes()[..end].iter().fold(0, |key, byte| key << 8 | u128::from(*byte))
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
    use crate::similarity::of;

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

    fn sentence() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(&WORDS[..]), 0..6)
            .prop_map(|words| words.join(" "))
    }

    #[derive(Clone, Debug)]
    enum Step {
        Push(String),
        Close(prop::sample::Index),
        Open(prop::sample::Index),
        Look(String),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => sentence().prop_map(Step::Push),
            1 => any::<prop::sample::Index>().prop_map(Step::Close),
            1 => any::<prop::sample::Index>().prop_map(Step::Open),
            2 => sentence().prop_map(Step::Look),
        ]
    }

    /// What comparing with all of them finds.
    fn by_hand(texts: &[(String, bool)], text: &str) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (index, (candidate, _)) in texts.iter().enumerate().filter(|(_, (_, open))| *open) {
            let like = of(candidate, text);
            if like >= ALIKE && best.is_none_or(|(_, best)| like > best) {
                best = Some((index, like));
            }
        }
        best.map(|(index, _)| index)
    }

    proptest! {
        #[test]
        fn the_best_is_the_one_that_comparing_with_all_finds(steps in prop::collection::vec(step(), 0..24)) {
            let mut candidates = Candidates::default();
            let mut texts: Vec<(String, bool)> = Vec::new();
            for step in steps {
                match step {
                    Step::Push(text) => {
                        candidates.push();
                        texts.push((text, true));
                    }
                    Step::Close(index) if !texts.is_empty() => {
                        let index = index.index(texts.len());
                        candidates.close(index);
                        texts[index].1 = false;
                    }
                    Step::Open(index) if !texts.is_empty() => {
                        let index = index.index(texts.len());
                        candidates.open(index);
                        texts[index].1 = true;
                    }
                    Step::Close(_) | Step::Open(_) => {}
                    Step::Look(text) => {
                        let found = candidates.best(&text, |index| &texts[index].0);
                        prop_assert_eq!(found, by_hand(&texts, &text));
                    }
                }
            }
        }
    }
}

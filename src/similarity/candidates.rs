//! A collection of open texts that finds the most similar one without comparing all of them.

use std::collections::BTreeSet;
use std::hash::Hash;

use foldhash::HashMap;

use super::{ALIKE, ComparedSentence};

/// The maximum number of texts that one text is compared with by words, and again by letters. Texts that share the
/// rarest words or letters with it are preferred, and among equally rare ones the first in the file.
const MOST: usize = 64;

/// A set of texts, identified by index, that records which of them are open. The caller keeps the texts. No text is
/// examined before the first search, because in most discussions answers name the number of their question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    is_open: Vec<bool>,
    /// The texts that existed at the last search, prepared for comparison.
    known: Vec<ComparedSentence>,
    /// Open texts in `known`, by the stems of their words. Sets, because a search must not pass closed texts: many
    /// answers to equal questions would each pass all questions that were answered before.
    by_stem: HashMap<u32, BTreeSet<u32>>,
    /// Open texts in `known` in scripts without spaces, by letter.
    by_letter: HashMap<char, BTreeSet<u32>>,
    /// For each known text, the number of the search that last found it.
    found_in: Vec<u32>,
    searches: u32,
    /// The number of texts compared so far.
    #[cfg(test)]
    compared: usize,
}

impl Candidates {
    /// Adds an open text after all others.
    pub(crate) fn push(&mut self) {
        self.is_open.push(true);
    }

    /// Opens a text; does nothing if it is open.
    pub(crate) fn open(&mut self, index: usize) {
        let was_open = std::mem::replace(&mut self.is_open[index], true);
        if !was_open && index < self.known.len() {
            self.list(index);
        }
    }

    /// Closes a text; does nothing if it is closed.
    pub(crate) fn close(&mut self, index: usize) {
        let was_open = std::mem::replace(&mut self.is_open[index], false);
        let Some(sentence) = self.known.get(index).filter(|_| was_open) else { return };
        let Ok(index) = u32::try_from(index) else { return };
        for stem in stems(sentence) {
            if let Some(list) = self.by_stem.get_mut(&stem) {
                list.remove(&index);
            }
        }
        for letter in letters(sentence) {
            if let Some(list) = self.by_letter.get_mut(&letter) {
                list.remove(&index);
            }
        }
    }

    /// Returns the open text that is most similar to `text`, if one is similar enough; of equally similar ones the
    /// first.
    pub(crate) fn best<'t>(
        &mut self,
        text: &str,
        candidate: impl Fn(usize) -> &'t str,
    ) -> Option<usize> {
        self.best_of(text, candidate, |_| true)
    }

    /// Returns the open text that is most similar to `text` among those for which `fits` returns true.
    pub(crate) fn best_of<'t>(
        &mut self,
        text: &str,
        candidate: impl Fn(usize) -> &'t str,
        fits: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        for index in self.known.len()..self.is_open.len() {
            self.known.push(ComparedSentence::new(candidate(index)));
            if self.is_open[index] {
                self.list(index);
            }
        }
        let wanted = ComparedSentence::new(text);
        self.searches = self.searches.wrapping_add(1);
        self.found_in.resize(self.known.len(), 0);
        let mut is_new = |index: usize| {
            std::mem::replace(&mut self.found_in[index], self.searches) != self.searches
        };
        let mut found = sharing(&self.by_stem, stems(&wanted), &mut is_new);
        found.extend(sharing(&self.by_letter, letters(&wanted), &mut is_new));
        #[cfg(test)]
        {
            self.compared += found.len();
        }
        let mut found: Vec<(f64, usize)> = found
            .into_iter()
            .map(|index| (self.known[index].most_like(&wanted), index))
            .filter(|(most, index)| *most >= ALIKE && fits(*index))
            .collect();
        // The most promising texts come first, so that few are compared in detail.
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best: Option<(usize, f64)> = None;
        for (most, index) in found {
            if best.is_some_and(|(_, like)| most < like) {
                break;
            }
            let like = self.known[index].like(&wanted);
            let better = |(other, most): (usize, f64)| like > most || like == most && index < other;
            if like >= ALIKE && best.is_none_or(better) {
                best = Some((index, like));
            }
        }
        best.map(|(index, _)| index)
    }

    fn list(&mut self, index: usize) {
        let sentence = &self.known[index];
        let Ok(index) = u32::try_from(index) else { return };
        for stem in stems(sentence) {
            self.by_stem.entry(stem).or_default().insert(index);
        }
        for letter in letters(sentence) {
            self.by_letter.entry(letter).or_default().insert(index);
        }
    }
}

/// Returns texts that share a key: first all with the rarest key, then those with the next one, until there are
/// [`MOST`].
fn sharing<K: Hash + Ord + Copy>(
    lists: &HashMap<K, BTreeSet<u32>>,
    keys: impl Iterator<Item = K>,
    is_new: &mut impl FnMut(usize) -> bool,
) -> Vec<usize> {
    let mut rarest: Vec<(usize, K)> =
        keys.filter_map(|key| Some((lists.get(&key)?.len(), key))).collect();
    rarest.sort_unstable();
    rarest.dedup();
    let mut found: Vec<usize> = Vec::with_capacity(MOST);
    for list in rarest.iter().filter_map(|(_, key)| lists.get(key)) {
        for index in list.iter().map(|index| *index as usize) {
            if found.len() == MOST {
                return found;
            }
            if is_new(index) {
                found.push(index);
            }
        }
    }
    found
}

/// Returns the stems of the words of a text, each once.
fn stems(sentence: &ComparedSentence) -> impl Iterator<Item = u32> {
    deduplicated(sentence.stems())
}

/// Returns the letters of a text that is compared by letters, each once.
fn letters(sentence: &ComparedSentence) -> impl Iterator<Item = char> {
    deduplicated(sentence.letters.iter().copied())
}

/// Removes repeated items from a sorted sequence.
fn deduplicated<T: PartialEq + Copy>(items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let mut last = None;
    items.filter(move |item| last.replace(*item) != Some(*item))
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
    enum CandidateStep {
        Push(String),
        Close(prop::sample::Index),
        Open(prop::sample::Index),
        Look(String),
    }

    fn step() -> impl Strategy<Value = CandidateStep> {
        prop_oneof![
            3 => sentence().prop_map(CandidateStep::Push),
            1 => any::<prop::sample::Index>().prop_map(CandidateStep::Close),
            1 => any::<prop::sample::Index>().prop_map(CandidateStep::Open),
            2 => sentence().prop_map(CandidateStep::Look),
        ]
    }

    /// Finds the best text by comparing with all of them.
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
        fn best_candidate_equals_the_exhaustive_search(steps in prop::collection::vec(step(), 0..24)) {
            let mut candidates = Candidates::default();
            let mut texts: Vec<(String, bool)> = Vec::new();
            for step in steps {
                match step {
                    CandidateStep::Push(text) => {
                        candidates.push();
                        texts.push((text, true));
                    }
                    CandidateStep::Close(index) if !texts.is_empty() => {
                        let index = index.index(texts.len());
                        candidates.close(index);
                        texts[index].1 = false;
                    }
                    CandidateStep::Open(index) if !texts.is_empty() => {
                        let index = index.index(texts.len());
                        candidates.open(index);
                        texts[index].1 = true;
                    }
                    CandidateStep::Close(_) | CandidateStep::Open(_) => {}
                    CandidateStep::Look(text) => {
                        let found = candidates.best(&text, |index| &texts[index].0);
                        prop_assert_eq!(found, by_hand(&texts, &text));
                    }
                }
            }
        }
    }

    /// Counts comparisons instead of time: among thousands of similar questions, each answer is compared with only a
    /// few.
    #[test]
    fn many_similar_texts_are_not_all_compared() {
        for (asked, answered) in
            [("how fast is it", "as fast as it is"), ("令牌的有效期是多久", "令牌的有效期是一小时")]
        {
            let questions: Vec<String> =
                (0..3_000).map(|number| format!("{asked} {number}")).collect();
            let mut candidates = Candidates::default();
            questions.iter().for_each(|_| candidates.push());
            for number in 0..questions.len() {
                let text = format!("{answered} {number}");
                if let Some(index) = candidates.best(&text, |index| &questions[index]) {
                    candidates.close(index);
                }
            }
            assert!(candidates.compared <= questions.len() * 2 * MOST, "{}", candidates.compared);
        }
    }

    #[test]
    fn rare_word_selects_among_similar_texts() {
        let questions: Vec<String> =
            (1_000..3_000).map(|number| format!("how fast is service {number}")).collect();
        let mut candidates = Candidates::default();
        questions.iter().for_each(|_| candidates.push());
        let best = candidates.best("service 2750 is fast", |index| &questions[index]);
        assert_eq!(best, Some(1_750));
        assert_eq!(candidates.best("the service is fast", |index| &questions[index]), Some(0));
    }
}

//! Finds the discussions that are most similar to a question. Unlike a search for words, it requires none of the
//! words, because a person who asks a question again uses other words.

use super::kind::FoundKind;
use super::rank::{Corpus, LENGTH, Looked, SATURATION};
use super::words::SearchWords;
use crate::similarity;
use crate::transcript::Time;

/// The maximum number of discussions that are read completely: those that contain the rarest words of the question.
const READ: usize = 100;
/// The number that is added to the count of files, as if there were more files, all without the words. If there are
/// only a few real files, a word in one of them then weighs nearly as much as a word that occurs in none.
const UNSEEN: usize = 50;
/// The factor for the rarity of a word that occurs in no file.
const UNUSED: f64 = 0.5;
/// The weight of comments and outcomes, which often mention other topics.
const TALK: f64 = 0.4;
/// The weight of the context, which states the question.
const ASKED: f64 = 2.0;
/// The lowest similarity at which a question is considered already decided.
const NEAR: f64 = 0.5;

/// The similarity of a discussion to a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// The index in the list of files.
    pub(crate) file: usize,
    /// A score, higher for nearer discussions; comparable within one question.
    pub(crate) score: f64,
    /// The share of the question's words that the discussion contains, each word weighted by its rarity, 0 to 1.
    pub(crate) share: f64,
}

/// Returns the indices of the files that are worth reading, in order. `stands` says for each file which words it
/// contains.
pub(crate) fn promising(corpus: &Corpus, stands: &[Vec<bool>]) -> Vec<usize> {
    let rare = corpus.rarity();
    let told = |stand: &Vec<bool>| -> f64 {
        stand.iter().zip(&rare).filter(|(stands, _)| **stands).map(|(_, rare)| rare).sum()
    };
    let mut all: Vec<(usize, f64)> = stands.iter().map(told).enumerate().collect();
    all.retain(|(_, told)| *told > 0.0);
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut files: Vec<usize> = all.into_iter().take(READ).map(|(file, _)| file).collect();
    files.sort_unstable();
    files
}

/// Ranks discussions by their similarity to a question, nearest first: BM25 over all texts of a discussion together,
/// each text weighted by its kind.
pub(crate) fn nearest(
    words: &SearchWords,
    corpus: &Corpus,
    looked: &[Looked],
    now: Time,
) -> Vec<Near> {
    let rare = corpus.rarity();
    let mut telling = Corpus { files: corpus.files + UNSEEN, with: corpus.with.clone() }.rarity();
    // A word that occurs in no file may belong to the wording of the question rather than to its topic.
    let unused = corpus.with.iter().zip(&mut telling).filter(|(with, _)| **with == 0);
    unused.for_each(|(_, tells)| *tells *= UNUSED);
    let all: f64 = telling.iter().sum();
    let sizes = looked.iter().flat_map(|one| &one.passages).map(|passage| passage.text.len());
    let (count, size) = sizes.fold((0_usize, 0_usize), |(count, all), it| (count + 1, all + it));
    let usual = (size as f64 / count.max(1) as f64).max(1.0);
    let near = |one: &Looked| {
        let mut often = vec![0.0; words.len()];
        let mut told = vec![false; words.len()];
        for passage in &one.passages {
            let norm = 1.0 - LENGTH + LENGTH * passage.text.len() as f64 / usual;
            let is_core = matches!(
                passage.kind,
                FoundKind::Title | FoundKind::Decision | FoundKind::Context | FoundKind::Question
            );
            let weight = match passage.kind {
                FoundKind::Context => ASKED,
                FoundKind::Comment | FoundKind::Outcome => TALK,
                _ => passage.weight,
            };
            for (word, count) in words.counts(&passage.text).into_iter().enumerate() {
                often[word] += weight * count / norm.max(0.5);
                told[word] |= is_core && count > 0.0;
            }
        }
        let of =
            |(count, rare): (&f64, &f64)| rare * count * (SATURATION + 1.0) / (count + SATURATION);
        let bm25: f64 = often.iter().zip(&rare).map(of).sum();
        let covered: f64 =
            told.iter().zip(&telling).filter(|(told, _)| **told).map(|(_, it)| it).sum();
        let share = if all > 0.0 { covered / all } else { 0.0 };
        let score = bm25 * (0.25 + share) * one.standing(None, now);
        Near { file: one.file, score, share }
    };
    let mut found: Vec<Near> = looked.iter().map(near).filter(|near| near.score > 0.0).collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    found
}

/// Returns true if one of these texts, a title or a decision, is so similar to the question that the question may
/// already be decided.
pub(crate) fn near_enough(question: &str, texts: &[&str]) -> bool {
    texts.iter().any(|text| similarity::of(question, text) >= NEAR)
}

//! Which discussions are nearest to a question. Unlike a search for words it asks for none of them: who puts a question
//! anew puts it in other words.

use super::kind::FoundKind;
use super::rank::{Corpus, LENGTH, Looked, SATURATION};
use super::words::Words;
use crate::similarity;
use crate::transcript::Time;

/// Most discussions that are read whole: those that hold the rarest of the question's words.
const READ: usize = 100;
/// As if so many more files were there that hold none of the words: among a few files a word that stands in one of them
/// tells as much as one that stands nowhere.
const UNSEEN: usize = 50;
/// How much of its rarity a word keeps that stands in no file.
const UNUSED: f64 = 0.5;
/// How much counts what only mentions a thing, beside what is asked: others' matters are named in talk.
const TALK: f64 = 0.4;
const ASKED: f64 = 2.0;
/// From this likeness on a question is taken to be decided already.
const NEAR: f64 = 0.5;

/// How near a discussion is to a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    /// Its place in the list of files.
    pub(crate) file: usize,
    /// The higher the nearer; comparable within one question.
    pub(crate) score: f64,
    /// The share of the question that its texts hold, words counted by how much they tell, 0 to 1.
    pub(crate) share: f64,
}

/// The files that are worth reading, in their order: `stands` says of each which words stand in it.
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

/// Discussions by how near they are, the nearest first: BM25 over all their texts at once, each counted by what it is.
pub(crate) fn nearest(words: &Words, corpus: &Corpus, looked: &[Looked], now: Time) -> Vec<Near> {
    let rare = corpus.rarity();
    let mut telling = Corpus { files: corpus.files + UNSEEN, with: corpus.with.clone() }.rarity();
    // A word that nobody ever used may be the question's frame as well as its matter.
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

/// Whether a question looks as if one of these texts, a title or a decision, had settled it.
pub(crate) fn near_enough(question: &str, texts: &[&str]) -> bool {
    texts.iter().any(|text| similarity::of(question, text) >= NEAR)
}

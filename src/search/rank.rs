//! Ranks places by BM25 over passages, and finds the discussions that are most similar to a
//! question. The word frequencies come from one pass over the files.
//!
//! This pass also counts how many files contain each word. Unlike a search for words, the search
//! for similar discussions requires none of the words, because a person who asks a question again
//! uses other words.

use std::ops::Range;

use super::passage::{FoundKind, Passage, marked};
use super::words::SearchWords;
use crate::similarity;
use crate::state::ItemKind;
use crate::transcript::{Time, visible_line};

/// BM25's constants k1 and b: k1 limits how much repeated words add, b sets how much long passages lose.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;
/// The factor for discussions with a decision in force.
const AGREED: f64 = 1.25;
/// The bonus for a new text, and the number of days after which the bonus is halved.
const NEW: f64 = 0.25;
const HALF: f64 = 180.0;
/// The maximum number of characters of a line that are shown, and how many of them come before the first found word.
const SHOWN: usize = 200;
const BEFORE: usize = 60;

/// The word frequencies of all files that were searched.
#[derive(Clone, Debug)]
pub(crate) struct Corpus {
    /// The number of files.
    pub(crate) files: usize,
    /// The number of files that contain each word.
    pub(crate) with: Vec<usize>,
}

impl Corpus {
    /// Returns the weight of each word: a word that fewer files contain weighs more.
    fn rarity(&self) -> Vec<f64> {
        let of = |with: &usize| {
            let (files, with) = (self.files as f64, *with as f64);
            (1.0 + (files - with + 0.5) / (with + 0.5)).ln()
        };
        self.with.iter().map(of).collect()
    }
}

impl Looked {
    /// Returns the factor for decisions in force and for recent texts.
    pub(super) fn standing(&self, at: Option<Time>, now: Time) -> f64 {
        let agreed = if self.agreed { AGREED } else { 1.0 };
        let days = at.or(self.updated);
        let days = days.map_or(f64::MAX, |at| (now - at).num_hours().max(0) as f64 / 24.0);
        agreed * (1.0 + NEW * 0.5_f64.powf(days / HALF))
    }
}

/// A discussion that was searched.
#[derive(Clone, Debug)]
pub(crate) struct Looked {
    /// The index in the list of files.
    pub(crate) file: usize,
    pub(crate) passages: Vec<Passage>,
    /// True if a decision of the discussion is in force.
    pub(crate) agreed: bool,
    /// The time when the file was last changed.
    pub(crate) updated: Option<Time>,
}

/// A place that was found.
#[derive(Clone, Debug)]
pub(crate) struct SearchHit {
    /// The index of its file in the list of files.
    pub(crate) file: usize,
    pub(crate) kind: FoundKind,
    /// The line number, counted from 1.
    pub(crate) line: usize,
    pub(crate) author: Option<String>,
    /// The line, or its part around the first word.
    pub(crate) text: String,
    /// The byte ranges of the found words in `text`.
    pub(crate) places: Vec<Range<usize>>,
    pub(crate) at: Option<Time>,
    /// A score, higher for better hits; comparable within one search.
    pub(crate) score: f64,
}

/// Returns the places that contain words, best first.
pub(crate) fn rank(
    words: &SearchWords,
    corpus: &Corpus,
    looked: &[Looked],
    now: Time,
) -> Vec<SearchHit> {
    let sizes = looked.iter().flat_map(|one| &one.passages).map(|passage| passage.text.len());
    let (count, all) = sizes.fold((0_usize, 0_usize), |(count, all), size| (count + 1, all + size));
    let usual = (all as f64 / count.max(1) as f64).max(1.0);
    let rare = corpus.rarity();
    let mut hits = Vec::new();
    for one in looked {
        let marked = marked(&one.passages);
        for passage in &one.passages {
            let counts = words.counts(&passage.text);
            let different = counts.iter().filter(|count| **count > 0.0).count();
            let Some(shown) = (different > 0).then(|| line(words, passage, &marked)).flatten()
            else {
                continue;
            };
            let norm = 1.0 - LENGTH + LENGTH * passage.text.len() as f64 / usual;
            let of = |(count, rare): (&f64, &f64)| {
                rare * count * (SATURATION + 1.0) / (count + SATURATION * norm)
            };
            let bm25: f64 = counts.iter().zip(&rare).map(of).sum();
            let together = (different as f64 / words.len().max(1) as f64).powi(2);
            let at = passage.at.or(one.updated);
            let (number, text, places) = shown;
            hits.push(SearchHit {
                file: one.file,
                kind: passage.kind,
                line: number,
                author: passage.author.clone(),
                text,
                places,
                at,
                score: bm25 * together * passage.weight * one.standing(at, now),
            });
        }
    }
    hits.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| (a.file, a.line).cmp(&(b.file, b.line)))
    });
    hits
}

/// Returns the line of a passage that contains the most different words: its number, its text, and the ranges of the
/// words.
fn line(
    words: &SearchWords,
    passage: &Passage,
    marked: &std::collections::HashSet<usize>,
) -> Option<(usize, String, Vec<Range<usize>>)> {
    let whole =
        matches!(passage.kind, FoundKind::Comment | FoundKind::Outcome | FoundKind::Context);
    let lines = passage.text.lines().enumerate().map(|(index, text)| (passage.line + index, text));
    let mut best: Option<(usize, usize, &str)> = None;
    for (number, text) in lines.filter(|(number, _)| !whole || !marked.contains(number)) {
        let different = words.different(text);
        if different > best.map_or(0, |(most, ..)| most) {
            best = Some((different, number, text));
        }
    }
    let (_, number, text) = best?;
    let text = excerpt(words, &visible_line(text.trim()));
    let places = words.places(&text);
    Some((number, text, places))
}

/// Shortens a line for display: of a long line, returns the part around the first found word.
fn excerpt(words: &SearchWords, text: &str) -> String {
    let count = text.chars().count();
    if count <= SHOWN {
        return text.to_owned();
    }
    let first = words.places(text).first().map_or(0, |place| place.start);
    let first = text.get(..first).map_or(0, |before| before.chars().count());
    let start = first.saturating_sub(BEFORE).min(count - SHOWN);
    let cut: String = text.chars().skip(start).take(SHOWN).collect();
    let (before, after) =
        (if start > 0 { "…" } else { "" }, if start + SHOWN < count { "…" } else { "" });
    format!("{before}{}{after}", cut.trim())
}

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
                FoundKind::Title
                    | FoundKind::Item(ItemKind::Decision | ItemKind::Question)
                    | FoundKind::Context
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

#[cfg(test)]
mod tests;

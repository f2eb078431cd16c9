//! Ranks places by BM25 over passages. The pass over the files also counts how many files contain each word.

use std::ops::Range;

use super::kind::FoundKind;
use super::passage::{Passage, marked};
use super::words::SearchWords;
use crate::transcript::{Time, visible_line};

/// BM25's constants k1 and b: k1 limits how much repeated words add, b sets how much long passages lose.
pub(super) const SATURATION: f64 = 1.2;
pub(super) const LENGTH: f64 = 0.75;
/// The factor for discussions that ended in consensus.
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
    pub(super) fn rarity(&self) -> Vec<f64> {
        let of = |with: &usize| {
            let (files, with) = (self.files as f64, *with as f64);
            (1.0 + (files - with + 0.5) / (with + 0.5)).ln()
        };
        self.with.iter().map(of).collect()
    }
}

impl Looked {
    /// Returns the factor for consensus and for recent texts.
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
    /// True if the discussion ended in consensus.
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

#[cfg(test)]
mod tests;

//! One comment and the parts of it that count, and texts that repeat an earlier one word for word.
//!
//! Each repetition keeps its own number, so that `A: Q2` always means the same question; readers see only the first.

use foldhash::HashMap;

use super::decisions::normal;
use super::speaker::Speaker;
use super::typed::confidence;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{Body, BodyMark, Choice, Marker, Name};

/// The parts of a comment that count.
#[derive(Clone, Debug, PartialEq)]
pub struct CommentFacts {
    /// The author.
    pub speaker: Speaker,
    /// The author's name as written.
    pub name: Name,
    /// Index of the comment in the transcript's entries.
    pub entry: usize,
    /// Line of the comment's head.
    pub line: usize,
    /// Index of the phase in which it was written.
    pub phase: usize,
    /// Number of the phase visit in which it was written, counted over the whole file.
    pub visit: usize,
    /// The round it belongs to, counted from 1; 0 before the first round.
    pub round: u32,
    /// Index of the turn that it answers.
    pub turn: Option<usize>,
    /// The markers in it.
    pub marks: Vec<BodyMark>,
    /// The vote in it, if it is unambiguous.
    pub vote: Option<Choice>,
    /// The stated confidence, 0 to 1.
    pub confidence: Option<f64>,
}

impl CommentFacts {
    /// Returns true if the comment has markers, and all of them are notes about a decision.
    pub(crate) fn has_only_notes(&self) -> bool {
        !self.marks.is_empty() && self.marks.iter().all(|mark| mark.marker.may_name_decision())
    }

    /// Returns true if the comment has notes about a decision, and otherwise at most votes.
    pub(crate) fn notes_a_decision(&self) -> bool {
        let is_note = |mark: &BodyMark| mark.marker.may_name_decision();
        self.marks.iter().any(is_note)
            && self.marks.iter().all(|mark| is_note(mark) || mark.marker == Marker::Vote)
    }

    /// Returns the text of the first marker of a kind.
    pub(crate) fn mark(&self, marker: &Marker) -> Option<&str> {
        self.marks.iter().find(|mark| mark.marker == *marker).map(|mark| mark.text.as_str())
    }
}

/// Returns the vote of a comment and its line, if the vote is unambiguous; otherwise adds the reason to `problems`.
pub(super) fn vote(
    body: &Body,
    options: &[Choice],
    mixed: bool,
    problems: &mut Vec<Problem>,
) -> Option<(Choice, usize)> {
    let votes = body.marks.iter().filter(|mark| mark.marker == Marker::Vote);
    let mut found: Option<(Choice, usize)> = None;
    let mut unclear = mixed;
    for mark in votes {
        let here = (mark.line, mark.column);
        match Choice::named_in(options, &mark.text) {
            None => {
                unclear = true;
                problems.push(Problem::new(
                    Severity::Error,
                    ProblemCode::VoteUnknown,
                    here,
                    format!(
                        "`{}` is not an option; write exactly one of {}",
                        shorten(&mark.text),
                        Choice::listed(options)
                    ),
                ));
            }
            Some(option) => match &found {
                Some((other, line)) if other != option => {
                    unclear = true;
                    problems.push(Problem::new(
                        Severity::Error,
                        ProblemCode::VoteTwice,
                        here,
                        format!("this comment votes {other} in line {line} and {option} here, so neither counts; \
                                 remove one of them"),
                    ));
                }
                Some(_) => {}
                None => found = Some((option.clone(), mark.line)),
            },
        }
    }
    found.filter(|_| !unclear)
}

fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Returns the confidence that a comment states.
pub(super) fn stated_confidence(body: &Body, problems: &mut Vec<Problem>) -> Option<f64> {
    let mark = body.marks.iter().find(|mark| mark.marker == Marker::Confidence)?;
    let (share, out_of_bounds) = confidence(&mark.text)?;
    if out_of_bounds {
        let message = "this confidence is out of range, so the nearest valid value is used";
        let place = (mark.line, mark.column);
        let code = ProblemCode::ConfidenceOutOfBounds;
        problems.push(Problem::new(Severity::Warning, code, place, message));
    }
    Some(share)
}

/// A record of the numbered texts that repeat an earlier one.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// The last text that is not a repetition, by its normalized words.
    first_of: HashMap<String, usize>,
    /// For each repetition, the index of the text that it repeats.
    repeats: HashMap<usize, usize>,
}

impl Repeats {
    /// Adds a text, and returns the text that it repeats if that one is still open.
    pub(super) fn add(
        &mut self,
        index: usize,
        text: &str,
        is_open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let key = normal(text);
        let first = self.first_of.get(&key).copied().filter(|first| is_open(*first));
        match first {
            Some(first) => self.repeats.insert(index, first),
            None => self.first_of.insert(key, index),
        };
        first
    }

    /// Returns the text that this one repeats, or the text itself.
    pub(super) fn first(&self, index: usize) -> usize {
        self.repeats.get(&index).copied().unwrap_or(index)
    }

    /// Removes the texts that repeat another one.
    pub(super) fn fold<T>(&self, all: Vec<T>) -> Vec<T> {
        if self.repeats.is_empty() {
            return all;
        }
        let kept = all.into_iter().enumerate().filter(|(at, _)| !self.repeats.contains_key(at));
        kept.map(|(_, one)| one).collect()
    }
}

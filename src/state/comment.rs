//! One comment, counted.

use super::speaker::Speaker;
use crate::problem::{Problem, Severity};
use crate::transcript::{Body, Choice, Mark, Marker, Name};

/// What somebody said, as far as it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Who.
    pub speaker: Speaker,
    /// The name as written.
    pub name: Name,
    /// Index of the comment in the transcript's entries.
    pub entry: usize,
    /// Line of its head.
    pub line: usize,
    /// Index of the phase in which it was said.
    pub phase: usize,
    /// Which visit of any phase it was said in, counted over the file.
    pub visit: usize,
    /// The round it belongs to, from 1; 0 before the first.
    pub round: u32,
    /// Index of the turn that it answers.
    pub turn: Option<usize>,
    /// Its markers.
    pub marks: Vec<Mark>,
    /// Its vote, when it is clear.
    pub vote: Option<Choice>,
    /// How sure, 0 to 1.
    pub confidence: Option<f64>,
}

impl Said {
    /// The text of its first marker of a kind.
    pub fn mark(&self, marker: &Marker) -> Option<&str> {
        self.marks.iter().find(|mark| mark.marker == *marker).map(|mark| mark.text.as_str())
    }
}

/// The one clear vote of a comment, and its line; problems say why there is none.
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
        match options.iter().find(|option| option.matches(&mark.text)) {
            None => {
                unclear = true;
                let names: Vec<&str> = options.iter().map(Choice::as_str).collect();
                problems.push(Problem::new(
                    Severity::Error,
                    "vote-unknown",
                    here,
                    format!(
                        "`{}` is no vote here; it has to be exactly one of {}",
                        shorten(&mark.text),
                        names.join(", ")
                    ),
                ));
            }
            Some(option) => match &found {
                Some((other, line)) if other != option => {
                    unclear = true;
                    problems.push(Problem::new(
                        Severity::Error,
                        "vote-twice",
                        here,
                        format!("this comment votes {other} in line {line} and {option} here, so neither counts; leave one"),
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

/// Reads how sure somebody is: up to 1 a fraction, above it per cent; the flag says that it was out of bounds.
pub fn confidence(text: &str) -> Option<(f64, bool)> {
    let text = text.trim_matches([' ', '*', '_', '.', '!', '~']);
    let number = text.split([' ', '%', '/', ',', '(']).next()?;
    let value: f64 = number.parse().ok().filter(|value: &f64| value.is_finite())?;
    let share = if value > 1.0 || text[number.len()..].trim_start().starts_with('%') {
        value / 100.0
    } else {
        value
    };
    Some((share.clamp(0.0, 1.0), !(0.0..=1.0).contains(&share)))
}

/// The confidence that a comment states.
pub(super) fn stated_confidence(body: &Body, problems: &mut Vec<Problem>) -> Option<f64> {
    let mark = body.marks.iter().find(|mark| mark.marker == Marker::Confidence)?;
    let read = confidence(&mark.text);
    let (code, message) = match read {
        None => (
            "confidence-unreadable",
            "this confidence cannot be read and weighs 0.5; write a number from 0 to 1 or per cent",
        ),
        Some((_, true)) => (
            "confidence-out-of-bounds",
            "this confidence is out of bounds and was set to the nearest one",
        ),
        Some((share, false)) => return Some(share),
    };
    problems.push(Problem::new(Severity::Warning, code, (mark.line, mark.column), message));
    read.map(|(share, _)| share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_is_a_fraction_up_to_one_and_per_cent_above() {
        for (text, read) in [
            ("0.8", Some((0.8, false))),
            ("1", Some((1.0, false))),
            ("80", Some((0.8, false))),
            ("80 %", Some((0.8, false))),
            ("0.5%", Some((0.005, false))),
            ("**90%**", Some((0.9, false))),
            ("85/100", Some((0.85, false))),
            ("140", Some((1.0, true))),
            ("-1", Some((0.0, true))),
            ("high", None),
        ] {
            assert_eq!(confidence(text), read, "{text}");
        }
    }
}

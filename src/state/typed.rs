//! Texts after a marker: the items that it targets (`A: Q3 ...`, `DONE: T1, T2`), or a value (a rating, a risk, a
//! confidence, a missing requirement).
//!
//! If a value cannot be parsed, it is ignored and reported; a number is never guessed from a sentence.

use super::kind::ItemKind;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::{BodyMark, Marker, MarkerValue};

/// The value of a marker, in the type of that marker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Typed<'m> {
    /// A number; displayed without decimals if it is whole.
    Number(f64),
    /// A fraction from 0 to 1.
    Share(f64),
    /// One of a few words.
    Word(&'static str),
    /// Free text.
    Text(&'m str),
}

impl<'m> Typed<'m> {
    /// Parses the value of a mark; none if its text is not a valid value.
    pub(crate) fn of(mark: &'m BodyMark) -> Option<Self> {
        let text = mark.text.as_str();
        match mark.marker.value() {
            MarkerValue::Rating => rating(text).map(Self::Number),
            MarkerValue::Grade => risk(text).map(Self::Word),
            MarkerValue::Share => confidence(text).map(|(share, _)| Self::Share(share)),
            MarkerValue::Text | MarkerValue::Option => Some(Self::Text(text)),
        }
    }
}

/// Returns true if a mark has a valid value.
pub(crate) fn is_readable(mark: &BodyMark) -> bool {
    Typed::of(mark)
        .is_some_and(|value| !matches!(value, Typed::Text(text) if text.trim().is_empty()))
}

/// Adds a warning for each marker with a value that cannot be parsed.
pub(super) fn unreadable(marks: &[BodyMark], problems: &mut Vec<Problem>) {
    for mark in marks.iter().filter(|mark| !is_readable(mark)) {
        let Some(wanted) = mark.marker.value().expected_value() else { continue };
        let word = mark.marker.word();
        let message = format!("this {word} cannot be read and is ignored; write {wanted}");
        let code = ProblemCode::ValueUnreadable;
        problems.push(Problem::new(Severity::Warning, code, (mark.line, mark.column), message));
    }
}

/// Parses a rating from 1 to 5: `4`, `4/5`, `4 out of 5`, `4 (because ...)`.
fn rating(text: &str) -> Option<f64> {
    let (number, rest) = number(bare(text))?;
    let (scale, rest) = scale(rest).map_or((None, rest), |(scale, rest)| (Some(scale), rest));
    let fits = (1.0..=5.0).contains(&number) && scale.is_none_or(|scale| scale == 5.0);
    (fits && ends(rest)).then_some(number)
}

/// Parses the level of a risk: `high`, `High (because ...)`, `high risk`.
fn risk(text: &str) -> Option<&'static str> {
    let text = bare(text).to_lowercase();
    let word =
        ["low", "medium", "high", "critical"].into_iter().find(|word| text.starts_with(word))?;
    let rest = text[word.len()..].trim_start_matches(" risk");
    // A list of several levels is not a valid value.
    let several = [",", "/", " or ", " to ", " and "].iter().any(|more| rest.starts_with(more));
    (ends(rest) && !several).then_some(word)
}

/// Parses a confidence. A number up to 1 is a fraction, a larger one a percentage, and `8/10` is a fraction too. The
/// flag is true if the value was out of range.
pub fn confidence(text: &str) -> Option<(f64, bool)> {
    let (number, rest) = number(bare(text))?;
    let blank = rest.trim_start();
    let (share, rest) = if let Some(rest) = blank.strip_prefix('%') {
        (number / 100.0, rest)
    } else if let Some((scale, rest)) = scale(rest).filter(|(scale, _)| *scale > 0.0) {
        (number / scale, rest)
    } else if number > 1.0 {
        (number / 100.0, rest)
    } else {
        (number, rest)
    };
    ends(rest).then(|| (share.clamp(0.0, 1.0), !(0.0..=1.0).contains(&share)))
}

/// Returns true if `MISSING:` says that nothing is missing.
pub(crate) fn says_none(mark: &BodyMark) -> bool {
    if mark.marker != Marker::Missing {
        return false;
    }
    let text = mark.text.to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let filler = [
        "requirement",
        "requirements",
        "gap",
        "gaps",
        "missing",
        "found",
        "identified",
        "reported",
        "noted",
        "to",
        "report",
        "is",
        "are",
        "were",
        "at",
        "all",
        "so",
        "far",
        "here",
    ];
    match words.as_slice() {
        [] | ["n", "a"] | ["na"] => true,
        ["none" | "nothing" | "no", rest @ ..] => rest.iter().all(|word| filler.contains(word)),
        _ => false,
    }
}

/// Removes emphasis and surrounding spaces.
fn bare(text: &str) -> &str {
    text.trim_matches([' ', '*', '_', '~'])
}

/// Parses a number at the beginning of a text, with a decimal point or comma; returns it and the rest.
fn number(text: &str) -> Option<(f64, &str)> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let length = digits
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .unwrap_or(digits.len());
    // A point or comma at the end belongs to the sentence.
    let end = text.len() - digits.len() + digits[..length].trim_end_matches(['.', ',']).len();
    let value: f64 = text[..end].replace(',', ".").parse().ok()?;
    value.is_finite().then_some((value, &text[end..]))
}

/// Parses `/5`, `out of 5` or `of 5`; returns the number and the rest.
fn scale(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let rest = ["/", "out of ", "of "].iter().find_map(|word| text.strip_prefix(word))?;
    number(rest.trim_start())
}

/// Returns true if a value ends here: at the end of the text, before punctuation, or before a remark that follows a
/// space.
fn ends(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['*', '_']);
    match rest.chars().next() {
        None | Some('.' | ',' | ';' | ':' | '!' | ')' | '—' | '–') => true,
        Some(' ' | '(') => !rest.trim_start().starts_with(['%', '/']),
        Some(_) => false,
    }
}

/// The items that a marker can refer to.
pub(super) struct Target {
    pub(super) kind: ItemKind,
    pub(super) count: usize,
}

impl Target {
    /// Returns the indices of the items that a marker names by number; none if it names no number. A number that does
    /// not exist adds a problem and is left out of the list.
    pub(super) fn numbered(
        &self,
        mark: &BodyMark,
        problems: &mut Vec<Problem>,
    ) -> Option<Vec<usize>> {
        let Self { kind, count } = *self;
        let letter = kind.letter();
        let named = numbers(&mark.text, letter);
        if named.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        for number in named {
            if !(1..=count).contains(&number) {
                problems.push(Problem::new(
                    Severity::Warning,
                    match kind {
                        ItemKind::Decision => ProblemCode::DecisionUnknown,
                        _ => ProblemCode::NumberUnknown,
                    },
                    (mark.line, mark.column),
                    format!("there is no {kind} {letter}{number} above"),
                ))
            } else if !found.contains(&(number - 1)) {
                found.push(number - 1)
            }
        }
        Some(found)
    }

    /// Adds a problem: it is unclear which item the marker is about.
    pub(super) fn unclear(&self, mark: &BodyMark, problems: &mut Vec<Problem>) {
        let (kind, letter) = (self.kind, self.kind.letter());
        let message = format!(
            "it is unclear which open {kind} is meant; give its number, like `{}: {letter}1 ...`",
            mark.marker
        );
        let here = (mark.line, mark.column);
        problems.push(Problem::new(Severity::Warning, ProblemCode::TargetUnclear, here, message));
    }
}

/// Returns the numbers at the beginning of a text: `Q3`, `T1, T2 and T4`. Parsed by hand, because compiling a regular
/// expression takes longer than everything else in a short discussion.
pub(super) fn numbers(text: &str, letter: char) -> Vec<usize> {
    let (mut rest, mut found) = (text, Vec::new());
    while let Some((number, after)) = next_number(rest, letter) {
        found.push(number);
        rest = after;
    }
    found
}

/// Returns the next number with this letter and the text after it. Up to four punctuation characters, or a joining
/// word, may come before the number.
fn next_number(text: &str, letter: char) -> Option<(usize, &str)> {
    let signs = text.chars().take_while(|&sign| !is_of_word(sign)).take(4).map(char::len_utf8);
    let joined = text.trim_start();
    let joined = [",", "&", "+", "and"].iter().find_map(|join| joined.strip_prefix(join));
    let starts = [Some(&text[signs.sum()..]), joined.map(str::trim_start)];
    starts.into_iter().flatten().find_map(|start| {
        let mut signs = start.chars();
        let behind = signs.next().filter(|first| first.eq_ignore_ascii_case(&letter));
        let digits = behind.map(|_| signs.as_str())?;
        let after = digits.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let digits = &digits[..digits.len() - after.len()];
        let ends = digits.len() <= 6 && !after.starts_with(is_of_word);
        Some((digits.parse().ok().filter(|_| ends)?, after))
    })
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_is_a_fraction_up_to_one_and_percent_above() {
        for (text, read) in [
            ("0.8", Some((0.8, false))),
            ("0,8", Some((0.8, false))),
            (".8", Some((0.8, false))),
            ("1", Some((1.0, false))),
            ("80", Some((0.8, false))),
            ("80 %", Some((0.8, false))),
            ("0.5%", Some((0.005, false))),
            ("**90%**", Some((0.9, false))),
            ("85/100", Some((0.85, false))),
            ("8/10", Some((0.8, false))),
            ("8 of 10", Some((0.8, false))),
            ("8 out of 10.", Some((0.8, false))),
            ("0.7, since it was measured", Some((0.7, false))),
            ("0.7 (measured)", Some((0.7, false))),
            ("140", Some((1.0, true))),
            ("-1", Some((0.0, true))),
            ("high", None),
            ("0.8x", None),
            ("", None),
        ] {
            assert_eq!(confidence(text), read, "{text}");
        }
    }

    #[test]
    fn rating_is_from_one_to_five() {
        for (text, read) in [
            ("4", Some(4.0)),
            ("**4**", Some(4.0)),
            ("3.5", Some(3.5)),
            ("4/5", Some(4.0)),
            ("4 out of 5", Some(4.0)),
            ("2, because of the login", Some(2.0)),
            ("2/10", None),
            ("6", None),
            ("0", None),
            ("40%", None),
            ("four", None),
            ("2-3", None),
        ] {
            assert_eq!(rating(text), read, "{text}");
        }
    }

    #[test]
    fn risk_is_one_of_four_words() {
        for (text, read) in [
            ("High", Some("high")),
            ("high risk.", Some("high")),
            ("critical (data loss)", Some("critical")),
            ("medium-high", None),
            ("low, medium, high or critical", None),
            ("highest", None),
            ("severe", None),
        ] {
            assert_eq!(risk(text), read, "{text}");
        }
    }

    #[test]
    fn missing_none_is_distinguished_from_a_requirement() {
        let mark = |text: &str| BodyMark {
            marker: Marker::Missing,
            text: text.to_owned(),
            ticked: false,
            line: 1,
            column: 1,
            value: 0..0,
        };
        for text in
            ["none", "None reported.", "n/a", "no missing requirements", "Nothing found", "-"]
        {
            assert!(says_none(&mark(text)), "{text}");
        }
        for text in ["None of the error cases is specified", "no login", "nothing about prices"] {
            assert!(!says_none(&mark(text)), "{text}");
        }
    }

    #[test]
    fn numbers_are_read_at_the_beginning() {
        for (text, letter, found) in [
            ("Q3 because", 'Q', vec![3]),
            ("**q3**: because", 'Q', vec![3]),
            ("T1, T2 and T4 at last", 'T', vec![1, 2, 4]),
            ("D1 (see D4)", 'D', vec![1]),
            ("see Q3", 'Q', vec![]),
            ("T1", 'Q', vec![]),
            ("Q3x", 'Q', vec![]),
            ("Q3_x", 'Q', vec![]),
            ("éQ3", 'Q', vec![]),
            ("**\u{a0}(Q3", 'Q', vec![3]),
            ("****(Q3", 'Q', vec![]),
            ("Q1,\u{a0}    Q2 &Q3+ Q4 andQ5", 'Q', vec![1, 2, 3, 4, 5]),
            ("Q1 T2", 'Q', vec![1]),
            ("Q123456", 'Q', vec![123_456]),
            ("Q1234567", 'Q', vec![]),
            ("Q", 'Q', vec![]),
            ("", 'Q', vec![]),
        ] {
            assert_eq!(numbers(text, letter), found, "{text}");
        }
    }
}

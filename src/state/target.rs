//! What a mark is about: `A: Q3 ...`, `DONE: T1, T2`.

use std::sync::LazyLock;

use regex::Regex;

use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::Mark;

/// What a mark can be about.
pub(super) struct Target {
    pub(super) letter: char,
    pub(super) what: &'static str,
    pub(super) count: usize,
}

impl Target {
    /// Indices of what a mark names by number; none where it names no number. What does not exist is a problem, and
    /// then the list is shorter than what was named.
    pub(super) fn numbered(&self, mark: &Mark, problems: &mut Vec<Problem>) -> Option<Vec<usize>> {
        let named = numbers(&mark.text, self.letter);
        if named.is_empty() {
            return None;
        }
        let Self { letter, what, count } = *self;
        let mut found = Vec::new();
        for number in named {
            match (1..=count).contains(&number) {
                true if found.contains(&(number - 1)) => {}
                true => found.push(number - 1),
                false => problems.push(Problem::new(
                    Severity::Warning,
                    match letter {
                        'D' => ProblemCode::DecisionUnknown,
                        _ => ProblemCode::NumberUnknown,
                    },
                    (mark.line, mark.column),
                    format!("there is no {what} {letter}{number} above"),
                )),
            }
        }
        Some(found)
    }

    /// Says that nothing is clearly meant.
    pub(super) fn unclear(&self, mark: &Mark, problems: &mut Vec<Problem>) {
        let Self { letter, what, .. } = self;
        let message = format!(
            "no open {what} is clearly meant; name it by its number, such as `{}: {letter}1 ...`",
            mark.marker
        );
        let here = (mark.line, mark.column);
        problems.push(Problem::new(Severity::Warning, ProblemCode::TargetUnclear, here, message));
    }
}

/// The numbers with which a text begins: `Q3`, `T1, T2 and T4`.
pub(super) fn numbers(text: &str, letter: char) -> Vec<usize> {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:\W{0,4}|\s*(?:,|&|\+|and)\s*)([A-Za-z])([0-9]{1,6})\b")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    let (mut rest, mut found) = (text, Vec::new());
    while let Some(number) = NUMBER.captures(rest) {
        if !number[1].eq_ignore_ascii_case(&letter.to_string()) {
            break;
        }
        found.extend(number[2].parse::<usize>());
        rest = &rest[number[0].len()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn numbers_stand_at_the_beginning() {
        for (text, letter, found) in [
            ("Q3 because", 'Q', vec![3]),
            ("**q3**: because", 'Q', vec![3]),
            ("T1, T2 and T4 at last", 'T', vec![1, 2, 4]),
            ("D1 (see D4)", 'D', vec![1]),
            ("see Q3", 'Q', vec![]),
            ("T1", 'Q', vec![]),
            ("Q3x", 'Q', vec![]),
        ] {
            assert_eq!(numbers(text, letter), found, "{text}");
        }
    }
}

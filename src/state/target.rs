//! Parses the target of a marker: `A: Q3 ...`, `DONE: T1, T2`.

use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::transcript::BodyMark;

/// A kind of numbered item that a marker can refer to.
pub(super) struct Target {
    pub(super) letter: char,
    pub(super) what: &'static str,
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
        let named = numbers(&mark.text, self.letter);
        if named.is_empty() {
            return None;
        }
        let Self { letter, what, count } = *self;
        let mut found = Vec::new();
        for number in named {
            if !(1..=count).contains(&number) {
                problems.push(Problem::new(
                    Severity::Warning,
                    match letter {
                        'D' => ProblemCode::DecisionUnknown,
                        _ => ProblemCode::NumberUnknown,
                    },
                    (mark.line, mark.column),
                    format!("there is no {what} {letter}{number} above"),
                ))
            } else if !found.contains(&(number - 1)) {
                found.push(number - 1)
            }
        }
        Some(found)
    }

    /// Adds a problem: it is unclear which item the marker is about.
    pub(super) fn unclear(&self, mark: &BodyMark, problems: &mut Vec<Problem>) {
        let Self { letter, what, .. } = self;
        let message = format!(
            "it is unclear which open {what} is meant; give its number, like `{}: {letter}1 ...`",
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
    use super::numbers;

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

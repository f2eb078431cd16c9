//! The options of a vote, and the vote line that a writer puts at the end of a comment.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::line::{is_blank, trim_blank_lines};
use crate::invisible::is_deceptive;

/// The maximum number of characters of one option.
const LONGEST: usize = 80;

/// The reason why a text cannot be an option.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChoiceError {
    /// The text is empty after trimming.
    #[error("an option needs at least one letter or digit")]
    Empty,
    /// The text has more than 80 characters.
    #[error("an option can have at most {LONGEST} characters, this one has {0}")]
    TooLong(usize),
    /// The text contains a character that would be read as Markdown, HTML or a line end.
    #[error("`{}` is not allowed in an option", .0.escape_debug())]
    Character(char),
}

/// One option of a vote, such as `READY`. Options are equal if they differ only in the case of ASCII letters.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Choice(String);

impl Choice {
    /// Parses an option; spaces and tabs at its ends are removed, and everything else stays as it was written.
    ///
    /// # Errors
    /// Fails if the rest is empty or too long, or if it contains a character that could change the meaning of the
    /// line.
    pub fn parse(text: &str) -> Result<Self, ChoiceError> {
        let text = text.trim_matches(BLANKS);
        if let Some(bad) = text.chars().find(|&c| {
            is_deceptive(c) || c.is_control() || matches!(c, '<' | '>' | '`' | '\\' | '|')
        }) {
            return Err(ChoiceError::Character(bad));
        }
        match text.chars().count() {
            length if length > LONGEST => Err(ChoiceError::TooLong(length)),
            _ if !text.chars().any(char::is_alphanumeric) => Err(ChoiceError::Empty),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// Returns the option as it is displayed and written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if a reader takes both for one option: they differ only in case, in emphasis, or in the punctuation at
    /// their end. A sign before the first letter, as in `.env`, makes a difference.
    pub(crate) fn reads_like(&self, other: &Self) -> bool {
        let [one, other] = [self, other].map(|choice| {
            choice.0.trim_matches(EMPHASIS).trim_end_matches(SIGNS).trim_start_matches(EMPHASIS)
        });
        one.eq_ignore_ascii_case(other)
    }

    /// Returns the option that the raw text of a vote names: the one with these words, or else the only one that differs
    /// in emphasis or in the punctuation at its ends. `.env` and `env` may both be options.
    pub(crate) fn named_in<'o>(options: &'o [Self], text: &str) -> Option<&'o Self> {
        let text = text.trim_matches(BLANKS);
        let without_signs = text.trim_matches(SIGNS);
        let bare = text.trim_matches(EMPHASIS);
        let forms = [
            text,
            bare,
            bare.trim_end_matches(SIGNS),
            bare.trim_start_matches(SIGNS),
            without_signs,
        ];
        let exact = |form: &str| options.iter().find(|option| option.0.eq_ignore_ascii_case(form));
        if let Some(option) = forms.into_iter().find_map(exact) {
            return Some(option);
        }
        let is_alike =
            |option: &&Self| option.0.trim_matches(SIGNS).eq_ignore_ascii_case(without_signs);
        let mut alike = options.iter().filter(is_alike);
        let first = alike.next()?;
        alike.next().is_none().then_some(first)
    }

    /// Returns the options as they are written in a sentence. Commas within an option need another separator.
    pub(crate) fn listed(options: &[Self]) -> String {
        let words: Vec<&str> = options.iter().map(Self::as_str).collect();
        let has_comma = words.iter().any(|word| word.contains(','));
        words.join(if has_comma { " | " } else { ", " })
    }
}

/// The characters that belong to no option.
const BLANKS: [char; 2] = [' ', '\t'];

/// The characters of emphasis, and blanks.
const EMPHASIS: [char; 4] = [' ', '\t', '*', '_'];

/// The characters that may surround an option in a vote: blanks, emphasis, the end of a sentence.
const SIGNS: [char; 6] = [' ', '\t', '*', '_', '.', '!'];

impl PartialEq for Choice {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Choice {}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Choice {
    type Error = ChoiceError;

    fn try_from(text: String) -> Result<Self, ChoiceError> {
        Self::parse(&text)
    }
}

impl From<Choice> for String {
    fn from(choice: Choice) -> Self {
        choice.0
    }
}

/// Splits a stored body into the text and the text of its closing vote line.
///
/// That line is exactly `VOTE: <text>`, and is the only line or follows a blank line.
pub(super) fn split_trailing_vote(stored: &str) -> (&str, Option<&str>) {
    let (before, last) = match stored.rfind('\n') {
        Some(end) => (&stored[..end], &stored[end + 1..]),
        None => ("", stored),
    };
    let Some(vote) = last.strip_prefix("VOTE: ").filter(|vote| !is_blank(vote)) else {
        return (stored, None);
    };
    let above = before.rsplit('\n').next().unwrap_or_default();
    if !is_blank(above.strip_suffix('\r').unwrap_or(above)) {
        return (stored, None);
    }
    (&before[trim_blank_lines(before)], Some(vote.trim_end_matches([' ', '\t', '\r'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &[&str]) -> Vec<Choice> {
        words.iter().map(|word| Choice::parse(word).unwrap()).collect()
    }

    #[test]
    fn option_keeps_its_words() {
        for word in ["yes, with a flag", ".just", "1.", "[x]", "__init__"] {
            assert_eq!(Choice::parse(&format!(" {word}\t")).unwrap().as_str(), word);
        }
    }

    #[test]
    fn options_that_a_reader_takes_for_one_are_twins() {
        let twins = |one: &str, other: &str| {
            Choice::parse(one).unwrap().reads_like(&Choice::parse(other).unwrap())
        };
        for other in ["ship", "ship!", "**SHIP**", "SHIP.", "_Ship_!"] {
            assert!(twins("SHIP", other), "{other}");
        }
        assert!(!twins(".env", "env") && !twins("SHIP", "SHIPS"));
    }

    #[test]
    fn vote_names_the_option_with_its_words_before_a_similar_one() {
        let all = options(&[".env", "env", "1.", "READY"]);
        let named = |text: &str| Choice::named_in(&all, text).map(Choice::as_str);
        for (text, option) in [
            (".env", ".env"),
            ("env", "env"),
            ("**.env**", ".env"),
            ("env.", "env"),
            ("1", "1."),
            ("1.", "1."),
            ("**ready**!", "READY"),
        ] {
            assert_eq!(named(text), Some(option), "{text}");
        }
        assert_eq!(named("ENVY"), None);
        assert_eq!(Choice::named_in(&options(&[".env", "!env"]), "env"), None, "it could be both");
    }

    #[test]
    fn options_with_commas_are_listed_apart() {
        assert_eq!(Choice::listed(&options(&["a", "b"])), "a, b");
        assert_eq!(Choice::listed(&options(&["a, b", "c"])), "a, b | c");
    }
}

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
    /// Parses an option; spaces, tabs, `*`, `_`, `.` and `!` at its ends are removed.
    ///
    /// # Errors
    /// Fails if the rest is empty or too long, or if it contains a character that could change the meaning of the
    /// line.
    pub fn parse(text: &str) -> Result<Self, ChoiceError> {
        let text = trim(text);
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

    /// Returns true if the raw text of a vote names exactly this option.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.0.eq_ignore_ascii_case(trim(text))
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '*', '_', '.', '!'])
}

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

//! What is wrong with a file that people write, with the line in front of their eyes.

use std::fmt;

use crate::codes::Fix;
use crate::invisible::visible;
use crate::similarity::suggest;
use serde_yaml::{DeserializeError, MessageFormatter, UserMessageFormatter};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A text that could not be read: where, what, and how to mend it.
///
/// Its `Display` is made for people:
///
/// ```text
/// participants/architect.yaml:4:1: unknown key `aliass`
///   |
/// 4 | aliass: arch
///   | ^
/// help: did you mean `alias`?
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// What the text is called, usually its path.
    pub origin: String,
    /// Line, from 1; 0 when the error is about no one place.
    pub line: usize,
    /// Column in characters, from 1; 0 when the error is about no one place.
    pub column: usize,
    /// The line itself, without its end; empty when there is no place.
    pub source_line: Box<str>,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// How to mend it, where that is known.
    pub hint: Option<String>,
    /// The same as data, where it is a step of its own: the words for it are the front end's.
    pub fix: Option<Fix>,
}

/// A longer line is cut to a window around the column: minified YAML is one line of everything.
const SHOWN_COLUMNS: usize = 120;

/// What is said of bombs.
const TOO_DEEP: &str = "too large or too deeply nested to be read";

/// What mends a value that reads as a key and a value.
const COLON: &str = "put a value that contains `: ` in quotes, like `key: 'a: b'`";

impl LoadError {
    /// An error about a text as a whole.
    pub(crate) fn new(origin: &str, message: impl Into<String>) -> Self {
        Self {
            origin: origin.to_owned(),
            line: 0,
            column: 0,
            source_line: Box::default(),
            message: message.into(),
            hint: None,
            fix: None,
        }
    }

    /// An error at a place in `text`, both counted from 1 within `text`; `first_line` is the line
    /// of the file on which `text` begins.
    pub(crate) fn at(
        origin: &str,
        text: &str,
        first_line: usize,
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) -> Self {
        if line == 0 {
            return Self::new(origin, message);
        }
        Self {
            line: line + first_line.max(1) - 1,
            column,
            source_line: text.lines().nth(line - 1).unwrap_or_default().into(),
            ..Self::new(origin, message)
        }
    }

    /// The same error with a way to mend it.
    #[must_use]
    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The same error with what mends it.
    #[must_use]
    pub(crate) fn with_fix(self, fix: Fix) -> Self {
        Self { fix: Some(fix), ..self }
    }

    pub(super) fn from_yaml(
        error: &DeserializeError,
        text: &str,
        origin: &str,
        first_line: usize,
    ) -> Self {
        let place = error.location().map_or((0, 0), |location| {
            (
                usize::try_from(location.line()).unwrap_or(0),
                usize::try_from(location.column()).unwrap_or(0),
            )
        });
        let (message, hint) = explain(error);
        Self { hint, ..Self::at(origin, text, first_line, place, message) }
    }
}

/// The message for people, and the hint that goes with it.
fn explain(error: &DeserializeError) -> (String, Option<String>) {
    use DeserializeError as E;
    match error.without_snippet() {
        E::AliasError { error, .. } => explain(error),
        E::SerdeUnknownField { field, expected, .. } => {
            (format!("unknown key `{field}`"), suggestion(field, expected, "keys"))
        }
        E::SerdeUnknownVariant { variant, expected, .. } => {
            (format!("unknown value `{variant}`"), suggestion(variant, expected, "values"))
        }
        E::SerdeMissingField { field, .. } => (format!("the key `{field}` is missing"), None),
        E::DuplicateMappingKey { key: Some(key), .. } => {
            (format!("the key `{key}` is given twice"), None)
        }
        E::InvalidBooleanStrict { .. } => ("expected `true` or `false`".to_owned(), None),
        E::NullIntoString { .. } => ("expected text, found nothing".to_owned(), None),
        E::SerdeInvalidType { unexpected, expected, .. } => {
            (format!("expected {expected}, found {unexpected}"), None)
        }
        E::SerdeInvalidValue { unexpected, expected, .. } => {
            (format!("expected {expected}, found {unexpected}"), None)
        }
        E::InvalidScalar { ty, .. } => (format!("expected {}", words_for(ty)), None),
        E::Unexpected { expected, .. } => (format!("expected {}", words_for(expected)), None),
        E::MultipleDocuments { .. } => (
            "a second YAML document begins here".to_owned(),
            Some("keep one document per file: remove the `---` line above".to_owned()),
        ),
        E::Budget { .. }
        | E::AliasReplayLimitExceeded { .. }
        | E::AliasExpansionLimitExceeded { .. }
        | E::AliasReplayStackDepthExceeded { .. } => (TOO_DEEP.to_owned(), None),
        other => match UserMessageFormatter.format_message(other).into_owned() {
            // The parser has a bound of its own for `[[[`.
            message if message.contains("recursion limit") => (TOO_DEEP.to_owned(), None),
            message if message.contains("mapping values are not allowed") => {
                (message, Some(COLON.to_owned()))
            }
            message => (message, None),
        },
    }
}

/// What people call what the parser asks for.
fn words_for(ty: &str) -> &str {
    match ty {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" | "u64" | "u128" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" | "float" | "floating point" => "a number",
        "sequence start" => "a list",
        "mapping start" => "`key: value` lines",
        "string scalar" | "scalar" => "one value",
        other => other,
    }
}

/// The nearest of the known words, else all of them.
fn suggestion(word: &str, known: &[&str], what: &str) -> Option<String> {
    if let Some(near) = suggest(word, known.iter().copied()).first() {
        return Some(format!("did you mean `{near}`?"));
    }
    if known.is_empty() {
        return None;
    }
    let known: Vec<_> = known.iter().map(|word| format!("`{word}`")).collect();
    Some(format!("known {what}: {}", known.join(", ")))
}

/// A part of `line` around `column` as a terminal shows it, and how many of the terminal's columns the caret is from its
/// beginning.
fn window(line: &str, column: usize) -> (String, usize) {
    let caret = column.saturating_sub(1);
    let at = line.char_indices().nth(caret).map_or(line.len(), |(at, _)| at);
    let past = caret.saturating_sub(line.chars().count());
    let mut before = shown(&line[..at]);
    if before.width() >= SHOWN_COLUMNS {
        let kept = fitting(before.chars().rev(), SHOWN_COLUMNS / 2);
        before = before.split_off(before.len() - kept);
    }
    let caret = before.width();
    let behind: String = line[at..].chars().take(SHOWN_COLUMNS).collect();
    let behind = shown(&behind);
    let kept = fitting(behind.chars(), SHOWN_COLUMNS.saturating_sub(caret));
    (format!("{before}{}", &behind[..kept]).trim_end().to_owned(), caret + past)
}

/// A tab has no fixed width and an escape sequence could rewrite the terminal; what has no width is spelt out.
fn shown(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    visible(&plain).into_owned()
}

/// How many bytes of the first characters fit into so many columns.
fn fitting(characters: impl Iterator<Item = char>, columns: usize) -> usize {
    let mut width = 0;
    characters
        .take_while(|c| {
            width += c.width().unwrap_or(0);
            width <= columns
        })
        .map(char::len_utf8)
        .sum()
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.origin, self.message)?;
        } else {
            writeln!(f, "{}:{}:{}: {}", self.origin, self.line, self.column, self.message)?;
            let (shown, caret) = window(&self.source_line, self.column);
            let number = self.line.to_string();
            let margin = " ".repeat(number.len());
            writeln!(f, "{margin} |")?;
            writeln!(f, "{number} | {shown}")?;
            write!(f, "{margin} | {:caret$}^", "")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhelp: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

//! YAML for the whole project, also between two `---` lines at the top of a Markdown file. Errors show the line that
//! they are about.

use std::cell::{Cell, OnceCell};
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_yaml::{DeserializeError, MessageFormatter, UserMessageFormatter};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use self::node::{Misfit, Node, PlacelessNode};
use self::read_node::NodeReader;
pub(crate) use self::read_node::Spanned;
use crate::codes::Fix;
use crate::invisible::visible;
use crate::similarity::suggest;

mod node;
mod read_node;

/// A longer text is refused before it is parsed; no real configuration is nearly as long.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Parses one YAML document from a whole file.
///
/// `origin` is the name of the text in errors, usually its path. `yes` and `no` are strings, not booleans; a key
/// given twice is an error; nesting and aliases are bounded.
///
/// # Errors
///
/// Returns [`LoadError`] with the position of the value that does not fit `T`, or of the invalid YAML.
pub fn read<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T, LoadError> {
    read_at(text, origin, 1)
}

/// Parses YAML that begins at line `first_line` (counted from 1) of a larger file, so that errors contain the line
/// numbers of that file.
///
/// # Errors
///
/// Returns [`LoadError`] with the position of the value that does not fit `T`, or of the invalid YAML.
pub(crate) fn read_at<T: DeserializeOwned>(
    text: &str,
    origin: &str,
    first_line: usize,
) -> Result<T, LoadError> {
    YamlDocument::parse(text, origin, first_line)?.read()
}

/// Parses the YAML of a file that is part of the program. [`Spanned`] values in it may have the place `(0, 0)`.
///
/// # Errors
///
/// Returns [`LoadError`] only if the program was built with a broken file.
pub(crate) fn read_embedded<T: DeserializeOwned>(
    text: &'static str,
    origin: &str,
) -> Result<T, LoadError> {
    YamlDocument::parse(text, origin, 1)?.ignoring_places().read()
}

/// A parsed YAML text, from which several types can be read.
///
/// Most texts are correct, and most types need no places. Values with their places take several times as long to parse,
/// so they are only parsed for an error, or for a type that asks for places.
pub(crate) struct YamlDocument<'t> {
    placeless: Node,
    placed: OnceCell<Node>,
    ignores_places: bool,
    text: &'t str,
    origin: &'t str,
    first_line: usize,
}

impl<'t> YamlDocument<'t> {
    /// Parses a text as YAML, whatever it contains.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] with the position of the invalid YAML.
    pub(crate) fn parse(
        text: &'t str,
        origin: &'t str,
        first_line: usize,
    ) -> Result<Self, LoadError> {
        if text.len() > MAX_BYTES {
            let message = format!("the file is larger than {} MiB", MAX_BYTES / (1024 * 1024));
            return Err(LoadError::new(origin, message));
        }
        let PlacelessNode(placeless) = serde_yaml::from_str_with_options(text, options())
            .map_err(|error| LoadError::from_yaml(&error, text, origin, first_line))?;
        Ok(Self {
            placeless,
            placed: OnceCell::new(),
            ignores_places: false,
            text,
            origin,
            first_line,
        })
    }

    /// Gives [`Spanned`] values the place `(0, 0)`, for a text that no user can correct.
    pub(crate) fn ignoring_places(self) -> Self {
        Self { ignores_places: true, ..self }
    }

    /// Reads a value from the whole text.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] with the position of the value that does not fit `T`.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, LoadError> {
        match self.read_without_places() {
            (Ok(value), needs_places) if self.ignores_places || !needs_places => Ok(value),
            _ => self.read_with_places(),
        }
    }

    /// Reads a value from the tree without places. Also returns true if the type needs places.
    fn read_without_places<T: DeserializeOwned>(&self) -> (Result<T, Misfit>, bool) {
        let needs_places = Cell::new(false);
        let node = &self.placeless;
        let read =
            T::deserialize(NodeReader { node, text: self.text, needs_places: &needs_places });
        (read, needs_places.get())
    }

    fn read_with_places<T: DeserializeOwned>(&self) -> Result<T, LoadError> {
        let node = self.placed()?;
        T::deserialize(NodeReader { node, text: self.text, needs_places: &Cell::new(false) })
            .map_err(|misfit| {
                LoadError::from_misfit(misfit, self.text, self.origin, self.first_line)
            })
    }

    fn placed(&self) -> Result<&Node, LoadError> {
        if let Some(node) = self.placed.get() {
            return Ok(node);
        }
        let node = serde_yaml::from_str_with_options(self.text, options()).map_err(|error| {
            LoadError::from_yaml(&error, self.text, self.origin, self.first_line)
        })?;
        Ok(self.placed.get_or_init(|| node))
    }
}

fn options() -> serde_yaml::Options {
    serde_yaml::options! {
        // Otherwise the ordinary word `no` would be parsed as false.
        strict_booleans: true,
        // A text such as `.inf` is a number only if its type is one.
        non_finite_float_policy: serde_yaml::NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
        budget: serde_yaml::budget! {
            max_depth: 32,
            max_nodes: 50_000,
            max_aliases: 1_000,
            max_anchors: 1_000,
        },
        alias_limits: serde_yaml::alias_limits! {
            max_total_replayed_events: 50_000,
            max_replay_stack_depth: 16,
        },
    }
}

/// Writes a value as YAML; [`read`] parses it back to an equal value.
///
/// # Errors
///
/// Returns [`LoadError`] without a position if the value cannot be written as YAML.
pub(crate) fn write<T: Serialize>(value: &T) -> Result<String, LoadError> {
    serde_yaml::to_string(value)
        .map_err(|error| LoadError::new("YAML", format!("cannot be written: {error}")))
}

/// The parts of a Markdown file with front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrontMatter<'t> {
    /// The YAML between the two `---` lines.
    pub yaml: &'t str,
    /// Line of the file where `yaml` begins, counted from 1; for [`read_at`](read_at).
    pub yaml_line: usize,
    /// The text after the closing line.
    pub body: &'t str,
    /// Line of the file where `body` begins, counted from 1.
    pub body_line: usize,
}

/// Splits a Markdown file at its front matter; none if it does not begin with a `---` line (after a BOM), or if no
/// second one closes it.
pub(crate) fn front_matter(text: &str) -> Option<FrontMatter<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_rule(line))?;
    let start = first.len();
    let mut end = start;
    for (count, line) in lines.enumerate() {
        if is_rule(line) {
            return Some(FrontMatter {
                yaml: &text[start..end],
                yaml_line: 2,
                body: &text[end + line.len()..],
                body_line: count + 3,
            });
        }
        end += line.len();
    }
    None
}

fn is_rule(line: &str) -> bool {
    line.trim_end() == "---"
}

/// A text that could not be loaded: the position, the mistake, and how to fix it.
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
    /// The name of the text, usually its path.
    pub origin: String,
    /// Line, counted from 1; 0 if the error has no position.
    pub line: usize,
    /// Column in characters, counted from 1; 0 if the error has no position.
    pub column: usize,
    /// The line itself, without its line end; empty if there is no position.
    pub source_line: Box<str>,
    /// The mistake, in one sentence without a full stop.
    pub message: String,
    /// The fix in words, if known.
    pub hint: Option<String>,
    /// The fix as data, if it is a separate step; the front end puts it into words.
    pub fix: Option<Fix>,
}

/// A longer line is cut to a part around the column, because minified YAML puts the whole file on one line.
const SHOWN_COLUMNS: usize = 120;

/// The message for texts that expand to a huge size (YAML bombs).
const TOO_DEEP: &str = "too large or too deeply nested to be read";

/// The hint for a value that is parsed as a key and a value.
const COLON: &str = "put a value that contains `: ` in quotes, like `key: 'a: b'`";

impl LoadError {
    /// Creates an error about a text as a whole.
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

    /// Creates an error at a position in `text`; line and column are counted from 1 within `text`. `first_line` is
    /// the line of the file where `text` begins.
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

    /// Adds a hint to the error.
    #[must_use]
    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Adds a fix to the error.
    #[must_use]
    pub(crate) fn with_fix(self, fix: Fix) -> Self {
        Self { fix: Some(fix), ..self }
    }

    fn from_yaml(error: &DeserializeError, text: &str, origin: &str, first_line: usize) -> Self {
        let place = error.location().map_or((0, 0), |location| {
            (
                usize::try_from(location.line()).unwrap_or(0),
                usize::try_from(location.column()).unwrap_or(0),
            )
        });
        let (message, hint) = explain(error);
        Self { hint, ..Self::at(origin, text, first_line, place, message) }
    }

    fn from_misfit(misfit: Misfit, text: &str, origin: &str, first_line: usize) -> Self {
        let place = misfit.place.unwrap_or_default();
        let (message, hint) = misfit.explain();
        Self { hint, ..Self::at(origin, text, first_line, place, message) }
    }
}

/// Returns the message for users, and its hint.
fn explain(error: &DeserializeError) -> (String, Option<String>) {
    use DeserializeError as E;
    match error.without_snippet() {
        E::AliasError { error, .. } => explain(error),
        E::DuplicateMappingKey { key: Some(key), .. } => {
            (format!("the key `{key}` is given twice"), None)
        }
        E::MultipleDocuments { .. } => (
            "a second YAML document begins here".to_owned(),
            Some("keep one document per file: remove the `---` line above".to_owned()),
        ),
        E::Budget { .. }
        | E::AliasReplayLimitExceeded { .. }
        | E::AliasExpansionLimitExceeded { .. }
        | E::AliasReplayStackDepthExceeded { .. } => (TOO_DEEP.to_owned(), None),
        other => match UserMessageFormatter.format_message(other).into_owned() {
            // Nesting such as `[[[` exceeds a limit of the parser itself before it exceeds the
            // budget.
            message if message.contains("recursion limit") => (TOO_DEEP.to_owned(), None),
            message if message.contains("mapping values are not allowed") => {
                (message, Some(COLON.to_owned()))
            }
            message => (message, None),
        },
    }
}

/// Suggests the nearest known word, or lists all of them.
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

/// Returns the part of `line` around `column` as a terminal displays it, and the distance of the caret from its
/// beginning, in terminal columns.
fn window(line: &str, column: usize) -> (String, usize) {
    let caret = column.saturating_sub(1);
    let at = line.char_indices().nth(caret).map_or(line.len(), |(at, _)| at);
    let past = caret.saturating_sub(line.chars().count());
    let mut before = visible_text(&line[..at]);
    if before.width() >= SHOWN_COLUMNS {
        let kept = fitting(before.chars().rev(), SHOWN_COLUMNS / 2);
        before = before.split_off(before.len() - kept);
    }
    let caret = before.width();
    let behind: String = line[at..].chars().take(SHOWN_COLUMNS).collect();
    let behind = visible_text(&behind);
    let kept = fitting(behind.chars(), SHOWN_COLUMNS.saturating_sub(caret));
    (format!("{before}{}", &behind[..kept]).trim_end().to_owned(), caret + past)
}

/// Replaces tabs, which have no fixed width, and escape sequences, which could rewrite the terminal; spells out
/// characters without a width.
fn visible_text(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    visible(&plain).into_owned()
}

/// Returns the number of bytes of the first characters that fit into `columns`.
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

#[cfg(test)]
mod tests;

//! Problems in a text, as data: malformed input never makes reading fail.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::codes::{Fix, ProblemCode};

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information; nothing has to be done.
    Note,
    /// Probably a mistake; a strict check treats it as an error.
    Warning,
    /// Text that looks valid but does not count; `check` fails.
    Error,
}

impl Severity {
    /// Returns the word for messages and JSON.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl JsonSchema for Severity {
    fn schema_name() -> Cow<'static, str> {
        "Severity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": ["note", "warning", "error"] })
    }
}

/// A problem and its place; line and column are zero if it has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Line in the file, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Line of its end, from 1; only from a check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<usize>,
    /// Column behind its last character, from 1; only from a check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<usize>,
    /// The severity.
    pub severity: Severity,
    /// A stable word, like `vote-unknown`.
    pub code: ProblemCode,
    /// The problem in a sentence.
    pub message: String,
    /// The fix, if it is a separate step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// A number that names something else after the merge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Renumbered {
    /// Line of the merged file, from 1.
    pub line: usize,
    /// The number with its letter, such as `Q3`.
    pub name: String,
    /// The text that it named before the merge; untrusted text.
    pub before: String,
    /// The text that it names now.
    pub after: Option<String>,
}

impl Problem {
    /// Creates a problem at a line and column, both counted from 1.
    pub(crate) fn new(
        severity: Severity,
        code: ProblemCode,
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) -> Self {
        let message = message.into();
        let (end_line, end_column, fix) = (None, None, None);
        Self { line, column, end_line, end_column, severity, code, message, fix }
    }

    /// Adds a fix to the problem.
    #[must_use]
    pub(crate) fn with_fix(self, fix: impl Into<Option<Fix>>) -> Self {
        Self { fix: fix.into(), ..self }
    }
}

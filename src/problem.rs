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

/// A problem with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line, counted from 1; 0 if the problem has no place.
    pub line: usize,
    /// Column in characters, counted from 1; 0 if the problem has no place.
    pub column: usize,
    /// The severity of this problem.
    pub severity: Severity,
    /// The kind.
    pub code: ProblemCode,
    /// A sentence that says what is wrong.
    pub message: String,
    /// The fix, if it is a separate step; the front end puts it into words.
    pub fix: Option<Fix>,
}

impl Problem {
    /// Creates a problem at a line and column, both counted from 1.
    pub(crate) fn new(
        severity: Severity,
        code: ProblemCode,
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) -> Self {
        Self { line, column, severity, code, message: message.into(), fix: None }
    }

    /// Adds a fix to the problem.
    #[must_use]
    pub(crate) fn with_fix(self, fix: impl Into<Option<Fix>>) -> Self {
        Self { fix: fix.into(), ..self }
    }
}

//! What is wrong in a text, as data: malformed input is never a failure of the reader.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::codes::{Fix, ProblemCode};

/// How much a [`Problem`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing has to be done.
    Note,
    /// Probably not what was meant; counts as an error to whoever is strict.
    Warning,
    /// Something that looks as if it counted does not; `check` fails.
    Error,
}

impl Severity {
    /// The word that people and JSON see.
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

/// One finding with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line, counted from 1; 0 when the finding has no place.
    pub line: usize,
    /// Column in characters, counted from 1; 0 when the finding has no place.
    pub column: usize,
    /// The severity.
    pub severity: Severity,
    /// The kind.
    pub code: ProblemCode,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What mends it, where that is a step of its own: the words for it are the front end's.
    pub fix: Option<Fix>,
}

impl Problem {
    /// A finding at a line and column, both counted from 1.
    pub(crate) fn new(
        severity: Severity,
        code: ProblemCode,
        (line, column): (usize, usize),
        message: impl Into<String>,
    ) -> Self {
        Self { line, column, severity, code, message: message.into(), fix: None }
    }

    /// The same with what mends it.
    #[must_use]
    pub(crate) fn with_fix(self, fix: impl Into<Option<Fix>>) -> Self {
        Self { fix: fix.into(), ..self }
    }
}

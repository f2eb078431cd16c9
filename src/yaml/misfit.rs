//! The reasons why a value of a YAML document does not fit the type that is read from it.

use std::fmt;

use serde::de::{self, Expected, Unexpected};

use super::node::NodePlace;
use super::suggestion;

/// A value that does not fit its type.
#[derive(Debug)]
pub(super) struct Misfit {
    /// The place of the innermost value that did not fit; `None` until it is known.
    pub(super) place: Option<NodePlace>,
    kind: MisfitKind,
}

#[derive(Debug)]
enum MisfitKind {
    UnknownKey {
        key: String,
        known: &'static [&'static str],
    },
    UnknownValue {
        value: String,
        known: &'static [&'static str],
    },
    MissingKey(&'static str),
    /// The name of what was expected, in words.
    Expected(&'static str),
    Other(String),
}

impl Misfit {
    /// Returns the error for a value of the wrong kind; `what` says in words what was expected.
    pub(super) fn expected(what: &'static str) -> Self {
        MisfitKind::Expected(what).into()
    }

    /// Adds a place, unless a value further inside has set one.
    pub(super) fn at(self, place: NodePlace) -> Self {
        Self { place: self.place.or(Some(place)), ..self }
    }

    /// Returns the message for users, and its hint.
    pub(super) fn explain(self) -> (String, Option<String>) {
        match self.kind {
            MisfitKind::UnknownKey { key, known } => {
                (format!("unknown key `{key}`"), suggestion(&key, known, "keys"))
            }
            MisfitKind::UnknownValue { value, known } => {
                (format!("unknown value `{value}`"), suggestion(&value, known, "values"))
            }
            MisfitKind::MissingKey(key) => (format!("the key `{key}` is missing"), None),
            MisfitKind::Expected(what) => (format!("expected {what}"), None),
            MisfitKind::Other(message) => (message, None),
        }
    }
}

impl From<MisfitKind> for Misfit {
    fn from(kind: MisfitKind) -> Self {
        Self { place: None, kind }
    }
}

impl de::Error for Misfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        MisfitKind::Other(message.to_string()).into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        MisfitKind::Other(format!("expected {expected}, found {found}")).into()
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(value: &str, known: &'static [&'static str]) -> Self {
        MisfitKind::UnknownValue { value: value.to_owned(), known }.into()
    }

    fn unknown_field(key: &str, known: &'static [&'static str]) -> Self {
        MisfitKind::UnknownKey { key: key.to_owned(), known }.into()
    }

    fn missing_field(key: &'static str) -> Self {
        MisfitKind::MissingKey(key).into()
    }
}

/// Serde shows this text only inside of other errors, such as that of a value that may have several types.
impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MisfitKind::UnknownKey { key, .. } => write!(f, "unknown key `{key}`"),
            MisfitKind::UnknownValue { value, .. } => write!(f, "unknown value `{value}`"),
            MisfitKind::MissingKey(key) => write!(f, "the key `{key}` is missing"),
            MisfitKind::Expected(what) => write!(f, "expected {what}"),
            MisfitKind::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Misfit {}

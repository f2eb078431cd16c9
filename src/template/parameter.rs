//! Typed, bounded parameters of a template.

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// Text.
    String,
    /// A list of texts; on the command line separated by commas.
    List,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ParameterKind,
    /// The value if none is given; none: the user must give one.
    #[serde(default)]
    pub default: Option<Value>,
    /// Smallest number, or fewest items.
    #[serde(default)]
    pub min: Option<f64>,
    /// Largest number, or most items.
    #[serde(default)]
    pub max: Option<f64>,
    /// Another parameter; the value of this one must not exceed that one's value.
    #[serde(default)]
    pub at_most: Option<String>,
    /// A description for users.
    #[serde(default)]
    pub help: String,
}

/// The reason why a value does not fit a parameter.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParameterError {
    /// The value has another type.
    #[error("`{name}` must be {wanted}, not `{given}`")]
    Type {
        /// The parameter.
        name: String,
        /// The type, in words.
        wanted: &'static str,
        /// The given value.
        given: String,
    },
    /// The value is out of bounds.
    #[error("`{name}` must be {bounds}, not {given}")]
    Bounds {
        /// The parameter.
        name: String,
        /// The bounds, in words.
        bounds: String,
        /// The given value.
        given: String,
    },
    /// No value is given and there is no default.
    #[error("`{0}` is required")]
    Missing(String),
}

impl ParameterError {
    /// Returns the name of the parameter.
    pub(crate) fn parameter(&self) -> &str {
        match self {
            Self::Type { name, .. } | Self::Bounds { name, .. } | Self::Missing(name) => name,
        }
    }
}

impl Parameter {
    /// Parses a value from the command line.
    ///
    /// # Errors
    /// Fails if the value has another type or is out of bounds.
    pub(crate) fn parse(&self, name: &str, text: &str) -> Result<Value, ParameterError> {
        let wrong = || ParameterError::Type {
            name: name.to_owned(),
            wanted: self.kind.words(),
            given: text.to_owned(),
        };
        let value = match self.kind {
            ParameterKind::Integer => Value::from(text.trim().parse::<i64>().map_err(|_| wrong())?),
            ParameterKind::Number => text
                .trim()
                .parse::<f64>()
                .ok()
                .and_then(serde_json::Number::from_f64)
                .map(Value::Number)
                .ok_or_else(wrong)?,
            ParameterKind::Boolean => {
                Value::from(text.trim().parse::<bool>().map_err(|_| wrong())?)
            }
            ParameterKind::String => Value::from(text),
            ParameterKind::List => {
                text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
            }
        };
        self.check(name, value)
    }

    /// Checks the type and the bounds of a value.
    ///
    /// # Errors
    /// Fails if the value has another type or is out of bounds.
    pub(crate) fn check(&self, name: &str, value: Value) -> Result<Value, ParameterError> {
        let fits = match self.kind {
            ParameterKind::Integer => value.is_i64() || value.is_u64(),
            ParameterKind::Number => value.is_number(),
            ParameterKind::Boolean => value.is_boolean(),
            ParameterKind::String => value.is_string(),
            ParameterKind::List => {
                value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
            }
        };
        if !fits {
            return Err(ParameterError::Type {
                name: name.to_owned(),
                wanted: self.kind.words(),
                given: value.to_string(),
            });
        }
        let size = value.as_f64().or_else(|| value.as_array().map(|items| items.len() as f64));
        let low = size.zip(self.min).is_some_and(|(size, min)| size < min);
        let high = size.zip(self.max).is_some_and(|(size, max)| size > max);
        if low || high {
            let what = if self.kind == ParameterKind::List { " items" } else { "" };
            let bounds = match (self.min, self.max) {
                (Some(min), Some(max)) => format!("{min} to {max}{what}"),
                (Some(min), None) => format!("at least {min}{what}"),
                (_, max) => format!("at most {}{what}", max.unwrap_or(f64::MAX)),
            };
            return Err(ParameterError::Bounds {
                name: name.to_owned(),
                bounds,
                given: value.to_string(),
            });
        }
        Ok(value)
    }

    /// Checks that a number is not larger than the parameter named in `at_most`.
    ///
    /// # Errors
    /// Fails if it is larger.
    pub(crate) fn check_against(
        &self,
        name: &str,
        values: &Map<String, Value>,
    ) -> Result<(), ParameterError> {
        let number = |name: &str| values.get(name).and_then(Value::as_f64);
        let Some(other) = &self.at_most else { return Ok(()) };
        match number(name).zip(number(other)) {
            Some((value, most)) if value > most => Err(ParameterError::Bounds {
                name: name.to_owned(),
                bounds: format!("at most {most} (the value of `{other}`)"),
                given: value.to_string(),
            }),
            _ => Ok(()),
        }
    }
}

impl ParameterKind {
    /// Returns the type in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Integer => "a whole number",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::String => "text",
            Self::List => "a list",
        }
    }
}

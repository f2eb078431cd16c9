//! A setting and where it is written, for errors that only show when it is used.

use serde::Deserialize;

use crate::yaml::{self, LoadError, Spanned};

/// A setting and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Written {
    origin: String,
    text: String,
    value: Spanned<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Probe {
    default_template: Option<Spanned<String>>,
}

impl Written {
    /// The `default_template` of a configuration, if it says one.
    pub(super) fn default_template(text: &str, origin: &str) -> Result<Option<Self>, LoadError> {
        let Probe { default_template } = yaml::read(text, origin)?;
        let written = |value| Self { origin: origin.to_owned(), text: text.to_owned(), value };
        Ok(default_template.map(written))
    }

    /// An error about the setting, if it says this.
    pub(super) fn error(&self, value: &str, message: &str) -> Option<LoadError> {
        let number = |n: u64| usize::try_from(n).unwrap_or(0);
        let at = &self.value.referenced;
        let place = (number(at.line()), number(at.column()));
        (self.value.value == value)
            .then(|| LoadError::at(&self.origin, &self.text, 1, place, message))
    }
}

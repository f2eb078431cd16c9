//! Keeps a setting with its place in the file, for errors that appear only when it is used.

use serde::Deserialize;

use crate::yaml::{self, LoadError, Spanned};

/// A setting with its place in the file.
#[derive(Clone, Debug)]
pub(super) struct RawConfig {
    origin: String,
    text: String,
    value: Spanned<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ConfigProbe {
    default_template: Option<Spanned<String>>,
    output: Output,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Output {
    directory: Option<Spanned<String>>,
}

impl RawConfig {
    /// Returns the `default_template` of a configuration, if it is set.
    pub(super) fn default_template(text: &str, origin: &str) -> Result<Option<Self>, LoadError> {
        let ConfigProbe { default_template, .. } = yaml::read(text, origin)?;
        Ok(default_template.map(|value| Self::new(text, origin, value)))
    }

    /// Returns the `output.directory` of a configuration, if it is set.
    pub(super) fn output_directory(text: &str, origin: &str) -> Result<Option<Self>, LoadError> {
        let ConfigProbe { output, .. } = yaml::read(text, origin)?;
        Ok(output.directory.map(|value| Self::new(text, origin, value)))
    }

    fn new(text: &str, origin: &str, value: Spanned<String>) -> Self {
        Self { origin: origin.to_owned(), text: text.to_owned(), value }
    }

    /// Returns an error at the setting's place, if the setting has this value.
    pub(super) fn error(&self, value: &str, message: &str) -> Option<LoadError> {
        (self.value.value == value).then(|| self.place(message))
    }

    /// Returns an error at the setting's place.
    pub(super) fn place(&self, message: &str) -> LoadError {
        let number = |n: u64| usize::try_from(n).unwrap_or(0);
        let at = &self.value.referenced;
        let place = (number(at.line()), number(at.column()));
        LoadError::at(&self.origin, &self.text, 1, place, message)
    }
}

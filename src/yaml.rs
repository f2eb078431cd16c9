//! Parses and writes YAML for the whole project; errors show the line that they are about.

mod front_matter;
mod load_error;

use serde::Serialize;
use serde::de::DeserializeOwned;
pub(crate) use serde_yaml::Spanned;

pub(crate) use self::front_matter::front_matter;
pub use self::load_error::LoadError;

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
    if text.len() > MAX_BYTES {
        let message = format!("the file is larger than {} MiB", MAX_BYTES / (1024 * 1024));
        return Err(LoadError::new(origin, message));
    }
    serde_yaml::from_str_with_options(text, options())
        .map_err(|error| LoadError::from_yaml(&error, text, origin, first_line))
}

fn options() -> serde_yaml::Options {
    serde_yaml::options! {
        // Otherwise the ordinary word `no` would be parsed as false.
        strict_booleans: true,
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

#[cfg(test)]
mod tests;

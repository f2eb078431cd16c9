//! The one way into and out of YAML, with errors that show the line they are about.

mod front_matter;
mod load_error;

use serde::Serialize;
use serde::de::DeserializeOwned;
pub(crate) use serde_yaml::Spanned;

pub(crate) use self::front_matter::front_matter;
pub use self::load_error::LoadError;

/// Text longer than this is refused before it is parsed; no configuration comes near it.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Reads one YAML document from a whole file.
///
/// `origin` is what the error calls the text, usually its path. `yes` and `no` are strings, not
/// booleans; a key given twice is an error; nesting and aliases are bounded.
///
/// # Errors
///
/// [`LoadError`] with the place of what does not fit `T`, or of what is not YAML.
pub fn read<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T, LoadError> {
    read_at(text, origin, 1)
}

/// Reads YAML that begins at line `first_line` (from 1) of a larger file, so that errors give
/// the file's own line numbers.
///
/// # Errors
///
/// As [`read`].
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
        // Else `no`, a perfectly good word, reads as false.
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

/// Writes a value as YAML; [`read`] gives the same value back.
///
/// # Errors
///
/// [`LoadError`] without a place when the value has no form in YAML.
pub(crate) fn write<T: Serialize>(value: &T) -> Result<String, LoadError> {
    serde_yaml::to_string(value)
        .map_err(|error| LoadError::new("YAML", format!("cannot be written: {error}")))
}

#[cfg(test)]
mod tests;

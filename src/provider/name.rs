//! The names of providers.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The maximum length of a provider's name, in characters.
const LONGEST: usize = 64;

/// The error for a text that is not a provider name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a provider name: use 1 to {LONGEST} of a-z, 0-9, `.`, `_` and `-`, and begin with a letter or digit"
)]
pub struct ProviderNameError(String);

/// The name of a provider: 1-64 of `a-z`, `0-9`, `.`, `_`, `-`, beginning with a letter or digit.
///
/// ASCII capitals become lowercase letters, so `Claude-Sonnet` and `claude-sonnet` are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProviderName(String);

impl ProviderName {
    /// Parses a name.
    ///
    /// # Errors
    ///
    /// Returns [`ProviderNameError`] if it is empty, too long or contains another character.
    pub fn parse(text: &str) -> Result<Self, ProviderNameError> {
        let name = text.trim().to_ascii_lowercase();
        let fits = name.len() <= LONGEST
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
        if fits { Ok(Self(name)) } else { Err(ProviderNameError(text.to_owned())) }
    }

    /// Returns the name for this provider with another model, `name:model`.
    pub(super) fn with_model(&self, model: &str) -> Self {
        Self(format!("{}:{model}", self.0))
    }

    /// Returns the name as files write it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ProviderName {
    type Error = ProviderNameError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<ProviderName> for String {
    fn from(name: ProviderName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_contain_no_blanks_or_slashes() {
        assert_eq!(ProviderName::parse("Claude-Sonnet").unwrap().as_str(), "claude-sonnet");
        assert!(ProviderName::parse("gpt-5.1").is_ok());
        for bad in ["", "-x", "two words", "a/b", "a=b", &"x".repeat(65)] {
            assert!(ProviderName::parse(bad).is_err(), "{bad:?}");
        }
    }
}

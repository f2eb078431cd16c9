//! An API key that no output shows.

use std::fmt;

/// The text that replaces a key.
const HIDDEN: &str = "[key]";

/// A key that is sent to its service and nowhere else.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    /// Reads the key from a variable's value; `None` if it is blank or not allowed in a header.
    pub(super) fn read(value: &std::ffi::OsStr) -> Option<Self> {
        let text = value.to_str()?.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()))
            .then(|| Self(text.to_owned()))
    }

    /// Returns the key itself, for the header that carries it.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns a text from outside without the key, because services repeat keys in their error messages.
    pub(super) fn hide(&self, text: &str) -> String {
        text.replace(&self.0, HIDDEN)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_is_never_shown() {
        let key = Secret::read(" sk-planted \n".as_ref()).unwrap();
        assert_eq!(key.reveal(), "sk-planted");
        assert_eq!(format!("{key:?}"), HIDDEN);
        assert_eq!(key.hide("Incorrect API key: sk-planted."), "Incorrect API key: [key].");
    }

    #[test]
    fn value_that_is_invalid_in_a_header_is_no_key() {
        for value in ["", "  ", "a\nb", "a b", "schlüssel"] {
            assert!(Secret::read(value.as_ref()).is_none(), "{value:?}");
        }
    }
}

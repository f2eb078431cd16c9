//! A key, which nothing shows.

use std::fmt;

/// What stands in its place.
const HIDDEN: &str = "[key]";

/// A key as it goes to its service and nowhere else.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    /// The key in a variable's value; none where that is blank or could not stand in a header.
    pub(super) fn read(value: &std::ffi::OsStr) -> Option<Self> {
        let text = value.to_str()?.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()))
            .then(|| Self(text.to_owned()))
    }

    /// The key itself, for the header that carries it.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text that came from outside, without the key: services repeat it in what they complain of.
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
    fn a_key_is_shown_nowhere() {
        let key = Secret::read(" sk-planted \n".as_ref()).unwrap();
        assert_eq!(key.reveal(), "sk-planted");
        assert_eq!(format!("{key:?}"), HIDDEN);
        assert_eq!(key.hide("Incorrect API key: sk-planted."), "Incorrect API key: [key].");
    }

    #[test]
    fn what_could_not_stand_in_a_header_is_no_key() {
        for value in ["", "  ", "a\nb", "a b", "schlüssel"] {
            assert!(Secret::read(value.as_ref()).is_none(), "{value:?}");
        }
    }
}

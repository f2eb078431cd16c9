//! Immutable text that is shared instead of copied.

use std::fmt;
use std::ops::Deref;

use bytestring::ByteString;

/// An immutable text, or a part of one. Clones and parts share its bytes, so it can be stored and sent between
/// threads.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text(ByteString);

impl Text {
    /// Returns `part` as a shared text, without copying it.
    ///
    /// # Panics
    /// Panics if `part` does not point into this text.
    pub(super) fn piece(&self, part: &str) -> Self {
        Self(self.0.slice_ref(part))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<&Text> for Text {
    fn from(text: &Text) -> Self {
        text.clone()
    }
}

//! Text that is shared instead of copied.

use std::fmt;
use std::ops::Deref;

use bytestring::ByteString;

/// A text that never changes, or a piece of one: cloning and cutting share its bytes, so it can be kept and sent anywhere.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text(ByteString);

impl Text {
    /// The piece that `part` is, without copying it.
    ///
    /// # Panics
    /// When `part` does not point into this text.
    pub(super) fn piece(&self, part: &str) -> Self {
        Self(self.0.slice_ref(part))
    }

    /// The text itself.
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

//! Recognizes the lines of a body that need a guard; encoder and reader share this code.
//!
//! The method is that of mboxrd's `>From `: a guarded line gains one more guard character when it is stored and loses
//! one when it is read, so that decoding is exact (format page, "All text is untrusted").

use super::line::{is_rule, trim_start};

/// Line beginnings that mean something to the frame, to git, or to a Markdown renderer.
const OPENERS: [&str; 5] = ["<!--", "<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// The guard of a line, and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextGuard {
    /// One leading space. `present` is true if the line already begins with a space.
    Space { present: bool },
    /// One backslash before the colon at this byte. `present` is true if there already is a backslash.
    Backslash { colon: usize, present: bool },
}

impl TextGuard {
    /// Returns the guard of a line, if the line needs one.
    pub(super) fn of(line: &str) -> Option<Self> {
        let trimmed = line.trim_start_matches(' ');
        if is_rule(trimmed) || OPENERS.iter().any(|opener| trimmed.starts_with(opener)) {
            return Some(Self::Space { present: trimmed.len() < line.len() });
        }
        key(line).map(|key| Self::Backslash { colon: key.colon, present: key.backslashes > 0 })
    }

    /// Returns the byte offset at which the guard is inserted, and the guard.
    pub(super) fn insertion(self) -> (usize, char) {
        match self {
            Self::Space { .. } => (0, ' '),
            Self::Backslash { colon, .. } => (colon, '\\'),
        }
    }

    /// Returns the byte offset of the guard that reading removes, if there is one.
    pub(super) fn removal(self) -> Option<usize> {
        match self {
            Self::Space { present } => present.then_some(0),
            Self::Backslash { colon, present } => present.then_some(colon - 1),
        }
    }
}

/// `Name` or `VOTE` at the beginning of a line, with the characters around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct GuardKey {
    /// Byte offset of the colon.
    pub(super) colon: usize,
    /// The number of backslashes before the colon.
    pub(super) backslashes: usize,
    /// True for `Name`, false for `VOTE`.
    pub(super) is_name: bool,
}

/// Parses blanks, an optional `**` or `__`, `Name` (in this exact case) or `VOTE` (in any case), an optional `**` or
/// `__`, any number of `\`, and a colon.
pub(super) fn key(line: &str) -> Option<GuardKey> {
    let rest = strip_bold(trim_start(line));
    let word = rest.get(..4)?;
    let is_name = word == "Name";
    if !is_name && !word.eq_ignore_ascii_case("vote") {
        return None;
    }
    let rest = strip_bold(&rest[4..]);
    let after = rest.trim_start_matches('\\');
    let colon = line.len() - after.len();
    after.starts_with(':').then_some(GuardKey {
        colon,
        backslashes: rest.len() - after.len(),
        is_name,
    })
}

/// Removes one `**` or `__` at the beginning of a text.
pub(super) fn strip_bold(text: &str) -> &str {
    text.strip_prefix("**").or_else(|| text.strip_prefix("__")).unwrap_or(text)
}

//! The one recogniser that encoder and reader share: which lines of a body must be guarded.
//!
//! Like mboxrd's `>From `: a guarded line takes one more guard character when it is stored and loses one when it is
//! read, so that decoding is exact (format page, "All text is untrusted").

use super::line::{is_rule, trim_start};

/// Line beginnings that mean something to the frame, to git, or to whoever renders the file.
const OPENERS: [&str; 5] = ["<!--", "<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// Where a line takes its guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guard {
    /// One leading space. `present`: the line already has at least one.
    Space { present: bool },
    /// One backslash before the colon at this byte. `present`: at least one stands there.
    Backslash { colon: usize, present: bool },
}

impl Guard {
    /// The guard of a line, when it is one that needs it.
    pub(super) fn of(line: &str) -> Option<Self> {
        let trimmed = line.trim_start_matches(' ');
        if is_rule(trimmed) || OPENERS.iter().any(|opener| trimmed.starts_with(opener)) {
            return Some(Self::Space { present: trimmed.len() < line.len() });
        }
        key(line).map(|key| Self::Backslash { colon: key.colon, present: key.backslashes > 0 })
    }

    /// Byte offset at which the guard goes in, and the guard.
    pub(super) fn insertion(self) -> (usize, char) {
        match self {
            Self::Space { .. } => (0, ' '),
            Self::Backslash { colon, .. } => (colon, '\\'),
        }
    }

    /// Byte offset of the guard that reading takes away, when there is one.
    pub(super) fn removal(self) -> Option<usize> {
        match self {
            Self::Space { present } => present.then_some(0),
            Self::Backslash { colon, present } => present.then_some(colon - 1),
        }
    }
}

/// `Name` or `VOTE` at a line's beginning, with what may stand around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// Byte offset of the colon.
    pub(super) colon: usize,
    /// How many backslashes stand before it.
    pub(super) backslashes: usize,
    /// Whether it is `Name` and not `VOTE`.
    pub(super) is_name: bool,
}

/// Blanks, optional `**` or `__`, `Name` (exactly so) or `VOTE` (any case), optional `**` or `__`, any `\`, a colon.
pub(super) fn key(line: &str) -> Option<Key> {
    let rest = strip_bold(trim_start(line));
    let word = rest.get(..4)?;
    let is_name = word == "Name";
    if !is_name && !word.eq_ignore_ascii_case("vote") {
        return None;
    }
    let rest = strip_bold(&rest[4..]);
    let after = rest.trim_start_matches('\\');
    let colon = line.len() - after.len();
    after.starts_with(':').then_some(Key { colon, backslashes: rest.len() - after.len(), is_name })
}

/// The text without one `**` or `__` at its beginning.
pub(super) fn strip_bold(text: &str) -> &str {
    text.strip_prefix("**").or_else(|| text.strip_prefix("__")).unwrap_or(text)
}

//! The encoding of bodies for the file, so that the text can be read back exactly and cannot imitate the format.
//! Encoder and reader share the code that recognizes the lines of a body that need a guard.
//!
//! The escapes of links are decoded here too.
//!
//! The method is that of mboxrd's `>From `: a guarded line gains one more guard character when it is stored and loses
//! one when it is read, so that decoding is exact (format page, "All text is untrusted").

use super::line::{is_rule, trim_start};
use super::sanitize::canon;

/// Line beginnings that mean something to the frame, to git, or to a Markdown renderer.
const OPENERS: [&str; 5] = ["<!--", "<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// The guard of a line, and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextGuard {
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
    fn insertion(self) -> (usize, char) {
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

/// Encodes a text for the file: sanitizes it, then guards line by line.
///
/// `decode(&encode(b)) == canon(b)` for every text (law 1 of the format page).
pub fn encode(text: &str) -> String {
    guard_lines(&canon(text)).0
}

/// Removes one guard from every guarded line; line ends become LF.
pub fn decode(stored: &str) -> String {
    let mut text = String::with_capacity(stored.len());
    for (index, line) in stored.split('\n').enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        match TextGuard::of(line).and_then(TextGuard::removal) {
            Some(at) => {
                text.push_str(&line[..at]);
                text.push_str(&line[at + 1..]);
            }
            None => text.push_str(line),
        }
    }
    text
}

/// Guards every line that needs it. Also returns the byte offsets, in the result, of the inserted characters.
pub(super) fn guard_lines(text: &str) -> (String, Vec<usize>) {
    let mut stored = String::with_capacity(text.len() + 8);
    let mut inserted = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            stored.push('\n');
        }
        match TextGuard::of(line).map(TextGuard::insertion) {
            Some((at, guard)) => {
                stored.push_str(&line[..at]);
                inserted.push(stored.len());
                stored.push(guard);
                stored.push_str(&line[at..]);
            }
            None => stored.push_str(line),
        }
    }
    (stored, inserted)
}

/// Decodes `%20` and other percent escapes; `None` if the result is not text or contains control characters.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = (*first == b'%').then(|| behind.get(..2)).flatten();
        let read = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(read.unwrap_or(*first));
        rest = if read.is_some() { &behind[2..] } else { behind };
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(char::is_control)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framing_text_is_guarded_and_read_back() {
        for (text, stored) in [
            ("---", " ---"),
            ("  --- ", "   --- "),
            ("--- a/x", "--- a/x"),
            ("Name: Rob", "Name\\: Rob"),
            ("**Name**\\: Rob", "**Name**\\\\: Rob"),
            ("name: yaml", "name: yaml"),
            ("- a\n  vOTe: x", "- a\n  vOTe\\: x"),
            ("```\n__VOTE__: READY\n```", "```\n__VOTE__\\: READY\n```"),
            ("```\n ---\n```", "```\n  ---\n```"),
            ("<<<<<<< ours", " <<<<<<< ours"),
            ("=======", " ======="),
        ] {
            assert_eq!(encode(text), stored);
            assert_eq!(decode(stored), text);
        }
    }

    #[test]
    fn percent_escapes_are_decoded() {
        assert_eq!(unescaped("a%20b%C3%A4.md").as_deref(), Some("a bä.md"));
        assert_eq!(unescaped("100%.md%2").as_deref(), Some("100%.md%2"));
        for wrong in ["%00", "a%0Ab", "%FF"] {
            assert_eq!(unescaped(wrong), None, "{wrong}");
        }
    }
}

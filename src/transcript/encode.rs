//! Encodes bodies for the file: the text can be read back exactly, and it cannot imitate the format.

use super::guard::TextGuard;
use super::sanitize::canon;

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
}

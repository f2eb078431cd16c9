//! Turns bytes from a program into text for people: UTF-8, without terminal codes.

use std::mem;

use anstream::adapter::StripBytes;

/// A decoder that takes bytes as they arrive and returns text as soon as characters are complete.
///
/// Bytes that are not UTF-8 become U+FFFD. Escape sequences, NULs and other control characters except white space are
/// removed.
#[derive(Debug, Default)]
pub(super) struct PlainText {
    /// The beginning of a character that is not complete yet.
    pending: Vec<u8>,
    escapes: StripBytes,
    replaced: usize,
    removed: usize,
}

impl PlainText {
    /// Returns the text that is complete with these bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        self.pending.extend_from_slice(bytes);
        let bytes = mem::take(&mut self.pending);
        let mut text = String::with_capacity(bytes.len());
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.keep(chunk.valid(), &mut text);
            let invalid = chunk.invalid();
            if chunks.peek().is_none() && is_unfinished(invalid) {
                self.pending = invalid.to_vec();
            } else if !invalid.is_empty() {
                self.replaced += 1;
                self.keep("\u{FFFD}", &mut text);
            }
        }
        text
    }

    /// Ends the output: returns the replacement for an incomplete character, and warnings.
    pub(super) fn finish(mut self) -> (String, Vec<String>) {
        let mut rest = String::new();
        if !self.pending.is_empty() {
            self.replaced += 1;
            rest.push('\u{FFFD}');
        }
        let mut warnings = Vec::new();
        if self.replaced > 0 {
            let count = self.replaced;
            warnings
                .push(format!("{count} place(s) in the output are not UTF-8, shown as \u{FFFD}"));
        }
        if self.removed > 0 {
            warnings.push("terminal codes in the output were removed".to_owned());
        }
        (rest, warnings)
    }

    fn keep(&mut self, piece: &str, text: &mut String) {
        for line in piece.split_inclusive('\n') {
            let words = line.strip_suffix('\n').unwrap_or(line);
            let before = text.len();
            for part in self.escapes.strip_next(words.as_bytes()) {
                text.push_str(&String::from_utf8_lossy(part));
            }
            self.removed += usize::from(text.len() - before < words.len());
            if words.len() < line.len() {
                text.push('\n');
                // An escape sequence that is never closed must not swallow the next lines.
                self.escapes = StripBytes::new();
            }
        }
    }
}

/// Returns whether more bytes could complete this character.
fn is_unfinished(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Converts complete output in one step.
pub(super) fn plain(bytes: &[u8]) -> (String, Vec<String>) {
    let mut reader = PlainText::default();
    let mut text = reader.push(bytes);
    let (rest, warnings) = reader.finish();
    text.push_str(&rest);
    (text, warnings)
}

/// Output is not an answer if more than one in this many characters is invalid.
const ODD_ONE_IN: usize = 10;
/// The number of invalid characters that are allowed in any text, however short.
const FEW: usize = 3;

/// Returns whether more than a tenth of the output, and more than a few characters, are not text: invalid UTF-8 or
/// NULs.
pub(super) fn is_no_text(bytes: &[u8]) -> bool {
    let (mut odd, mut all) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            all += 1;
            odd += usize::from(c == '\0');
        }
        let replaced = usize::from(!chunk.invalid().is_empty());
        all += replaced;
        odd += replaced;
    }
    odd > FEW && odd * ODD_ONE_IN > all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_invalid_bytes_are_text_and_many_are_not() {
        for text in [&b""[..], b"caf\xE9 au lait", "\u{FFFD}\u{FFFD}".as_bytes(), b"a\0\0\xFF"] {
            assert!(!is_no_text(text), "{text:?}");
        }
        for noise in [&b"\x7FELF\x02\0\0\0\0"[..], b"h\0e\0l\0l\0o\0", b"\xFF\xFE\x80\x81ab"] {
            assert!(is_no_text(noise), "{noise:?}");
        }
    }

    #[test]
    fn characters_cut_between_reads_are_joined() {
        let bytes = "zoë 李 👩‍🚀".as_bytes();
        for cut in 0..=bytes.len() {
            let mut reader = PlainText::default();
            let mut text = reader.push(&bytes[..cut]);
            text += &reader.push(&bytes[cut..]);
            let (rest, warnings) = reader.finish();
            assert_eq!((text + &rest).as_bytes(), bytes);
            assert!(warnings.is_empty());
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_with_a_warning() {
        let (text, warnings) = plain(b"a\xFFb\xE4\xB8");
        assert_eq!(text, "a\u{FFFD}b\u{FFFD}");
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn terminal_codes_are_removed() {
        let (text, warnings) =
            plain(b"\x1b[31mred\x1b[0m \x1b]0;title\x07and\x1b]8;;u\x1b\\ plain\0 \x1b(Bend");
        assert_eq!(text, "red and plain end");
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn unterminated_terminal_string_removes_at_most_one_line() {
        assert_eq!(plain(b"\x1b]0;title\nanswer").0, "\nanswer");
        assert_eq!(plain(b"a\x1b\nb\x1b[\nc").0, "a\nb\nc");
    }
}

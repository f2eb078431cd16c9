//! Converts a program's output to text for people: UTF-8, without terminal codes, and without keys.
//! A program may print the values of its environment, and its output is shown and stored.

use std::borrow::Cow;
use std::mem;

use anstream::adapter::StripBytes;
use memchr::memmem;

use super::Environment;

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

/// The text that replaces a key.
const HIDDEN: &[u8] = b"[key]";
/// The minimum length of a secret in bytes. A shorter one could be part of any word.
const SHORTEST: usize = 8;
/// Variables that may hold a proxy's password.
const PROXIES: [&str; 3] = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

/// The secrets of an environment: its keys and a proxy's password.
pub(super) struct SecretRedactor {
    secrets: Vec<Vec<u8>>,
    /// The end of the output so far, which may be the beginning of a key.
    held: Vec<u8>,
}

impl SecretRedactor {
    pub(super) fn of(env: &Environment) -> Self {
        let keys = env.secrets().map(|value| value.trim().to_owned());
        let proxies = PROXIES.iter().flat_map(|name| [(*name).to_owned(), name.to_lowercase()]);
        let proxies = proxies.filter_map(|name| credentials(env.var(name)?.to_str()?));
        let mut secrets: Vec<Vec<u8>> = keys
            .chain(proxies.flatten())
            .filter(|secret| secret.len() >= SHORTEST)
            .map(String::into_bytes)
            .collect();
        // Longest first, so that a secret is replaced before another one that it contains.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets.dedup();
        Self { secrets, held: Vec::new() }
    }

    /// Creates a redactor for a single key.
    #[cfg(feature = "http")]
    pub(super) fn just(key: &str) -> Self {
        let long = (key.len() >= SHORTEST).then(|| key.as_bytes().to_vec());
        Self { secrets: long.into_iter().collect(), held: Vec::new() }
    }

    /// Returns the bytes without the secrets.
    pub(super) fn hide(&self, bytes: Vec<u8>) -> Vec<u8> {
        self.secrets.iter().fold(bytes, |bytes, secret| replaced(bytes, secret))
    }

    /// Returns a text without the secrets. A text without secrets is not copied.
    pub(super) fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let holds = |secret: &Vec<u8>| memmem::find(text.as_bytes(), secret).is_some();
        if self.secrets.iter().any(holds) {
            Cow::Owned(String::from_utf8_lossy(&self.hide(text.into())).into_owned())
        } else {
            Cow::Borrowed(text)
        }
    }

    /// Returns a text without the secrets.
    #[cfg(feature = "http")]
    pub(super) fn hide_text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.hide(text.into())).into_owned()
    }

    /// Returns the next piece of a text without the secrets. Its end is held back if it may begin a key.
    pub(super) fn push_text(&mut self, piece: &str) -> String {
        // A held piece may end within a character only if the key does, so the rest is text.
        String::from_utf8_lossy(&self.push(piece.as_bytes())).into_owned()
    }

    /// Returns the next piece of output without the secrets. Bytes that may begin a key are held back until more output
    /// comes.
    pub(super) fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        if self.secrets.is_empty() {
            return piece.to_vec();
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(piece);
        let mut all = self.hide(all);
        let begun = self.secrets.iter().map(|secret| begins_at_end(&all, secret)).max();
        self.held = all.split_off(all.len() - begun.unwrap_or_default());
        all
    }
}

/// Returns the number of bytes at the end of a text that are the beginning of a key.
fn begins_at_end(text: &[u8], secret: &[u8]) -> usize {
    let longest = text.len().min(secret.len() - 1);
    (1..=longest).rev().find(|&len| text.ends_with(&secret[..len])).unwrap_or_default()
}

fn replaced(bytes: Vec<u8>, secret: &[u8]) -> Vec<u8> {
    let mut found = memmem::find_iter(&bytes, secret).peekable();
    if found.peek().is_none() {
        return bytes;
    }
    let (mut out, mut from) = (Vec::with_capacity(bytes.len()), 0);
    for at in found {
        out.extend_from_slice(&bytes[from..at]);
        out.extend_from_slice(HIDDEN);
        from = at + secret.len();
    }
    out.extend_from_slice(&bytes[from..]);
    out
}

/// Returns `name:password` of a proxy's address, and the password alone.
fn credentials(address: &str) -> Option<[String; 2]> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let (both, _) = rest.rsplit_once('@')?;
    let (_, password) = both.split_once(':')?;
    Some([both.to_owned(), password.to_owned()])
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

    fn hidden() -> SecretRedactor {
        let vars = [
            ("OPENAI_API_KEY", "sk-planted-1"),
            ("XAI_API_KEY", "sk-planted-12"),
            ("GROQ_API_KEY", "short"),
            ("https_proxy", "http://me:pw-planted@proxy:3128"),
            ("PATH", "/usr/bin:/bin"),
        ];
        let keys = ["OPENAI_API_KEY", "XAI_API_KEY", "GROQ_API_KEY"];
        SecretRedactor::of(&Environment::new(vars, None, "/tmp".into()).keeping(keys))
    }

    #[test]
    fn only_keys_and_passwords_are_redacted() {
        let said = "a sk-planted-1, sk-planted-12, short /usr/bin:/bin http://me:pw-planted@proxy pw-planted";
        let wanted = "a [key], [key], short /usr/bin:/bin http://[key]@proxy [key]";
        assert_eq!(hidden().hide(said.into()), wanted.as_bytes());
    }

    #[test]
    fn key_split_across_chunks_is_redacted() {
        let said = b"It is sk-planted-12? No, sk-plan, sk-planted-1.";
        for size in 1..said.len() {
            let mut hidden = hidden();
            let told: Vec<u8> = said.chunks(size).flat_map(|piece| hidden.push(piece)).collect();
            assert_eq!(
                String::from_utf8(told).unwrap().replace("[key]2", "[key]"),
                "It is [key]? No, sk-plan, [key]."
            );
        }
    }
}

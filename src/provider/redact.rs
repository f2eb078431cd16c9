//! Redacts keys from the output of programs: a program may print the values of its environment, and its output is shown
//! and stored.

use std::borrow::Cow;

use memchr::memmem;

use super::Environment;

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

//! What a person can copy and type back.

use std::borrow::Cow;

/// A name as a shell takes it. Letters of any script need no quotes.
pub(crate) fn typed(name: &str) -> Cow<'_, str> {
    let plain = |c: char| {
        if c.is_ascii() { is_plain(c) } else { c.is_alphanumeric() || !c.is_whitespace() }
    };
    if !name.is_empty() && name.chars().all(plain) {
        Cow::Borrowed(name)
    } else {
        shell_words::quote(name)
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_shell_would_take_apart_is_quoted() {
        assert_eq!(typed("認証-für"), "認証-für");
        assert_eq!(typed("a b"), "'a b'");
        assert_eq!(typed("a;b"), "'a;b'");
    }
}

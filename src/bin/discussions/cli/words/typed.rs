//! Formats names so that users can copy and type them.

use std::borrow::Cow;

use discussions::view::visible_line;

/// Quotes a name for a shell. Letters of any script need no quotes. Characters that would control a terminal are made
/// visible; such a name cannot be typed back.
pub(crate) fn typed(name: &str) -> Cow<'_, str> {
    let plain = |c: char| {
        if c.is_ascii() { is_plain(c) } else { !c.is_whitespace() && !c.is_control() }
    };
    if !name.is_empty() && name.chars().all(plain) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(shell_words::quote(&visible_line(name)).into_owned())
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_a_shell_would_split_are_quoted() {
        assert_eq!(typed("認証-für"), "認証-für");
        assert_eq!(typed("a b"), "'a b'");
        assert_eq!(typed("a;b"), "'a;b'");
        assert!(!typed("a\nb").contains('\n'), "a name makes up no line");
    }
}

//! Quoting in shells: unquotes words, and quotes words so that the shell takes every character literally.

/// The kind of quotes around a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    None,
    Single,
    Double,
}

impl Quote {
    fn mark(self) -> Option<char> {
        match self {
            Self::None => None,
            Self::Single => Some('\''),
            Self::Double => Some('"'),
        }
    }

    /// Returns the open quote before `end`, which is the last part of `word`: bash passes a word without the open
    /// quote.
    pub(super) fn left_open(word: &str, end: &str) -> Self {
        match word.strip_suffix(end).and_then(|before| before.chars().next_back()) {
            Some('\'') => Self::Single,
            Some('"') => Self::Double,
            _ => Self::None,
        }
    }
}

/// Removes the quotes of bash and zsh from a word that may be unfinished. `open` is the quote that is open at its
/// start.
pub(super) fn unquote(word: &str, open: Quote) -> String {
    read(word, open, |quote, next| match quote {
        Quote::None => true,
        Quote::Single => false,
        Quote::Double => matches!(next, '$' | '`' | '"' | '\\'),
    })
}

/// Removes the quotes of fish, in which a backslash also works within single quotes.
pub(super) fn unquote_fish(word: &str) -> String {
    read(word, Quote::None, |quote, next| match quote {
        Quote::None => true,
        Quote::Single => matches!(next, '\'' | '\\'),
        Quote::Double => matches!(next, '$' | '"' | '\\'),
    })
}

fn read(word: &str, open: Quote, escapes: fn(Quote, char) -> bool) -> String {
    let (mut plain, mut quote) = (String::new(), open);
    let mut rest = word.chars().peekable();
    while let Some(one) = rest.next() {
        match (one, quote) {
            ('\\', _) if rest.peek().is_some_and(|next| escapes(quote, *next)) => {
                plain.extend(rest.next());
            }
            ('\'', Quote::None) => quote = Quote::Single,
            ('"', Quote::None) => quote = Quote::Double,
            ('\'', Quote::Single) | ('"', Quote::Double) => quote = Quote::None,
            _ => plain.push(one),
        }
    }
    plain
}

/// Quotes text for bash, inside the quote that the user opened.
pub(super) fn quote(text: &str, open: Quote, keeps_tilde: bool) -> String {
    let mut quoted = String::with_capacity(text.len());
    for (at, one) in text.char_indices() {
        match (open, one) {
            (Quote::Single, '\'') => quoted.push_str("'\\''"),
            (Quote::Single, _) => quoted.push(one),
            // Within double quotes, bash expands `!` to earlier commands, and a backslash before it would stay in the
            // word.
            (Quote::Double, '!') => quoted.push_str("\"'!'\""),
            (Quote::Double, '$' | '`' | '"' | '\\') => quoted.extend(['\\', one]),
            (Quote::Double, _) => quoted.push(one),
            (Quote::None, '~') if at == 0 && keeps_tilde => quoted.push(one),
            (Quote::None, _) if is_plain(one) => quoted.push(one),
            (Quote::None, _) => quoted.extend(['\\', one]),
        }
    }
    // Readline closes the quote, except after a word that ends with the quote character.
    if let Some(mark) = open.mark().filter(|mark| quoted.ends_with(*mark)) {
        quoted.push(mark);
    }
    quoted
}

/// Quotes text for PowerShell, which also accepts typographic quotes as quotes.
pub(super) fn quote_powershell(text: &str) -> String {
    // An `@` begins a variable in PowerShell.
    if text.chars().all(|one| is_plain(one) && one != '@' && one != ',') {
        return text.to_owned();
    }
    let mut quoted = String::from("'");
    for one in text.chars() {
        let is_quote = matches!(one, '\'' | '\u{2018}'..='\u{201b}');
        quoted.extend(std::iter::repeat_n(one, if is_quote { 2 } else { 1 }));
    }
    quoted + "'"
}

/// Returns true if shells take a character literally at any place in a word.
fn is_plain(one: char) -> bool {
    one.is_alphanumeric() || "_-./,:=@%+".contains(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: [&str; 11] = [
        "plan$(id>pwned)",
        "a`id`",
        "it's \"$HOME\" \\n !x",
        "\\",
        "'",
        "*?[a]{b,c}",
        "~root",
        "#;&|<>",
        "認証 を",
        "a\"$(id)\"",
        "a!",
    ];

    #[test]
    fn quoted_words_are_unquoted_exactly() {
        for odd in ODD {
            let quoted = quote(odd, Quote::None, false);
            assert_eq!(unquote(&quoted, Quote::None), odd);
            assert_eq!(shell_words::split(&quoted).unwrap(), [odd]);
            for (open, before) in [(Quote::Single, '\''), (Quote::Double, '"')] {
                let quoted = quote(odd, open, false);
                assert_eq!(unquote(&quoted, open), odd);
                let closed = if quoted.ends_with(before) { "" } else { &before.to_string() };
                let whole = format!("{before}{quoted}{closed}");
                assert_eq!(shell_words::split(&whole).unwrap(), [odd], "{whole}");
            }
        }
    }

    #[test]
    fn unfinished_words_are_unquoted() {
        assert_eq!(unquote("a\\ b\"c d", Quote::None), "a bc d");
        assert_eq!(unquote("a\\", Quote::None), "a\\");
        assert_eq!(unquote_fish("'it\\'s' \"a\\`"), "it's a\\`");
        assert_eq!(Quote::left_open("x\"a b", "a b"), Quote::Double);
        assert_eq!(Quote::left_open("a b", "a b"), Quote::None);
    }

    #[test]
    fn powershell_reads_a_quoted_word_as_one() {
        assert_eq!(quote_powershell("add-search"), "add-search");
        assert_eq!(quote_powershell("@architect"), "'@architect'");
        assert_eq!(quote_powershell("it’s $(id)"), "'it’’s $(id)'");
    }
}

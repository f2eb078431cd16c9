//! Makes invisible and misleading characters visible before text is stored or printed.

use std::borrow::Cow;

/// Returns true for control characters (except tab and LF), line separators, bidirectional controls, zero-width
/// characters (except the joiners that scripts and emoji need) and tag characters.
pub(crate) fn is_deceptive(c: char) -> bool {
    if c.is_ascii() {
        return (c.is_ascii_control() && c != '\n' && c != '\t') || c == '\u{7F}';
    }
    matches!(c,
        '\u{80}'..='\u{9F}'
        | '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        // Blank letters of Hangul and Khmer.
        | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{3164}' | '\u{FFA0}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{200E}' | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        // Format characters of shorthand and of musical notation.
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
}

/// Returns true for variation selectors: they choose a form of the character before them and are invisible
/// themselves.
pub(crate) fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Returns true if the character before a selector has variants. A selector without such a character can only carry
/// hidden data.
fn varies(selector: char, before: Option<char>) -> bool {
    before.is_some_and(|before| {
        let emoji = matches!(selector, '\u{FE0E}' | '\u{FE0F}');
        let keycap = emoji && matches!(before, '0'..='9' | '#' | '*');
        let letter = !before.is_ascii() && !before.is_whitespace();
        keycap || (letter && !is_selector(before) && !is_deceptive(before))
    })
}

/// Spells out every deceptive character in the form `⟨U+202E⟩`, so that the text is safe to show on a terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    // Most text is plain. Checking all bytes is faster than stopping at the first one that is not plain, because
    // processors then check many bytes at a time.
    let is_plain =
        text.bytes().fold(true, |plain, byte| plain & matches!(byte, b'\t' | b'\n' | b' '..=b'~'));
    if is_plain || !text.chars().any(|c| is_deceptive(c) || is_selector(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = None;
    for c in text.chars() {
        if is_deceptive(c) || (is_selector(c) && !varies(c, before)) {
            shown.push_str(&format!("⟨U+{:04X}⟩", c as u32));
        } else {
            shown.push(c);
        }
        before = Some(c);
    }
    Cow::Owned(shown)
}

/// Spells out deceptive characters, line ends and tabs, so that the result fits on one line. For names, which can
/// contain any character.
pub fn visible_line(text: &str) -> String {
    visible(text).replace('\n', "⟨U+000A⟩").replace('\t', "⟨U+0009⟩")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_name_stays_on_its_line() {
        assert_eq!(visible_line("a\nb\tc\r.md"), "a⟨U+000A⟩b⟨U+0009⟩c⟨U+000D⟩.md");
    }

    #[test]
    fn needed_joiners_stay_and_hiding_characters_are_shown() {
        for text in
            ["می\u{200C}خواهم", "👨\u{200D}👩", "❤\u{FE0F} 1\u{FE0F}\u{20E3}", "葛\u{E0100}"]
        {
            assert_eq!(visible(text), text);
        }
        for (text, shown) in [
            ("a\u{3164}b", "a⟨U+3164⟩b"),
            ("a\u{FE01}", "a⟨U+FE01⟩"),
            ("❤\u{FE0F}\u{FE01}\u{FE02}", "❤\u{FE0F}⟨U+FE01⟩⟨U+FE02⟩"),
            ("\u{E0141}", "⟨U+E0141⟩"),
        ] {
            assert_eq!(visible(text), shown);
            assert_eq!(visible(shown), shown);
        }
    }
}

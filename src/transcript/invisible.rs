//! Characters that show nothing or show something else: made visible before they are stored or printed.

use std::borrow::Cow;

/// Control characters (but tab and LF), line separators, bidirectional, zero-width (but the joiners of scripts and
/// emoji) and tag characters.
pub(super) fn is_deceptive(c: char) -> bool {
    if c.is_ascii() {
        return (c.is_ascii_control() && c != '\n' && c != '\t') || c == '\u{7F}';
    }
    matches!(c,
        '\u{80}'..='\u{9F}'
        | '\u{AD}'
        | '\u{61C}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{200E}' | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}')
}

/// The text with every deceptive character spelt out as `⟨U+202E⟩`. Safe to show on a terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_deceptive) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_deceptive(c) {
            shown.push_str(&format!("⟨U+{:04X}⟩", c as u32));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

//! Reads the label at the start of a line and finds its marker, whatever the formatting.

use super::words::{FoundWord, NameIndex};

/// Returns true for characters that only emphasize text.
fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_')
}

/// Returns true for symbols next to words that carry no meaning: check marks, hands, coloured dots, arrows.
pub(super) fn is_sign(c: char) -> bool {
    matches!(c, '\u{2022}' | '\u{FE0F}' | '\u{200D}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{2BFF}')
        || ('\u{1F000}'..='\u{1FAFF}').contains(&c) && !c.is_alphanumeric()
}

/// The separator between a label and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// `:`, in ASCII or full width.
    Colon,
    /// `=`, `~` or an arrow. Only a typed value may follow.
    Equals,
    /// A dash between spaces. A typed value may follow, or a text if the label is in capitals.
    Dash,
    /// No separator: the line contains only the label.
    None,
}

/// A line that begins with a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Labelled<'t> {
    /// The marker that the label means.
    pub(super) found: FoundWord,
    /// The text in brackets after the label, or the addressee.
    pub(super) note: String,
    /// The separator that ends the label.
    pub(super) sign: Sign,
    /// True if the label is in capitals.
    pub(super) capitals: bool,
    /// True if the label or the whole line is bold.
    pub(super) bold: bool,
    /// True if the line begins with a backtick.
    pub(super) code: bool,
    /// The text after the separator, including closing emphasis.
    pub(super) value: &'t str,
}

/// Maximum number of bytes of a label with its brackets.
const LONGEST: usize = 120;

/// Reads the label of a line without its list or heading prefix.
pub(super) fn label<'t>(line: &'t str, names: &NameIndex) -> Option<Labelled<'t>> {
    let bare = line.trim_start_matches(|c: char| {
        c.is_whitespace() || is_emphasis(c) || is_sign(c) || matches!(c, '`' | '–' | '—')
    });
    let dress = &line[..line.len() - bare.len()];
    if dress.contains('\u{200D}') {
        return None;
    }
    if bare.starts_with(|c: char| !c.is_alphabetic()) || dress.matches('`').count() > 1 {
        return None;
    }
    let (end, sign, length) = ending(bare);
    let (word, note) = without_brackets(&bare[..end]);
    let shown = plain(&word);
    let (found, addressed) = names.find(&shown)?;
    // Emphasis characters directly after the separator close the label's emphasis.
    let value = bare[end + length..].trim_start_matches(is_emphasis);
    let alone = value.trim_matches(|c: char| c.is_whitespace() || is_emphasis(c)).is_empty();
    let value = if alone { "" } else { value };
    let note = [note.trim(), addressed.as_str()].join(" ").trim().to_owned();
    Some(Labelled {
        capitals: !shown.contains(char::is_lowercase),
        bold: dress.contains("**") || dress.contains("__"),
        code: dress.contains('`'),
        found,
        note,
        sign,
        value,
    })
}

/// Returns the position, kind and length of the separator. Separators in brackets are ignored.
fn ending(bare: &str) -> (usize, Sign, usize) {
    let mut depth = 0_usize;
    for (at, c) in bare.char_indices().take_while(|(at, _)| *at < LONGEST) {
        let rest = &bare[at..];
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            ':' | '：' | '﹕' | '︓' => return (at, Sign::Colon, c.len_utf8()),
            '=' | '→' | '⇒' => {
                let length = rest.len() - rest.trim_start_matches(['=', '>', '→', '⇒']).len();
                return (at, Sign::Equals, length);
            }
            '≈' | '~' if bare[..at].ends_with(' ') && is_separated(&rest[c.len_utf8()..]) => {
                return (at, Sign::Equals, c.len_utf8());
            }
            '-' if rest.starts_with("->") => return (at, Sign::Equals, 2),
            '-' | '–' | '—'
                if bare[..at].ends_with([' ', '*', '_']) && is_separated(&rest[c.len_utf8()..]) =>
            {
                return (at, Sign::Dash, c.len_utf8());
            }
            _ => {}
        }
    }
    (bare.len().min(bare.floor_char_boundary(LONGEST)), Sign::None, 0)
}

fn is_separated(rest: &str) -> bool {
    rest.starts_with(|c: char| c == ' ' || is_emphasis(c))
}

/// Returns a label without its brackets, and the text in them.
fn without_brackets(label: &str) -> (String, String) {
    let (mut out, mut inside, mut depth) = (String::new(), String::new(), 0_usize);
    for c in label.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => inside.push(c),
            _ => out.push(c),
        }
    }
    (out, inside)
}

/// Returns the words of a label without emphasis and symbols, joined by single spaces. Characters within a word are
/// kept.
fn plain(label: &str) -> String {
    let dress = |c: char| matches!(c, '*' | '`' | '_') || is_sign(c);
    let words = label.split_whitespace().map(|word| word.trim_matches(dress));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

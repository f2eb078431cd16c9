//! Small changes to a text, collected first and applied together.

use std::borrow::Cow;

use super::escaped;

/// A replacement of bytes.
#[derive(Debug)]
pub(super) struct TextEdit {
    /// The position in bytes.
    pub(super) at: usize,
    /// The number of bytes that are removed.
    pub(super) gone: usize,
    /// The text that is inserted.
    pub(super) put: Cow<'static, str>,
}

impl TextEdit {
    /// Inserts a backslash before a character.
    pub(super) fn backslash(at: usize) -> Self {
        Self { at, gone: 0, put: "\\".into() }
    }

    /// Replaces the `<` at this byte by `&lt;`, and removes a backslash before it that is no longer needed.
    pub(super) fn entity(text: &str, at: usize) -> Self {
        let from = at - usize::from(escaped(text, at));
        Self { at: from, gone: at + 1 - from, put: "&lt;".into() }
    }
}

/// Applies the changes. If two changes touch the same bytes, only the first is applied.
pub(super) fn apply(text: &str, mut edits: Vec<TextEdit>) -> String {
    edits.sort_by_key(|edit| edit.at);
    let mut out = String::with_capacity(text.len() + 4 * edits.len());
    let (mut from, mut last) = (0, None);
    for edit in edits {
        if edit.at < from || last == Some(edit.at) {
            continue;
        }
        out.push_str(&text[from..edit.at]);
        out.push_str(&edit.put);
        from = edit.at + edit.gone;
        last = Some(edit.at);
    }
    out.push_str(&text[from..]);
    out
}

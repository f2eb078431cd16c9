//! Small changes to a text, collected first and made at once.

use std::borrow::Cow;

use super::escaped;

/// Bytes that take the place of others.
#[derive(Debug)]
pub(super) struct Edit {
    /// Where, in bytes.
    pub(super) at: usize,
    /// How many bytes go.
    pub(super) gone: usize,
    /// What comes.
    pub(super) put: Cow<'static, str>,
}

impl Edit {
    /// A backslash before a character.
    pub(super) fn backslash(at: usize) -> Self {
        Self { at, gone: 0, put: "\\".into() }
    }

    /// The `<` at this byte as `&lt;`; a backslash that escapes it is no longer needed.
    pub(super) fn entity(text: &str, at: usize) -> Self {
        let from = at - usize::from(escaped(text, at));
        Self { at: from, gone: at + 1 - from, put: "&lt;".into() }
    }
}

/// Makes the changes. Of two that touch the same bytes the first is made.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
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

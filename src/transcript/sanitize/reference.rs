//! Escapes character references that would render as an invisible character.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::{TextEdit, apply, escaped};
use crate::invisible::{is_deceptive, is_selector};

/// HTML's names of invisible characters.
const NAMES: [&str; 16] = [
    "NewLine",
    "lrm",
    "rlm",
    "shy",
    "ZeroWidthSpace",
    "NegativeVeryThinSpace",
    "NegativeThinSpace",
    "NegativeMediumSpace",
    "NegativeThickSpace",
    "NoBreak",
    "ApplyFunction",
    "af",
    "InvisibleTimes",
    "it",
    "InvisibleComma",
    "ic",
];

/// Escapes references to invisible characters, so that they are shown as typed. Does not use a backslash, because some
/// renderers do not treat it as an escape here.
pub(super) fn escape_references(text: &str) -> Cow<'_, str> {
    static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|([A-Za-z][A-Za-z0-9]*))(;?)")
            .unwrap_or_else(|error| unreachable!("a constant pattern: {error}"))
    });
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut edits = Vec::new();
    for found in REFERENCE.captures_iter(text) {
        let number = found
            .get(1)
            .map(|hex| u32::from_str_radix(hex.as_str(), 16))
            .or_else(|| found.get(2).map(|decimal| decimal.as_str().parse()));
        // Some renderers and all browsers accept a reference without `;`, so the meaning of a number without it is
        // uncertain.
        let open = found.get(4).is_none_or(|end| end.is_empty());
        let deceptive = match (number, found.get(3)) {
            (Some(Ok(number)), _) => {
                open || char::from_u32(number)
                    .is_none_or(|c| is_deceptive(c) || is_selector(c) || c == '\n' || c == '\0')
            }
            (Some(Err(_)), _) => open,
            (_, Some(name)) => {
                NAMES.contains(&name.as_str()) || (open && name.as_str().starts_with("shy"))
            }
            _ => false,
        };
        if let Some(whole) = found.get(0)
            && deceptive
        {
            let from = whole.start() - usize::from(escaped(text, whole.start()));
            edits.push(TextEdit { at: from, gone: whole.start() + 1 - from, put: "&amp;".into() });
        }
    }
    Cow::Owned(apply(text, edits))
}

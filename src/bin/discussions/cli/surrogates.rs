//! Halves of characters in JSON: JavaScript writes half of an emoji as `\ud83d`, which is no character. A whole message,
//! with an edit or an answer in it, would be lost for it.

/// Replaces each half of a character in the escapes of a JSON text by the replacement character, which is as long.
pub(crate) fn replace_lone_surrogates(json: &mut [u8]) {
    let mut at = 0;
    while let Some(step) = json[at..].iter().position(|byte| *byte == b'\\') {
        at += step;
        match unit(&json[at..]) {
            Some(0xD800..=0xDBFF) if matches!(unit(&json[at + 6..]), Some(0xDC00..=0xDFFF)) => {
                at += 12;
            }
            Some(0xD800..=0xDFFF) => {
                json[at..at + 6].copy_from_slice(b"\\ufffd");
                at += 6;
            }
            // A backslash and the byte behind it; a second backslash begins no escape.
            _ => at = (at + 2).min(json.len()),
        }
    }
}

/// Returns the number of an escape like `\u00e9` at the start of a text.
fn unit(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(b"\\u")?.get(..4)?;
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_of_characters_are_replaced() {
        for (before, after) in [
            (r#"{"a":"\ud83d"}"#, r#"{"a":"\ufffd"}"#),
            (r#"{"a":"\uDE00x"}"#, r#"{"a":"\ufffdx"}"#),
            (r#"{"a":"\ud83d\ud83d\ude00"}"#, r#"{"a":"\ufffd\ud83d\ude00"}"#),
            (r#"{"a":"\ud83d\ude00 \u00e9"}"#, r#"{"a":"\ud83d\ude00 \u00e9"}"#),
            (r#"{"a":"\\ud83d"}"#, r#"{"a":"\\ud83d"}"#),
            (r#"{"a":"\ud83"#, r#"{"a":"\ud83"#),
            (r#"{"a":"\"#, r#"{"a":"\"#),
        ] {
            let mut json = before.as_bytes().to_vec();
            replace_lone_surrogates(&mut json);
            assert_eq!(String::from_utf8(json).unwrap(), after, "{before}");
        }
    }
}

//! Decodes base64 inside a text, because Kubernetes keeps secrets in that form. Base64 inside base64 is not decoded.

/// The shortest run of base64 letters that is decoded: half of the length of the shortest key.
const SHORTEST: usize = 24;

/// Decodes the base64 texts in a text, one after another, each with the byte offset where it begins.
pub(super) fn texts(text: &str) -> impl Iterator<Item = (usize, String)> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        while from < bytes.len() {
            let length = bytes[from..].iter().take_while(|byte| is_letter(**byte)).count();
            let run = &bytes[from..from + length];
            let at = from;
            from += length + 1;
            if length >= SHORTEST
                && let Some(read) = decode(run)
            {
                return Some((at, read));
            }
        }
        None
    })
}

/// Decodes a run of base64 letters; none if the result is not text.
fn decode(run: &[u8]) -> Option<String> {
    let mut read = Vec::with_capacity(run.len() / 4 * 3 + 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in run {
        bits = (bits << 6) | value(*byte);
        held += 6;
        if held >= 8 {
            held -= 8;
            let byte = (bits >> held) as u8;
            // Most runs are not text; decoding stops at their first bytes.
            if !(byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
                return None;
            }
            read.push(byte);
            bits &= (1 << held) - 1;
        }
    }
    String::from_utf8(read).ok()
}

/// Returns the six bits that a letter encodes.
fn value(letter: u8) -> u32 {
    u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    })
}

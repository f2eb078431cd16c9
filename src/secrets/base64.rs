//! Reads texts that are kept in base64, as Kubernetes keeps secrets. A second layer of base64 is not read.

/// The shortest run of letters that is read: half of the shortest key.
const SHORTEST: usize = 24;

/// Returns the texts in base64 of a text, one after another, each with the byte where it begins.
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

/// Returns what a run of letters stands for, if that is text.
fn decode(run: &[u8]) -> Option<String> {
    let mut read = Vec::with_capacity(run.len() / 4 * 3 + 3);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in run {
        bits = (bits << 6) | value(*byte);
        held += 6;
        if held >= 8 {
            held -= 8;
            let byte = (bits >> held) as u8;
            // Most runs are no text; they are given up at their first bytes.
            if !(byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
                return None;
            }
            read.push(byte);
            bits &= (1 << held) - 1;
        }
    }
    String::from_utf8(read).ok()
}

/// Returns the six bits of a letter.
fn value(letter: u8) -> u32 {
    u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    })
}

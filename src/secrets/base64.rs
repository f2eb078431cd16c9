//! Decodes base64 inside a text, because Kubernetes keeps secrets in that form. Base64 inside base64 is not decoded.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// A decoder that needs no padding and no complete end: a run of letters ends before its `=` and may be cut off.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

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
    // Most runs are not text; decoding stops at their first bytes.
    let is_text = |bytes: &[u8]| {
        bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
    };
    if !is_text(&LENIENT.decode(&run[..4]).ok()?) {
        return None;
    }
    // A single letter after the last group of four encodes no whole byte.
    let whole = run.len() - usize::from(run.len() % 4 == 1);
    let read = LENIENT.decode(&run[..whole]).ok().filter(|read| is_text(read))?;
    String::from_utf8(read).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_at_any_length() {
        // `echo -n 'one two three four!' | base64`, without its end.
        let run = "b25lIHR3byB0aHJlZSBmb3VyIQ";
        let read = |text: &str| texts(text).collect::<Vec<_>>();
        assert_eq!(read(run), [(0, "one two three four!".to_owned())]);
        assert_eq!(read(&format!("x: {run}==\n")), [(3, "one two three four!".to_owned())]);
        assert_eq!(read(&run[..25]), [(0, "one two three four".to_owned())]);
        assert_eq!(read(&run[..24]), [(0, "one two three four".to_owned())]);
        assert_eq!(read(&run[..23]), [], "shorter than the shortest");
    }

    #[test]
    fn binary_data_is_not_decoded() {
        for run in
            ["AAAAAAAAAAAAAAAAAAAAAAAA", "b25lIHR3byB0aHJlZSBmb3VyAA", "7777777777777777777777777"]
        {
            assert_eq!(texts(run).count(), 0, "{run}");
        }
    }
}

//! Paths in links.

/// Decodes `%20` and other percent escapes; `None` if the result is not text or contains control characters.
pub(crate) fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = (*first == b'%').then(|| behind.get(..2)).flatten();
        let read = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(read.unwrap_or(*first));
        rest = if read.is_some() { &behind[2..] } else { behind };
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(char::is_control)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_escapes_are_decoded() {
        assert_eq!(unescaped("a%20b%C3%A4.md").as_deref(), Some("a bä.md"));
        assert_eq!(unescaped("100%.md%2").as_deref(), Some("100%.md%2"));
        for wrong in ["%00", "a%0Ab", "%FF"] {
            assert_eq!(unescaped(wrong), None, "{wrong}");
        }
    }
}

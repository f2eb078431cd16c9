//! Finds `@alias` in running text.

/// Returns the name after the `@` at byte `at`; none if it belongs to an email address or no name follows.
pub(super) fn at(text: &str, at: usize) -> Option<&str> {
    let before = text[..at].chars().next_back();
    if before.is_some_and(|c| {
        c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '/' | '@' | '\\' | '%')
    }) {
        return None;
    }
    let rest = &text[at + 1..];
    let end =
        rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
    // `@host.example` is part of an address, not a name at the end of a sentence.
    let domain = rest[end..]
        .strip_prefix('.')
        .is_some_and(|after| after.starts_with(|c: char| c.is_alphanumeric()));
    let name = rest[..end].trim_end_matches(['-', '_']);
    (!name.is_empty() && !domain && !rest[end..].starts_with('@')).then_some(name)
}

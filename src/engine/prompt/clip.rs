//! Texts that are quoted no longer than there is room.

/// The beginning of a text, at a character's end.
pub(super) fn clip(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The same, which says that there was more; it ends behind a word.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let begin = clip(text, limit);
    let words = begin.rfind(' ').filter(|at| *at > limit / 2).map_or(begin, |at| &begin[..at]);
    format!("{} ...", words.trim_end())
}

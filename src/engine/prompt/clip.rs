//! Shortens quoted texts to a maximum length.

/// Returns the start of a text, cut at a character boundary.
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

/// Returns the start of a text, cut after a word, with dots if there was more.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let begin = clip(text, limit);
    let words = begin.rfind(' ').filter(|at| *at > limit / 2).map_or(begin, |at| &begin[..at]);
    format!("{} ...", words.trim_end())
}

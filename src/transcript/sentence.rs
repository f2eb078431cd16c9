//! Finds the sentence of a paragraph that contains an `@alias`, and whether that sentence asks a
//! question.

use std::ops::Range;

/// A finder of sentences at ascending positions; it examines each character only once.
pub(super) struct Sentences<'t> {
    text: &'t str,
    /// The paragraph that is being read.
    within: Range<usize>,
    /// The last sentence that was found.
    last: Option<Sentence>,
}

/// One sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sentence {
    /// The range. A sentence that consists only of names belongs to the one before it.
    pub(super) range: Range<usize>,
    /// True if it ends with a question mark.
    pub(super) asks: bool,
    end: usize,
}

impl<'t> Sentences<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, within: 0..0, last: None }
    }

    /// Returns the sentence at a position in a paragraph.
    pub(super) fn of(&mut self, within: Range<usize>, at: usize) -> Sentence {
        if self.within != within {
            (self.within, self.last) = (within, None);
        }
        loop {
            match &self.last {
                Some(last) if at < last.end => return last.clone(),
                _ => self.advance(),
            }
        }
    }

    fn advance(&mut self) {
        let start = self.last.as_ref().map_or(self.within.start, |last| last.end);
        let end = (start + end_of(&self.text[start..self.within.end])).max(start + 1);
        let own = &self.text[start..end];
        let asks = closing(own).contains(['?', '？']);
        let before = self.last.take().filter(|_| names_only(own));
        let from = before.as_ref().map_or(start, |before| before.range.start);
        let whole = &self.text[from..end];
        let blank = whole.len() - whole.trim_start().len();
        let range = from + blank..from + whole.trim_end().len().max(blank);
        let asks = asks || (closing(own).is_empty() && before.is_some_and(|before| before.asks));
        self.last = Some(Sentence { range, asks, end });
    }
}

/// Returns the end of a sentence: punctuation, and the brackets, quotation marks and emphasis around it.
fn closing(text: &str) -> &str {
    let text = text.trim_end();
    &text[text.trim_end_matches(is_closing).len()..]
}

fn is_closing(c: char) -> bool {
    is_end(c) || matches!(c, '"' | '\'' | ')' | ']' | '*' | '_' | '»' | '”' | '’' | '…')
}

fn is_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？')
}

/// Returns the end of the first sentence of a text. A full stop before a lower-case letter does not end a sentence:
/// `e.g. this`.
fn end_of(text: &str) -> usize {
    let mut from = 0;
    while let Some(found) = text[from..].find(is_end) {
        let at = from + found;
        let behind = text[at..].trim_start_matches(is_closing);
        let wide = text[at..].starts_with(['。', '！', '？']);
        from = text.len() - behind.len();
        let next = behind.trim_start();
        let apart = next.len() < behind.len() || behind.is_empty() || wide;
        let asks = text[at..from].contains(['?', '？', '!', '！']);
        if apart && (asks || !next.starts_with(char::is_lowercase)) {
            return text.len() - next.len();
        }
    }
    text.len()
}

/// Returns true if a sentence consists only of names: `@ann, @bob?`
fn names_only(text: &str) -> bool {
    let mut rest = text;
    let mut named = false;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",&/".contains(c));
        if let Some(behind) = rest.strip_prefix("and ") {
            rest = behind;
        } else if rest.starts_with('@') {
            let Some(name) = mention_at(rest, 0) else { return false };
            (rest, named) = (&rest[1 + name.len()..], true);
        } else {
            return named && rest.trim_start_matches(is_closing).trim().is_empty();
        }
    }
}

/// Returns the name after the `@` at byte `at`; none if it belongs to an email address or no name follows.
pub(super) fn mention_at(text: &str, at: usize) -> Option<&str> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sentence around the last `@`.
    fn sentence_around(text: &str) -> (&str, bool) {
        let at = text.rfind('@').unwrap();
        let found = Sentences::new(text).of(0..text.len(), at);
        (&text[found.range], found.asks)
    }

    #[test]
    fn mention_belongs_to_its_sentence() {
        for (text, sentence, asks) in [
            ("Fine. Is @ann sure? Yes.", "Is @ann sure?", true),
            ("Is it? Thanks @ann. Is it?", "Thanks @ann.", false),
            ("One hour. @ann?", "One hour. @ann?", true),
            ("Is that measured? @ann", "Is that measured? @ann", true),
            ("Is that measured? @ann!", "Is that measured? @ann!", false),
            ("It is measured. @ann", "It is measured. @ann", false),
            ("@ann, e.g. the lock?", "@ann, e.g. the lock?", true),
            ("(Does @ann know?) I do.", "(Does @ann know?)", true),
            ("**Does @ann know?**", "**Does @ann know?**", true),
            ("Really?! @ann said so.", "@ann said so.", false),
            ("@ann 你确定吗？我不", "@ann 你确定吗？", true),
            ("v1.2 of @ann, see a.b?", "v1.2 of @ann, see a.b?", true),
            (
                "Does it\nhold, @ann,\nunder load?\nIt does.",
                "Does it\nhold, @ann,\nunder load?",
                true,
            ),
        ] {
            assert_eq!(sentence_around(text), (sentence, asks), "{text}");
        }
    }

    #[test]
    fn ten_thousand_mentions_in_one_sentence_are_read_once() {
        let text = "@a ".repeat(10_000);
        let mut sentences = Sentences::new(&text);
        for at in (0..text.len()).step_by(3) {
            assert_eq!(sentences.of(0..text.len(), at).range.start, 0);
        }
    }
}

//! HTML that is put together so that no text of anybody's can become markup: what is markup stands in this program.

use std::fmt::{Display, Write as _};

use discussions::transcript::visible;
use discussions::view::{escaped, html_of};

/// A piece of a page.
#[derive(Debug, Default)]
pub(in crate::serve) struct Html(String);

impl Html {
    /// Markup, which only the program itself writes.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Somebody's words, also within quotes. What does not show is made visible.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&escaped(&visible(text)));
        self
    }

    /// Somebody's words in one line, with `code` as such.
    pub(super) fn inline(&mut self, text: &str) -> &mut Self {
        let mut rest = text;
        while let Some((before, code, behind)) = code_span(rest) {
            self.text(before).raw("<code>").text(code).raw("</code>");
            rest = behind;
        }
        self.text(rest)
    }

    /// A number or another value that is told as a text.
    pub(super) fn value(&mut self, value: impl Display) -> &mut Self {
        let _ = write!(self.0, "{}", escaped(&value.to_string()));
        self
    }

    /// Somebody's Markdown, with headings so many levels down.
    pub(super) fn markdown(&mut self, text: &str, down: usize) -> &mut Self {
        self.0.push_str(&html_of(&visible(text), down));
        self
    }

    /// Another piece.
    pub(super) fn piece(&mut self, piece: &Self) -> &mut Self {
        self.0.push_str(&piece.0);
        self
    }

    /// The way to a discussion.
    pub(super) fn way(&mut self, name: &str) -> &mut Self {
        self.0.push_str("/d/");
        self.0.push_str(&encoded(name));
        self
    }

    /// The text of it.
    pub(in crate::serve) fn done(self) -> String {
        self.0
    }

    /// The same, to be looked at.
    pub(in crate::serve) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The first code span of a line, with what stands before and behind it. Only single backticks enclose one.
fn code_span(text: &str) -> Option<(&str, &str, &str)> {
    let alone = |at: &usize| !text[..*at].ends_with('`') && !text[*at + 1..].starts_with('`');
    let mut ticks = text.match_indices('`').map(|(at, _)| at).filter(alone);
    let (from, to) = (ticks.next()?, ticks.next()?);
    Some((&text[..from], &text[from + 1..to], &text[to + 1..]))
}

/// One part of a path: everything that is not a letter, a digit or one of four signs is spelt out.
pub(in crate::serve) fn encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(byte.into());
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_code_in_one_line_too() {
        let inline = |text: &str| {
            let mut html = Html::default();
            html.inline(text);
            html.done()
        };
        assert_eq!(inline("use `a<b>` now"), "use <code>a&lt;b&gt;</code> now");
        assert_eq!(inline("one ` alone, two `` together"), "one ` alone, two `` together");
    }

    #[test]
    fn words_stay_words_and_names_stay_one_part_of_a_path() {
        let mut html = Html::default();
        html.raw("<p title=\"").text("\"><script>").raw("\">").markdown("<b>x</b>", 2).way("a/b ü");
        assert_eq!(
            html.done(),
            "<p title=\"&quot;&gt;&lt;script&gt;\"><p>&lt;b&gt;x&lt;/b&gt;</p>\n/d/a%2Fb%20%C3%BC"
        );
    }
}

//! Builds HTML in which foreign text never becomes markup: all markup comes from this program. Also
//! builds the frame around every page.

use std::fmt::{Display, Write as _};
use std::sync::Arc;

use discussions::view::{escaped, html_of, visible};

use super::links::PageLinks;

/// A piece of a page.
#[derive(Debug, Default)]
pub(in crate::serve) struct Html {
    text: String,
    /// The links of a page of a static site; `None` on a page of the server, where links stay as they are written.
    links: Option<Arc<PageLinks>>,
}

impl Html {
    /// Returns an empty piece of a page with these links.
    pub(in crate::serve) fn on(links: Option<&Arc<PageLinks>>) -> Self {
        Self { text: String::new(), links: links.cloned() }
    }

    /// Adds markup, which comes only from the program itself.
    pub(in crate::serve) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.text.push_str(markup);
        self
    }

    /// Adds foreign text, also within quotes. Makes invisible characters visible.
    pub(in crate::serve) fn text(&mut self, text: &str) -> &mut Self {
        self.text.push_str(&escaped(&visible(text)));
        self
    }

    /// Adds foreign text in one line, with code spans.
    pub(in crate::serve) fn inline(&mut self, text: &str) -> &mut Self {
        let mut rest = text;
        while let Some((before, code, behind)) = code_span(rest) {
            self.text(before).raw("<code>").text(code).raw("</code>");
            rest = behind;
        }
        self.text(rest)
    }

    /// Adds a number or another value as text.
    pub(in crate::serve) fn value(&mut self, value: impl Display) -> &mut Self {
        let _ = write!(self.text, "{}", escaped(&value.to_string()));
        self
    }

    /// Adds foreign Markdown, with its headings moved down by `down` levels.
    pub(in crate::serve) fn markdown(&mut self, text: &str, down: usize) -> &mut Self {
        let link = |target: &str| match &self.links {
            Some(links) => links.of_text(target),
            None => Some(target.to_owned()),
        };
        let html = html_of(&visible(text), down, &link);
        self.text.push_str(&html);
        self
    }

    /// Adds another piece.
    pub(in crate::serve) fn piece(&mut self, piece: &Self) -> &mut Self {
        self.text.push_str(&piece.text);
        self
    }

    /// Adds the name of another discussion's file, with a link if it has a page on the site.
    pub(super) fn file(&mut self, path: &str) -> &mut Self {
        match self.links.as_ref().and_then(|links| links.of_file(path)) {
            Some(to) => self.raw("<a href=\"").text(&to).raw("\">").text(path).raw("</a>"),
            None => self.text(path),
        }
    }

    /// Adds the path of a discussion.
    pub(super) fn way(&mut self, name: &str) -> &mut Self {
        self.text.push_str("/d/");
        self.text.push_str(&encoded(name));
        self
    }

    /// Returns the text of the piece.
    pub(in crate::serve) fn into_string(self) -> String {
        self.text
    }

    /// Returns a reference to the text of the piece.
    pub(in crate::serve) fn as_str(&self) -> &str {
        &self.text
    }
}

/// Returns the first code span of a line, with the text before and after it. Only single backticks enclose one.
fn code_span(text: &str) -> Option<(&str, &str, &str)> {
    let alone = |at: &usize| !text[..*at].ends_with('`') && !text[*at + 1..].starts_with('`');
    let mut ticks = text.match_indices('`').map(|(at, _)| at).filter(alone);
    let (from, to) = (ticks.next()?, ticks.next()?);
    Some((&text[..from], &text[from + 1..to], &text[to + 1..]))
}

/// Encodes one part of a path: everything except letters, digits and four signs.
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

/// The settings of a page's frame.
pub(super) struct Frame<'f> {
    pub(super) title: &'f str,
    /// The discussion of the page.
    pub(super) here: Option<&'f str>,
    /// True to reload the page, because a run is in progress and a browser without scripts gets no
    /// updates. Never set on a page where the user may be writing.
    pub(super) refresh: bool,
    /// True if the page gets live updates.
    pub(super) is_live: bool,
}

pub(super) fn frame_page(frame: &Frame<'_>, main: &Html) -> String {
    let mut page = page_head(frame);
    page.piece(main).raw(BELOW);
    page.into_string()
}

/// The markup below the main part.
pub(super) const BELOW: &str = "</main></body></html>\n";

/// Returns the markup above the main part.
pub(super) fn page_head(frame: &Frame<'_>) -> Html {
    let mut page = Html::default();
    page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .raw("<meta name=\"color-scheme\" content=\"light dark\">")
        .raw("<link rel=\"stylesheet\" href=\"/style.css\"><link rel=\"icon\" href=\"/icon.svg\">");
    if frame.refresh {
        page.raw("<meta http-equiv=\"refresh\" content=\"4\">");
    }
    if frame.is_live {
        page.raw("<script src=\"/live.js\" defer></script>");
    }
    page.raw("<title>").text(frame.title).raw(" · discussions</title></head><body");
    page.raw(if frame.here.is_some() { " class=\"room\">" } else { ">" });
    page.raw("<nav aria-label=\"Discussions\"><p class=\"home\"><a href=\"/\">discussions</a></p>");
    if let Some(here) = frame.here {
        // The script loads the list after the page: reading all discussions takes longer than reading this one.
        page.raw("<div id=\"others\" data-here=\"").text(here).raw("\"></div>");
    }
    page.raw("</nav><main>");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_code_is_rendered_as_code() {
        let inline = |text: &str| {
            let mut html = Html::default();
            html.inline(text);
            html.into_string()
        };
        assert_eq!(inline("use `a<b>` now"), "use <code>a&lt;b&gt;</code> now");
        assert_eq!(inline("one ` alone, two `` together"), "one ` alone, two `` together");
    }

    #[test]
    fn text_is_escaped_and_a_name_stays_one_path_segment() {
        let mut html = Html::default();
        html.raw("<p title=\"").text("\"><script>").raw("\">").markdown("<b>x</b>", 2).way("a/b ü");
        assert_eq!(
            html.into_string(),
            "<p title=\"&quot;&gt;&lt;script&gt;\"><p>&lt;b&gt;x&lt;/b&gt;</p>\n/d/a%2Fb%20%C3%BC"
        );
    }
}

//! The headings, links and comments of a Markdown text.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// The parts of a text by their places in it.
#[derive(Clone, Debug, Default)]
pub(super) struct MarkdownOutline {
    /// The headings in order.
    pub(super) headings: Vec<Heading>,
    /// The targets of links with their places.
    pub(super) links: Vec<(String, usize)>,
    /// The HTML comments, which are not shown.
    comments: Vec<Range<usize>>,
}

/// A heading.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    /// 1 to 6.
    pub(super) level: usize,
    /// Its text without marks.
    pub(super) title: String,
    /// Its bytes.
    pub(super) place: Range<usize>,
}

impl MarkdownOutline {
    /// Reads a text in one pass.
    pub(super) fn of(text: &str) -> Self {
        let mut outline = Self::default();
        let mut heading: Option<Heading> = None;
        // Headings in quotes and lists belong to an example, not to the record.
        let mut depth = 0_usize;
        for (event, place) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            match event {
                Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => depth += 1,
                Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => depth -= 1,
                Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                    heading = Some(Heading { level: number(level), title: String::new(), place });
                }
                Event::End(TagEnd::Heading(_)) => outline.headings.extend(heading.take()),
                Event::Text(part) | Event::Code(part) => {
                    heading.iter_mut().for_each(|heading| heading.title.push_str(&part));
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    outline.links.push((dest_url.into_string(), place.start));
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    let opens = html.trim_start().starts_with("<!--");
                    match outline.comments.last_mut() {
                        // A comment of several lines comes line by line.
                        Some(last) if !opens && is_open(text, last) => last.end = place.end,
                        _ if opens => outline.comments.push(place),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        outline
    }

    /// Returns a part of the text without its comments.
    pub(super) fn shown_text(&self, text: &str, place: Range<usize>) -> String {
        let first = self.comments.partition_point(|comment| comment.end <= place.start);
        let (mut shown, mut from) = (String::new(), place.start);
        for comment in self.comments[first..].iter().take_while(|it| it.start < place.end) {
            shown.push_str(text.get(from..comment.start.max(from)).unwrap_or_default());
            // Lines keep their numbers.
            let hidden = text.get(comment.start.max(from)..comment.end.min(place.end));
            let lines = memchr::memchr_iter(b'\n', hidden.unwrap_or_default().as_bytes()).count();
            shown.extend(std::iter::repeat_n('\n', lines));
            from = comment.end.min(place.end).max(from);
        }
        shown.push_str(text.get(from..place.end).unwrap_or_default());
        shown
    }

    /// Returns the bytes between a heading and the next one.
    pub(super) fn text_below(&self, index: usize, text: &str) -> Range<usize> {
        let start = self.headings[index].place.end;
        let end = self.headings.get(index + 1).map_or(text.len(), |next| next.place.start);
        start..end.max(start)
    }
}

/// Returns true if a comment did not end yet.
fn is_open(text: &str, comment: &Range<usize>) -> bool {
    !text.get(comment.clone()).unwrap_or_default().trim_end().ends_with("-->")
}

/// Returns 1 to 6.
fn number(level: HeadingLevel) -> usize {
    level as usize
}

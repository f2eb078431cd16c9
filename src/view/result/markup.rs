//! Renders untrusted Markdown as harmless HTML: raw HTML becomes text, images become links, and links may only have
//! safe targets.

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use crate::transcript::Marker;

/// Renders a Markdown text as HTML that runs nothing and loads nothing. Headings go down by `down` levels, 0 to 5, to
/// fit below those of the page around it.
pub fn html_of(text: &str, down: usize) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut is_new_line = false;
    let events = Parser::new_ext(text, options).flat_map(|event| {
        // A marker line keeps a line of its own.
        let breaks = is_new_line && matches!(&event, Event::Text(text) if is_marker(text));
        is_new_line = match event {
            Event::SoftBreak => true,
            Event::Start(Tag::Strong | Tag::Emphasis) => is_new_line,
            _ => false,
        };
        breaks.then_some(Event::HardBreak).into_iter().chain(harmless(event, down))
    });
    html::push_html(&mut out, events);
    out
}

/// Returns whether a line begins with a marker's word, such as `TODO:`.
fn is_marker(line: &str) -> bool {
    line.split_once(':').is_some_and(|(word, _)| Marker::words().any(|known| known == word))
}

/// Escapes the special characters of HTML. The result is safe within quotes too.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

fn harmless(event: Event<'_>, down: usize) -> Vec<Event<'_>> {
    vec![match event {
        Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: lower(level, down),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(lower(level, down))),
        Event::Start(Tag::Link { dest_url, title, .. }) => Event::Start(link(dest_url, title)),
        // Opening the page must not load anything.
        Event::Start(Tag::Image { dest_url, title, .. }) => {
            return vec![Event::Start(link(dest_url, title)), Event::Text("image: ".into())];
        }
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        other => other,
    }]
}

fn link<'t>(url: CowStr<'t>, title: CowStr<'t>) -> Tag<'t> {
    let dest_url = if may_lead(&url) { url } else { "".into() };
    Tag::Link { link_type: LinkType::Inline, dest_url, title, id: "".into() }
}

/// Returns whether a target is `http`, `https`, `mailto`, or a path without a scheme. Characters that a browser ignores
/// in an address are ignored here too.
fn may_lead(url: &str) -> bool {
    let plain: String = url.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    let before = plain.split(['/', '?', '#']).next().unwrap_or_default();
    let network = plain.starts_with("//") || plain.contains('\\');
    match before.split_once(':') {
        Some((scheme, _)) => {
            ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
        }
        None => !network,
    }
}

fn lower(level: HeadingLevel, down: usize) -> HeadingLevel {
    HeadingLevel::try_from((level as usize + down).min(6)).unwrap_or(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendered_markup_is_harmless() {
        for (text, shown) in [
            ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
            ("a <img src=x onerror=y> b", "<p>a &lt;img src=x onerror=y&gt; b</p>"),
            ("[x](javascript:alert(1))", "<p><a href=\"\">x</a></p>"),
            ("[x](JAVA\tSCRIPT:y)", "<p>[x](JAVA\tSCRIPT:y)</p>"),
            ("[x](data:text/html,y)", "<p><a href=\"\">x</a></p>"),
            ("[x](//evil.example)", "<p><a href=\"\">x</a></p>"),
            ("[x](../docs/a.md#b:c)", "<p><a href=\"../docs/a.md#b:c\">x</a></p>"),
            ("[x](https://a.example/?b=c)", "<p><a href=\"https://a.example/?b=c\">x</a></p>"),
            (
                "<mailto:rob@example.org>",
                "<p><a href=\"mailto:rob@example.org\">mailto:rob@example.org</a></p>",
            ),
            (
                "![cat](https://a.example/c.png)",
                "<p><a href=\"https://a.example/c.png\">image: cat</a></p>",
            ),
            ("# One", "<h3>One</h3>"),
            ("Q: Who?\nTODO: it", "<p>Q: Who?\n<br />\nTODO: it</p>"),
            ("one\ntwo: three TODO: x", "<p>one\ntwo: three TODO: x</p>"),
        ] {
            assert_eq!(html_of(text, 2).trim_end(), shown, "{text}");
        }
    }
}

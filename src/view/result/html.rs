//! A discussion as one HTML page to print or send: the result first, then all comments. The page runs no scripts and
//! loads nothing. Untrusted Markdown becomes harmless HTML.

use std::fmt::Write as _;

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use super::ResultDocument;
use super::revision::{ChangeKind, TextRevision};
use super::text_review::CHANGES;
use crate::engine::Snapshot;
use crate::transcript::{Comment, Control, EntryKind, Marker, StatusWord, time, visible};

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 Georgia, 'Times New Roman', serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3, h4, .who, .what { font-family: system-ui, sans-serif; line-height: 1.25; }
article { border-top: 1px solid #8888; padding: .5rem 0; }
.who { font-weight: 600; margin: .5rem 0; }
.vote { font-weight: 600; }
.what, small { color: #777; font-size: .85rem; }
.changed { white-space: pre-line; }
del { background: #f002; } ins { background: #0b02; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8885; white-space: pre-wrap; }
table { border-collapse: collapse; } td, th { border: 1px solid #8888; padding: .2rem .5rem; }
@media print {
  body { max-width: none; margin: 0; font-size: 11pt; }
  article { break-inside: auto; } h2, h3, .who { break-after: avoid; }
  a { color: inherit; }
}";

/// The content security policy. It forbids scripts and loading, in case active content ever gets into the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Builds the page.
pub(super) fn page(snapshot: &Snapshot, document: &ResultDocument) -> String {
    let title = escaped(&snapshot.state.title);
    let mut page = format!(
        "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n"
    );
    page.push_str("<header>\n");
    match document {
        ResultDocument::Discussion(result) => {
            let parts = super::page::page(snapshot, result);
            page.push_str(&rendered(&parts.before, 0));
            if let Some(revision) = &result.review.revision {
                render_changes(&mut page, revision);
            }
            page.push_str(&rendered(&parts.after, 0));
        }
        ResultDocument::Review(result) => page.push_str(&rendered(&result.page(), 0)),
    }
    page.push_str("</header>\n");
    let context = &*snapshot.transcript.topic_text();
    let below: Vec<&str> =
        context.lines().skip_while(|line| !line.starts_with("# ")).skip(1).collect();
    if !below.join("").trim().is_empty() {
        let _ = write!(
            page,
            "<section>\n<h2>Context</h2>\n{}</section>\n",
            rendered(&below.join("\n"), 1)
        );
    }
    page.push_str("<section>\n<h2>Discussion</h2>\n");
    for entry in &snapshot.transcript.entries {
        match &entry.kind {
            EntryKind::Comment(comment) => render_comment(&mut page, comment, entry.line),
            EntryKind::Control(control) => {
                if let Some(text) = happened(control) {
                    let _ = writeln!(page, "<p class=\"what\">{}</p>", escaped(&text));
                }
            }
            EntryKind::Stray(text) => {
                let _ = write!(page, "<article>\n{}</article>\n", rendered(text, 3));
            }
        }
    }
    page.push_str("</section>\n</body>\n</html>\n");
    page
}

/// Adds the places that changed after the review, with removed and added words marked.
fn render_changes(page: &mut String, revision: &TextRevision) {
    let _ = writeln!(page, "<h2>{CHANGES}</h2>");
    for place in &revision.places {
        page.push_str("<p class=\"changed\">");
        for part in place {
            let text = escaped(&visible(&part.text));
            let _ = match part.kind {
                ChangeKind::Kept => write!(page, "{text}"),
                ChangeKind::Removed => write!(page, "<del>{text}</del>"),
                ChangeKind::Added => write!(page, "<ins>{text}</ins>"),
            };
        }
        page.push_str("</p>\n");
    }
}

fn render_comment(page: &mut String, comment: &Comment, line: usize) {
    let reply = comment.reply.as_ref();
    let through =
        reply.and_then(|reply| reply.spent.model.as_ref().or(reply.spent.provider.as_ref()));
    let at = comment.at().map(time);
    let notes: Vec<String> =
        through.cloned().into_iter().chain(at).chain([format!("line {line}")]).collect();
    let counts = if comment.acknowledged() { "" } else { " (never finished; ignored)" };
    let _ = write!(
        page,
        "<article>\n<p class=\"who\">{}{counts} <small>{}</small></p>\n{}",
        escaped(comment.name.as_str()),
        escaped(&notes.join(", ")),
        rendered(&comment.body(), 3)
    );
    if let Some(vote) = comment.closing_vote() {
        let _ = writeln!(page, "<p class=\"vote\">VOTE: {}</p>", escaped(vote));
    }
    page.push_str("</article>\n");
}

/// Returns the text of a control line for people. Turns and vote resets are internal and return `None`.
fn happened(control: &Control) -> Option<String> {
    Some(match control {
        Control::Phase(phase) => match &phase.by {
            Some(by) => format!("Phase {}, started by {by}", phase.id),
            None => format!("Phase {}", phase.id),
        },
        Control::Status(status) => {
            let word = if status.status == StatusWord::Closed { "Closed" } else { "Reopened" };
            match &status.by {
                Some(by) => format!("{word} by {by}"),
                None => word.to_owned(),
            }
        }
        Control::Failed(failed) => format!("{} could not answer: {}", failed.who, failed.message),
        Control::Pass(pass) => format!("{} had nothing to add", pass.who),
        Control::Child(child) => format!("Sub-discussion started: {}", child.file),
        Control::ChildEnd(end) => format!("Sub-discussion ended: {}, {}", end.file, end.status),
        Control::Ended(end) => {
            let parts = [end.heading.as_deref(), end.decision.as_deref()];
            let parts: Vec<String> =
                parts.into_iter().flatten().map(|part| part.replace("**", "")).collect();
            parts.join(". ")
        }
        Control::Turn(_) | Control::VoteReset | Control::Accepted(_) => return None,
    })
}

/// Renders a Markdown text as [`html_of`] does, with its links as they are.
fn rendered(text: &str, down: usize) -> String {
    html_of(text, down, &|target| Some(target.to_owned()))
}

/// Renders a Markdown text as HTML that runs nothing and loads nothing. Headings go down by `down` levels, 0 to 5, to
/// fit below those of the page around it. `link` returns the target on the page for the target in the text; without
/// one, the link becomes text. A target that could run something is empty.
pub fn html_of(text: &str, down: usize, link: &dyn Fn(&str) -> Option<String>) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut is_new_line = false;
    let mut links = OpenLinks { link, kept: Vec::new() };
    let events = Parser::new_ext(text, options).flat_map(|event| {
        // A marker line keeps a line of its own.
        let breaks = is_new_line && matches!(&event, Event::Text(text) if is_marker(text));
        is_new_line = match event {
            Event::SoftBreak => true,
            Event::Start(Tag::Strong | Tag::Emphasis) => is_new_line,
            _ => false,
        };
        breaks.then_some(Event::HardBreak).into_iter().chain(harmless(event, down, &mut links))
    });
    html::push_html(&mut out, events);
    out
}

/// The links around the current place of a text. An image within a link is a link within a link.
struct OpenLinks<'l> {
    link: &'l dyn Fn(&str) -> Option<String>,
    /// For each open link, true if it stays a link.
    kept: Vec<bool>,
}

impl OpenLinks<'_> {
    /// Opens a link; returns nothing if it becomes text.
    fn open<'t>(&mut self, url: &str, title: CowStr<'t>) -> Option<Event<'t>> {
        let target = (self.link)(if may_lead(url) { url } else { "" });
        self.kept.push(target.is_some());
        let dest_url = target?.into();
        let link_type = LinkType::Inline;
        Some(Event::Start(Tag::Link { link_type, dest_url, title, id: "".into() }))
    }

    /// Closes the innermost link.
    fn close(&mut self) -> Option<Event<'static>> {
        self.kept.pop().unwrap_or(true).then_some(Event::End(TagEnd::Link))
    }
}

/// Returns whether a line begins with a marker's word, such as `TODO:`.
fn is_marker(line: &str) -> bool {
    let word = |before: &str| before.split_once(" (").map_or(before.len(), |(word, _)| word.len());
    line.split_once(':')
        .is_some_and(|(before, _)| Marker::words().any(|known| known == &before[..word(before)]))
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

fn harmless<'t>(event: Event<'t>, down: usize, links: &mut OpenLinks<'_>) -> Vec<Event<'t>> {
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
        Event::Start(Tag::Link { dest_url, title, .. }) => {
            return links.open(&dest_url, title).into_iter().collect();
        }
        // Opening the page must not load anything.
        Event::Start(Tag::Image { dest_url, title, .. }) => {
            let text = Event::Text("image: ".into());
            return links.open(&dest_url, title).into_iter().chain([text]).collect();
        }
        Event::End(TagEnd::Link | TagEnd::Image) => return links.close().into_iter().collect(),
        other => other,
    }]
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
            assert_eq!(rendered(text, 2).trim_end(), shown, "{text}");
        }
    }

    #[test]
    fn links_lead_where_the_page_says_or_become_text() {
        let link = |target: &str| match target {
            "other.md" => Some("other.html".to_owned()),
            _ => None,
        };
        let shown = |text: &str| html_of(text, 0, &link).trim_end().to_owned();
        assert_eq!(shown("[a](other.md)"), "<p><a href=\"other.html\">a</a></p>");
        assert_eq!(shown("[a *b*](src/x.rs)"), "<p>a <em>b</em></p>");
        assert_eq!(shown("[a](javascript:x)"), "<p>a</p>");
        assert_eq!(
            shown("[![i](x.png) b](other.md)"),
            "<p><a href=\"other.html\">image: i b</a></p>"
        );
        assert_eq!(shown("[![i](other.md) b](x)"), "<p><a href=\"other.html\">image: i</a> b</p>");
    }
}

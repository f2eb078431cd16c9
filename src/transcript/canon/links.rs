//! Links that need nothing but themselves: what the body defines elsewhere, or writes with a title, becomes
//! `[text](address)`, before definitions and titles are shown as the text that they are.

use std::borrow::Cow;

use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

use super::super::fence::options;
use super::edit::{Edit, apply};
use crate::invisible::is_selector;

/// Times that links are looked for: a title or a definition may hold another.
const PASSES: usize = 3;

/// A link or a picture while its text is read.
struct Open {
    kind: LinkType,
    address: String,
    title: String,
    start: usize,
    end: usize,
    /// Where its text has come to.
    text_end: usize,
}

/// The text with links that stand alone.
pub(super) fn inline_links(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut text = text;
    for _ in 0..PASSES {
        if !text.contains("](") && !text.contains("]:") {
            break;
        }
        let (links, edits) = read(&text);
        if edits.is_empty() {
            break;
        }
        let changed = apply(&text, edits);
        // Where a change would make another link of one, or none, all stays as it is.
        if read(&changed).0 != links {
            break;
        }
        text = Cow::Owned(changed);
    }
    text
}

/// The addresses of a text's links, in order, and what makes each stand alone.
fn read(text: &str) -> (Vec<String>, Vec<Edit>) {
    let (mut links, mut edits) = (Vec::new(), Vec::new());
    let mut open: Vec<Open> = Vec::new();
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        if let Some(link) = open.last_mut() {
            link.text_end = link.text_end.max(range.end.min(link.end));
        }
        match event {
            Event::Start(
                Tag::Link { link_type, dest_url, title, id }
                | Tag::Image { link_type, dest_url, title, id },
            ) => {
                if let Some(outer) = open.last_mut() {
                    outer.text_end = outer.text_end.max(range.end);
                }
                links.push(address(&dest_url));
                // Elsewhere a footnote, which no address stands for.
                let dest_url = if id.starts_with('^') { "".into() } else { dest_url };
                let opener = if text[range.start..].starts_with('!') { 2 } else { 1 };
                open.push(Open {
                    kind: link_type,
                    address: address(&dest_url),
                    title: title.into_string(),
                    start: range.start,
                    end: range.end,
                    text_end: range.start + opener,
                });
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some(link) = open.pop() {
                    edits.extend(edit(text, &link));
                }
            }
            _ => {}
        }
    }
    (links, edits)
}

/// The change that makes a link stand alone.
fn edit(text: &str, link: &Open) -> Option<Edit> {
    let Open { kind, address, title, start, end, text_end } = link;
    // The end event has the whole range: the text ends where its last part did.
    let from = (*text_end).clamp(*start, *end);
    let close = |mark: &str| text[from.min(*end)..*end].find(mark).map(|at| from + at);
    let last = |mark: &str| text[*start..*end].rfind(mark).map(|at| start + at);
    if address.is_empty() {
        return None;
    }
    match kind {
        LinkType::Reference => {
            let at = last("][")? + 1;
            Some(Edit { at, gone: end - at, put: format!("({address})").into() })
        }
        LinkType::Collapsed => {
            // The empty brackets belong to it, whether its range holds them or not.
            let at = if text[*start..*end].ends_with("[]") { end - 2 } else { *end };
            let gone = if text[at..].starts_with("[]") { 2 } else { 0 };
            Some(Edit { at, gone, put: format!("({address})").into() })
        }
        LinkType::Shortcut => Some(Edit { at: *end, gone: 0, put: format!("({address})").into() }),
        LinkType::Inline => {
            let at = close("](").or_else(|| last("]("))? + 1;
            let tail = &text[at..*end];
            if !tail.contains(char::is_whitespace) && !tail.starts_with("(<") {
                return None;
            }
            let shown: String = title.split_whitespace().collect::<Vec<_>>().join(" ");
            // What a title says is shown behind the link: nobody sees it where it stood.
            let escape = |c: char| Some('\\').filter(|_| "[]\\`*_<|".contains(c));
            let shown: String =
                shown.chars().flat_map(|c| escape(c).into_iter().chain([c])).collect();
            let behind = if shown.is_empty() { String::new() } else { format!(" ({shown})") };
            Some(Edit { at, gone: end - at, put: format!("({address}){behind}").into() })
        }
        _ => None,
    }
}

/// An address that no renderer takes for anything else, wherever it stands.
fn address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            ' ' | '<' | '>' | '(' | ')' | '[' | ']' | '\\' | '"' | '\'' | '`' | '|' | '{' | '}'
            | '^' | '*' | '$' => {
                out.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c if c.is_whitespace() || c.is_control() => out.push_str("%20"),
            '&' => out.push_str("&amp;"),
            // What it varies may be spelt otherwise now, and then it would hide.
            c if is_selector(c) => {
                let mut bytes = [0; 4];
                c.encode_utf8(&mut bytes).bytes().for_each(|b| out.push_str(&format!("%{b:02X}")));
            }
            c => out.push(c),
        }
    }
    out
}

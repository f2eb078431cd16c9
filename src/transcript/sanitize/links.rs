//! Rewrites links that have a title, or a definition elsewhere in the body, as `[text](address)`. After this,
//! definitions and titles are escaped and shown as text.

use std::borrow::Cow;

use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

use super::super::fence::options;
use super::edit::{TextEdit, apply};
use crate::invisible::is_selector;

/// The number of times that links are searched for, because a title or a definition may contain another one.
const PASSES: usize = 3;

/// A link or an image while its text is being read.
struct OpenLink {
    kind: LinkType,
    address: String,
    title: String,
    start: usize,
    end: usize,
    /// The end of its text so far.
    text_end: usize,
}

/// Rewrites links so that none needs a definition or a title.
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
        // If the change would turn a link into another one, or into none, the text is left unchanged.
        if read(&changed).0 != links {
            break;
        }
        text = Cow::Owned(changed);
    }
    text
}

/// Returns the addresses of a text's links, in order, and the changes that make each link independent.
fn read(text: &str) -> (Vec<String>, Vec<TextEdit>) {
    let (mut links, mut edits) = (Vec::new(), Vec::new());
    let mut open: Vec<OpenLink> = Vec::new();
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
                // In another dialect this is a footnote, which has no address.
                let dest_url = if id.starts_with('^') { "".into() } else { dest_url };
                let opener = if text[range.start..].starts_with('!') { 2 } else { 1 };
                open.push(OpenLink {
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

/// Returns the change that makes a link independent.
fn edit(text: &str, link: &OpenLink) -> Option<TextEdit> {
    let OpenLink { kind, address, title, start, end, text_end } = link;
    // The end event covers the whole link; its text ends where the last event inside it ended.
    let from = (*text_end).clamp(*start, *end);
    let close = |mark: &str| text[from.min(*end)..*end].find(mark).map(|at| from + at);
    let last = |mark: &str| text[*start..*end].rfind(mark).map(|at| start + at);
    if address.is_empty() {
        return None;
    }
    match kind {
        LinkType::Reference => {
            let at = last("][")? + 1;
            Some(TextEdit { at, gone: end - at, put: format!("({address})").into() })
        }
        LinkType::Collapsed => {
            // The empty brackets belong to the link, even if its range does not include them.
            let at = if text[*start..*end].ends_with("[]") { end - 2 } else { *end };
            let gone = if text[at..].starts_with("[]") { 2 } else { 0 };
            Some(TextEdit { at, gone, put: format!("({address})").into() })
        }
        LinkType::Shortcut => {
            Some(TextEdit { at: *end, gone: 0, put: format!("({address})").into() })
        }
        LinkType::Inline => {
            let at = close("](").or_else(|| last("]("))? + 1;
            let tail = &text[at..*end];
            if !tail.contains(char::is_whitespace) && !tail.starts_with("(<") {
                return None;
            }
            let shown: String = title.split_whitespace().collect::<Vec<_>>().join(" ");
            // The text of a title is shown after the link, because readers do not see a title.
            let escape = |c: char| Some('\\').filter(|_| "[]\\`*_<|".contains(c));
            let shown: String =
                shown.chars().flat_map(|c| escape(c).into_iter().chain([c])).collect();
            let behind = if shown.is_empty() { String::new() } else { format!(" ({shown})") };
            Some(TextEdit { at, gone: end - at, put: format!("({address}){behind}").into() })
        }
        _ => None,
    }
}

/// Encodes an address so that no renderer misreads it in any context.
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
            // The character before the selector may be encoded now. After an encoded character the selector would be
            // invisible, so the selector is encoded too.
            c if is_selector(c) => {
                let mut bytes = [0; 4];
                c.encode_utf8(&mut bytes).bytes().for_each(|b| out.push_str(&format!("%{b:02X}")));
            }
            c => out.push(c),
        }
    }
    out
}

//! Rewrites fences and links so that every renderer recognizes them. A fence begins at the margin
//! with at most one word after it, and ends with the same characters. A link with a title, or with
//! a definition elsewhere, becomes `[text](address)`.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Parser, Tag, TagEnd};

use super::super::line::{Lines, fence_of, is_blank, options, trim_start};
use super::{TextEdit, apply, tag_openers};
use crate::invisible::is_selector;

/// The maximum number of bytes of a language's name.
const LANGUAGE: usize = 24;

/// The HTML elements that renderers know; other names, as in `Vec<T>`, are not elements.
const ELEMENTS: &str = " a abbr address area article aside audio b base bdi bdo blockquote body br button canvas \
    caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset \
    figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input \
    ins kbd label legend li link main map mark marquee math menu meta meter nav noembed noframes noscript object ol \
    optgroup option output p param picture plaintext pre progress q rp rt ruby s samp script search section select \
    slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead \
    time title tr track tt u ul var video wbr xmp ";

/// Escapes tags in a nested fenced block that some renderer treats as tags. Python-Markdown treats the block as text if
/// it contains a blank line, and always treats a tag at the beginning of a line as a tag. If only the end of its list
/// or quote closes the fence, the fence becomes text, because some renderers search for its end below the block.
pub(super) fn doubtful_tags(stored: &str, block: Range<usize>) -> Vec<TextEdit> {
    let text = &stored[block.clone()];
    let fence = text.lines().next().and_then(fence_of);
    let closed = fence.is_some_and(|(mark, length)| {
        let last = text.lines().skip(1).last().unwrap_or_default();
        fence_of(last.trim_start_matches([' ', '\t', '>']))
            .is_some_and(|(m, n)| m == mark && n >= length)
    });
    if !closed {
        return every_fence(stored, block);
    }
    let everywhere = text.lines().any(|line| is_blank(line.trim_start_matches([' ', '\t', '>'])));
    let tags = tag_openers(text).map(|at| block.start + at).filter(|&at| {
        let name = stored[at + 1..].trim_start_matches('/');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len()).min(12);
        let name = name.get(..end).unwrap_or_default().to_ascii_lowercase();
        let before = &stored[stored[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        (everywhere || is_blank(before))
            && (name.is_empty() || ELEMENTS.contains(&format!(" {name} ")))
    });
    tags.map(|at| TextEdit::entity(stored, at)).collect()
}

/// Escapes all fences in a block at once, because each would open a block of its own as soon as the one before it is
/// text.
fn every_fence(stored: &str, block: Range<usize>) -> Vec<TextEdit> {
    let lines = Lines::from(&stored[..block.end], block.start, 1);
    let fences = lines.filter_map(|line| {
        let marks = line.text.trim_start_matches([' ', '\t', '>']);
        fence_of(marks).map(|_| TextEdit::backslash(line.end() - marks.len()))
    });
    fences.collect()
}

/// Returns the changes that a fenced block needs. A `math` block is shown as code, because formulas can hide words.
/// Words after the fence are invisible, so they become its first line: some renderers do not recognize a fence with
/// more than one word, and others take its first lines for a table.
pub(super) fn normal_fences(stored: &str, block: Range<usize>, top: bool) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let text = &stored[block.clone()];
    let first = text.lines().next().unwrap_or_default();
    let Some((mark, length)) = fence_of(first) else { return edits };
    let start = stored[..block.start].rfind('\n').map_or(0, |end| end + 1);
    let indent = first.len() - first.trim_start_matches(' ').len();
    let fence = block.start + indent;
    let before = &stored[start..fence];
    if top && !before.is_empty() && is_blank(before) {
        edits.push(TextEdit { at: start, gone: before.len(), put: "".into() });
    }
    let rest = &first[indent + length..];
    let info = rest.trim();
    let word = match info.find(|c| !is_word(c)).unwrap_or(info.len()) {
        long if long > LANGUAGE || info.eq_ignore_ascii_case("math") => 0,
        word => word,
    };
    if word < info.len() {
        let prefix: String = before.chars().map(|c| if c == '>' { '>' } else { ' ' }).collect();
        let prefix = if top { "" } else { prefix.as_str() };
        // A line that begins with the fence's own character would close it.
        let apart = if info.starts_with(mark) { "    " } else { "" };
        let put = format!("{}\n{prefix}{apart}{info}", &info[..word]);
        edits.push(TextEdit { at: fence + length, gone: rest.len(), put: put.into() });
    } else if rest.contains(|c: char| c.is_whitespace() && c != ' ') {
        edits.push(TextEdit { at: fence + length, gone: rest.len(), put: info.to_owned().into() });
    }
    if top {
        edits.extend(closer(stored, &block, mark, length));
    }
    edits
}

/// Adds blank lines around a top-level fenced block if needed. If a line directly above or below begins with four
/// spaces, some renderers take the fence for indented code. If there is another fence in the lines directly above, some
/// renderers take this one for its end.
pub(super) fn blank_lines_around(
    stored: &str,
    above: &Range<usize>,
    block: &Range<usize>,
) -> Vec<TextEdit> {
    let start = stored[..block.start].rfind('\n').map_or(0, |end| end + 1);
    let run = stored.get(above.start.min(start)..start).unwrap_or_default();
    let run = &run[run.rfind("\n\n").map_or(0, |end| end + 2)..];
    let first = stored[..start - run.len()].rfind('\n').map_or(0, |end| end + 1);
    let mut edits = Vec::new();
    let fenced = run.contains("```") || run.contains("~~~");
    if fenced || stored[first..start].lines().any(is_indented) {
        edits.push(TextEdit { at: start, gone: 0, put: "\n".into() });
    }
    edits.extend(line_behind(stored, block, is_indented));
    edits
}

/// Adds a blank line after a block if `such` returns true for the next line.
pub(super) fn line_behind(
    stored: &str,
    block: &Range<usize>,
    such: impl Fn(&str) -> bool,
) -> Option<TextEdit> {
    let end = block.start + stored[block.clone()].trim_end_matches(['\n', ' ', '\t']).len();
    let at = end + stored[end..].find('\n')? + 1;
    let next = stored[at..].lines().next()?;
    (!is_blank(next) && such(next)).then(|| TextEdit { at, gone: 0, put: "\n".into() })
}

fn is_indented(line: &str) -> bool {
    line.starts_with("    ") || trim_start(line).len() < line.trim_start_matches(' ').len()
}

/// Rewrites the last line of a block if it closes the fence differently than the first line opened it.
fn closer(stored: &str, block: &Range<usize>, mark: char, length: usize) -> Option<TextEdit> {
    let text = stored[block.clone()].trim_end_matches('\n');
    let at = block.start + text.rfind('\n')? + 1;
    let last = &stored[at..block.start + text.len()];
    let marks = last.trim_start_matches(' ');
    let behind = marks.trim_start_matches(mark);
    let closes = last.len() - marks.len() <= 3 && marks.len() - behind.len() >= length;
    let plain = last.len() == length && marks.len() == length;
    (closes && is_blank(behind) && !plain).then(|| TextEdit {
        at,
        gone: last.len(),
        put: mark.to_string().repeat(length).into(),
    })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | '.' | '+' | '-')
}

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

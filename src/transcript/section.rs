//! Splits a body into sections, which CommonMark parses independently, so that only the text around
//! a marker has to be parsed as Markdown. Also finds the blocks of a section: paragraphs, headings,
//! list items, quotes, tables.
//!
//! A new section begins at a line at column 0 that follows a blank line and is no list item, and after a closed
//! top-level fence. If the lines alone do not show this with certainty, the body is one section.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use pulldown_cmark::{Event, Parser, Tag};

use super::line::{Lines, is_blank, options, trim_start};

/// The characters after the name of a link in its definition.
static DEFINES: LazyLock<Finder> = LazyLock::new(|| Finder::new("]:"));

/// Returns the sections of a text, in order and without gaps. Each section has the same meaning alone as in the text.
pub(super) fn sections(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut starts = starts(text).unwrap_or_else(|| vec![0]).into_iter().peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        Some(start..starts.peek().copied().unwrap_or(text.len()))
    })
}

/// Returns the starts of the sections; none if the text must stay whole.
fn starts(text: &str) -> Option<Vec<usize>> {
    // In CommonMark a lone CR also ends a line.
    if memchr::memchr(b'\r', text.as_bytes()).is_some() {
        return None;
    }
    let mut definitions = DEFINES.find_iter(text.as_bytes()).peekable();
    let mut starts = Vec::with_capacity(16);
    starts.push(0);
    let mut fence: Option<Fence> = None;
    let (mut below_blank, mut below_fence) = (false, false);
    for line in Lines::from(text, 0, 1) {
        if let Some(open) = fence {
            if open.is_closed_by(line.text) {
                // Readers disagree whether a tab may follow a closing fence.
                if line.text.contains('\t') {
                    return None;
                }
                (fence, below_fence) = (None, true);
            }
            continue;
        }
        let word = line.text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        if word && !below_blank && !below_fence && definitions.peek().is_none() {
            continue;
        }
        if is_blank(line.text) {
            below_blank = true;
            continue;
        }
        while definitions.next_if(|at| *at < line.start).is_some() {}
        if definitions.peek().is_some_and(|at| *at < line.next) {
            // A link definition applies to the whole text.
            return None;
        }
        let first = trim_start(line.text);
        let indented = first.len() < line.text.len();
        let opens = Fence::opened_by(first);
        if first.starts_with('<') || (indented && opens.is_some()) {
            // HTML may continue after blank lines, and an indented fence may belong to a list item.
            return None;
        }
        fence = opens;
        let afresh = below_fence || (below_blank && (begins(line.text) || fence.is_some()));
        if afresh && line.start > 0 {
            starts.push(line.start);
        }
        (below_blank, below_fence) = (false, false);
    }
    Some(starts)
}

/// Returns true if a line after a blank line ends all open blocks above it: it is neither indented nor a list item.
fn begins(line: &str) -> bool {
    match line.as_bytes() {
        [b'*', b'*', third, ..] => third.is_ascii_alphanumeric(),
        [first, ..] => {
            first.is_ascii_alphabetic()
                || matches!(first, b'@' | b'#' | b'|' | b'"' | b'(' | b'_' | 0xC3..=0xE9)
        }
        [] => false,
    }
}

/// An open fence.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        let length = line.len() - info.len();
        (length >= 3 && (mark == '~' || !info.contains('`'))).then_some(Self { mark, length })
    }

    fn is_closed_by(self, line: &str) -> bool {
        let inner = line.trim_start_matches(' ');
        let rest = inner.trim_start_matches(self.mark);
        line.len() - inner.len() <= 3 && inner.len() - rest.len() >= self.length && is_blank(rest)
    }
}

/// Returns true if a section is certainly a paragraph of one line. Markup inside the line never affects its first
/// word.
pub(super) fn is_one_line(section: &str) -> bool {
    let line = section.trim_end_matches('\n');
    line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@')
        && !line.ends_with(' ')
        && memchr::memchr2(b'\n', b'\r', line.as_bytes()).is_none()
}

/// Returns true if every `@` and `+` in a section of one line is certainly plain text: the line contains no code, link,
/// HTML, escape or strike-through.
pub(super) fn is_plain(line: &str) -> bool {
    !line.bytes().any(|b| matches!(b, b'`' | b'[' | b'<' | b'~' | b'\\' | b'&'))
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Plain text at top level.
    Paragraph,
    /// A heading, including its marks.
    Heading,
    /// The first lines of an item in a top-level list, including its bullet.
    Item {
        /// The index of the list in the text, counted from 0.
        list: usize,
    },
    /// A quote at top level, with its contents.
    Quote,
    /// A table at top level.
    Table,
    /// Code, a rule, HTML, or a nested block.
    Other,
}

/// A range of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The kind.
    pub(crate) kind: BlockKind,
    /// The lines, counted from 0.
    pub(crate) lines: Range<usize>,
}

/// Returns the lines, counted from 0, that begin inside code, a link, an image or struck-out text from an earlier
/// line.
pub(crate) fn inner_lines(text: &str) -> Vec<usize> {
    let starts: Vec<usize> = Lines::from(text, 0, 1).map(|line| line.start).collect();
    let line_of = |at: usize| starts.partition_point(|&start| start <= at).saturating_sub(1);
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        let holds = matches!(
            event,
            Event::Code(_)
                | Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Strikethrough)
        );
        if holds {
            found.extend(line_of(range.start) + 1..=line_of(range.end.saturating_sub(1)));
        }
    }
    found
}

/// Returns the blocks of a text, in order.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let starts: Vec<usize> = Lines::from(text, 0, 1).map(|line| line.start).collect();
    let line_of = |at: usize| starts.partition_point(|&start| start <= at).saturating_sub(1);
    let mut found: Vec<Block> = Vec::new();
    let mut add = |kind: BlockKind, range: Range<usize>| {
        let held = text.get(range.clone()).unwrap_or_default().trim_end();
        let first = line_of(range.start);
        let last = if held.is_empty() { first } else { line_of(range.start + held.len() - 1) };
        // Two list items on one line, as in `- - x`, become one block.
        let from = found.last().map_or(first, |before| first.max(before.lines.end));
        if from <= last {
            found.push(Block { kind, lines: from..last + 1 });
        }
    };
    let (mut depth, mut lists) = (0_usize, 0_usize);
    let mut item: Option<(usize, Range<usize>)> = None;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                match (&tag, depth) {
                    (Tag::Paragraph, 0) => add(BlockKind::Paragraph, range),
                    (Tag::Heading { .. }, 0) => add(BlockKind::Heading, range),
                    (Tag::BlockQuote(_), 0) => add(BlockKind::Quote, range),
                    (Tag::Table(_), 0) => add(BlockKind::Table, range),
                    (Tag::List(_), 0) => lists += 1,
                    (Tag::Item, 1) => item = Some((depth, range)),
                    (Tag::CodeBlock(_) | Tag::HtmlBlock, 0) => add(BlockKind::Other, range),
                    (Tag::Paragraph, _) => {
                        if let Some((_, whole)) = item.take() {
                            add(BlockKind::Item { list: lists }, whole.start..range.end);
                        }
                    }
                    (tag, _) if !is_inline(tag) => {
                        // The text of a tight list item ends where a nested block begins.
                        if let Some((_, whole)) = item.take()
                            && line_of(range.start) > line_of(whole.start)
                        {
                            add(BlockKind::Item { list: lists }, whole.start..range.start);
                        }
                    }
                    _ => {}
                }
                depth += 1;
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if depth == 1
                    && let Some((_, whole)) = item.take()
                {
                    add(BlockKind::Item { list: lists }, whole);
                }
            }
            _ => {}
        }
    }
    found
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_assigned_to_blocks() {
        let text = "# A\n\nb\nc\n\n- d\n  - e\n- f\n\n> g\n\n```\nh\n```\n\n| i |\n|---|\n\n1. j\n\n   k\n";
        let seen: Vec<(BlockKind, Range<usize>)> =
            blocks(text).into_iter().map(|block| (block.kind, block.lines)).collect();
        assert_eq!(
            seen,
            [
                (BlockKind::Heading, 0..1),
                (BlockKind::Paragraph, 2..4),
                (BlockKind::Item { list: 1 }, 5..6),
                (BlockKind::Item { list: 1 }, 7..8),
                (BlockKind::Quote, 9..10),
                (BlockKind::Other, 11..14),
                (BlockKind::Table, 15..17),
                (BlockKind::Item { list: 2 }, 18..19),
            ]
        );
    }
}

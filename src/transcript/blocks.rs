//! Splits a text into blocks for the parser of answers: paragraphs, headings, list items, quotes, tables.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::fence::options;
use super::line::Lines;

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

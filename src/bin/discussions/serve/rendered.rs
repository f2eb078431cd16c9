//! A rendered discussion: one version of the file, and the HTML of each block, rendered on first use.

use std::sync::OnceLock;

use discussions::view::{Entry, Kind, Shown};

use super::page::{self, Html};

/// One version of a discussion.
pub(super) struct RenderedDiscussion {
    pub(super) shown: Shown,
    blocks: Vec<RenderedBlock>,
}

/// An entry of the file.
struct RenderedBlock {
    id: String,
    /// The end of the entry in the file, in bytes.
    end: usize,
    html: OnceLock<Html>,
}

impl RenderedDiscussion {
    pub(super) fn of(shown: Shown) -> Self {
        let text = shown.text.as_str();
        let starts = starts(text, shown.entries.iter().map(|entry| entry.line));
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let (mut comments, mut index) = (0, 0);
        let block = |(entry, (start, end)): (&Entry, (&usize, usize))| {
            index += 1;
            let id = match &entry.kind {
                Kind::Comment { .. } => {
                    comments += 1;
                    format!("c{comments}")
                }
                _ => format!("e{index}"),
            };
            // Blanks between two blocks belong to no block, so that a change of them is not reported.
            let end = start + text.get(*start..end).unwrap_or_default().trim_end().len();
            RenderedBlock { id, end, html: OnceLock::new() }
        };
        let blocks = shown.entries.iter().zip(starts.iter().zip(ends)).map(block).collect();
        Self { blocks, shown }
    }

    /// Returns the end of the file, in bytes.
    pub(super) fn end(&self) -> usize {
        self.shown.text.as_str().len()
    }

    /// Returns true if a reader who has seen the file up to `offset` can continue there.
    pub(super) fn knows(&self, offset: usize) -> bool {
        offset <= self.end() && self.shown.text.as_str().is_char_boundary(offset)
    }

    /// Returns true if this version begins with all of an earlier version.
    pub(super) fn goes_on_from(&self, before: &Self) -> bool {
        self.shown.text.as_str().starts_with(before.shown.text.as_str())
    }

    /// Returns the HTML after an offset in the file, with the id and the end of each block. A block that continues
    /// after the offset is included.
    pub(super) fn blocks_after(&self, offset: usize) -> impl Iterator<Item = (&str, usize, &Html)> {
        let shown = self.blocks.iter().zip(&self.shown.entries);
        shown.filter(move |(block, _)| block.end > offset).filter_map(|(block, entry)| {
            let draw = || page::block(&block.id, entry, &self.shown.status);
            let html = block.html.get_or_init(draw);
            (!html.as_str().is_empty()).then_some((block.id.as_str(), block.end, html))
        })
    }

    /// Returns the id of the block that contains a line of the file.
    pub(super) fn at_line(&self, line: usize) -> Option<&str> {
        let index = self.shown.entries.partition_point(|entry| entry.line <= line);
        Some(self.blocks.get(index.checked_sub(1)?)?.id.as_str())
    }

    /// Returns the id of the last comment.
    pub(super) fn last_comment(&self) -> Option<&str> {
        let ids = self.blocks.iter().rev().map(|block| block.id.as_str());
        ids.into_iter().find(|id| id.starts_with('c'))
    }
}

/// Returns the byte offsets of lines. The line numbers count from 1 and are sorted.
fn starts(text: &str, lines: impl Iterator<Item = usize>) -> Vec<usize> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    let mut begins = std::iter::once(0).chain(ends).enumerate().peekable();
    lines
        .map(|line| {
            while begins.next_if(|(number, _)| number + 1 < line).is_some() {}
            begins.peek().map_or(text.len(), |(_, at)| *at)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_offsets_are_line_starts() {
        assert_eq!(starts("a\nbc\n\nd", [1, 2, 2, 4, 9].into_iter()), [0, 2, 2, 6, 7]);
    }
}

//! A discussion as it was read once, with what is shown of each block made when somebody first needs it.

use std::sync::OnceLock;

use discussions::view::{Entry, Kind, Shown};

use super::page::{self, Html};

/// A discussion as it was read once.
pub(super) struct Picture {
    pub(super) shown: Shown,
    blocks: Vec<Block>,
}

/// One entry of the file.
struct Block {
    id: String,
    /// Where it ends in the file, in bytes.
    end: usize,
    html: OnceLock<Html>,
}

impl Picture {
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
            // Blanks between two blocks are nobody's, and no news.
            let end = start + text.get(*start..end).unwrap_or_default().trim_end().len();
            Block { id, end, html: OnceLock::new() }
        };
        let blocks = shown.entries.iter().zip(starts.iter().zip(ends)).map(block).collect();
        Self { blocks, shown }
    }

    /// Where the file ends, in bytes.
    pub(super) fn end(&self) -> usize {
        self.shown.text.as_str().len()
    }

    /// Whether a reader who has seen the file up to there has seen it as it stands: no block was cut in two by it.
    pub(super) fn knows(&self, offset: usize) -> bool {
        offset <= self.end() && self.shown.text.as_str().is_char_boundary(offset)
    }

    /// Whether all of an earlier reading still stands where it stood.
    pub(super) fn goes_on_from(&self, before: &Self) -> bool {
        self.shown.text.as_str().starts_with(before.shown.text.as_str())
    }

    /// What stands behind a place in the file, with the id and the end of each block; one that was continued there is told again.
    pub(super) fn behind(&self, offset: usize) -> impl Iterator<Item = (&str, usize, &Html)> {
        let shown = self.blocks.iter().zip(&self.shown.entries);
        shown.filter(move |(block, _)| block.end > offset).filter_map(|(block, entry)| {
            let draw = || page::block(&block.id, entry, &self.shown.status);
            let html = block.html.get_or_init(draw);
            (!html.as_str().is_empty()).then_some((block.id.as_str(), block.end, html))
        })
    }

    /// The id of the block that begins at a line of the file or stands around it.
    pub(super) fn at_line(&self, line: usize) -> Option<&str> {
        let index = self.shown.entries.partition_point(|entry| entry.line <= line);
        Some(self.blocks.get(index.checked_sub(1)?)?.id.as_str())
    }

    /// The id of the last comment.
    pub(super) fn last_comment(&self) -> Option<&str> {
        let ids = self.blocks.iter().rev().map(|block| block.id.as_str());
        ids.into_iter().find(|id| id.starts_with('c'))
    }
}

/// Where lines begin, in bytes; the lines, from 1, are sorted.
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
    fn lines_begin_where_they_begin() {
        assert_eq!(starts("a\nbc\n\nd", [1, 2, 2, 4, 9].into_iter()), [0, 2, 2, 6, 7]);
    }
}

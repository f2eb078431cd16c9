//! The blocks of a discussion as a check of its history compares them: the topic with the head, each comment, and each
//! control line.

use std::ops::Range;
use std::sync::Arc;

use crate::transcript::{Control, EntryKind, Text, Transcript, is_rule, parse};

/// The text of a block without what editors and git change: byte order mark, CR, blanks at line ends, repeated blank
/// lines. A `RESTORED` line is no part of it either, so a restored comment equals the lost one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BlockText(Arc<str>);

impl BlockText {
    /// Normalizes a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut normal = String::with_capacity(text.len());
        let mut is_blank_above = true;
        for line in text.trim_start_matches('\u{feff}').split('\n') {
            let line = line.trim_end_matches(['\r', ' ', '\t']);
            if line.is_empty() {
                is_blank_above = true;
                continue;
            }
            if !normal.is_empty() {
                normal.push_str(if is_blank_above { "\n\n" } else { "\n" });
            }
            normal.push_str(line);
            is_blank_above = false;
        }
        Self(normal.into())
    }

    /// Returns the normalized text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// The head, the title and the text below it.
    Topic,
    /// A comment.
    Comment,
    /// A control line.
    Control,
    /// Text between comments, which never counts.
    Stray,
}

/// One block of a text.
#[derive(Clone, Debug)]
pub(crate) struct DiscussionBlock {
    /// Its normalized text.
    pub(crate) text: BlockText,
    pub(crate) kind: BlockKind,
    /// The index of its entry in the transcript; none for the topic.
    pub(crate) entry: Option<usize>,
    /// The bytes from its start to the next block, with the rules between them.
    pub(crate) span: Range<usize>,
    /// The bytes of the block itself.
    pub(crate) own: Range<usize>,
    /// The number of its first line, from 1.
    pub(crate) line: usize,
}

/// Returns the blocks of a text, the topic first.
pub(crate) fn blocks_of(transcript: &Transcript) -> Vec<DiscussionBlock> {
    let text = &*transcript.text;
    let entries = &transcript.entries;
    let start_of = |index: usize| entries.get(index).map_or(text.len(), |entry| entry.span.start);
    let topic = 0..transcript.preamble.end;
    let mut blocks = Vec::with_capacity(entries.len() + 1);
    blocks.push(DiscussionBlock {
        text: BlockText::of(&text[topic.clone()]),
        kind: BlockKind::Topic,
        entry: None,
        span: 0..rule_above(text, start_of(0)),
        own: topic,
        line: 1,
    });
    for (index, entry) in entries.iter().enumerate() {
        let (kind, is_restored) = match &entry.kind {
            EntryKind::Comment(comment) => (BlockKind::Comment, comment.restored.is_some()),
            EntryKind::Control(_) => (BlockKind::Control, false),
            EntryKind::Stray(_) => (BlockKind::Stray, false),
        };
        let own = &text[entry.span.clone()];
        let end = match index + 1 {
            next if next < entries.len() => rule_above(text, start_of(next)),
            _ => text.len(),
        };
        blocks.push(DiscussionBlock {
            text: if is_restored { without_restored(own) } else { BlockText::of(own) },
            kind,
            entry: Some(index),
            span: rule_above(text, entry.span.start)..end,
            own: entry.span.clone(),
            line: entry.line,
        });
    }
    blocks
}

/// Returns the start of the rule above a position, if only blank lines are between them, or else the position.
fn rule_above(text: &str, at: usize) -> usize {
    let above = text[..at].trim_end_matches(['\n', '\r', ' ', '\t']);
    let start = above.rfind('\n').map_or(0, |lf| lf + 1);
    if at < text.len() && is_rule(&above[start..]) { start } else { at }
}

fn without_restored(text: &str) -> BlockText {
    let lines = text.lines().enumerate();
    let kept = lines.filter(|(at, line)| !(*at <= 4 && line.starts_with("<!-- RESTORED")));
    BlockText::of(&kept.map(|(_, line)| line).collect::<Vec<_>>().join("\n"))
}

/// Returns the names of a text's authors and of the persons in its control lines, as written.
pub(crate) fn name_of(transcript: &Transcript, block: &DiscussionBlock) -> Option<String> {
    match &transcript.entries.get(block.entry?)?.kind {
        EntryKind::Comment(comment) => Some(comment.name.to_string()),
        EntryKind::Control(Control::Phase(line)) => line.by.clone(),
        EntryKind::Control(Control::Status(line)) => line.by.clone(),
        EntryKind::Control(Control::Accepted(line)) => line.by.clone(),
        EntryKind::Control(Control::Ended(line)) => line.by.clone(),
        EntryKind::Control(_) | EntryKind::Stray(_) => None,
    }
}

/// One version of a file among many: its blocks, as far as they differ from the version that it begins with.
#[derive(Debug)]
struct FileVersion {
    /// The version whose bytes this one begins with, and the number of blocks that it keeps of it.
    before: Option<(usize, usize)>,
    /// The blocks after these.
    tail: Vec<BlockText>,
    /// The number of all blocks.
    count: usize,
    /// The byte offset of the last block.
    last_start: usize,
    /// True if text that belongs to no block comes last; its meaning depends on what is above it.
    ends_stray: bool,
    /// The number of the last block that begins a turn.
    last_turn: Option<usize>,
    topic: BlockText,
}

/// The blocks of many versions of files. A version that begins with the bytes of an earlier one is read only from
/// there on.
#[derive(Debug, Default)]
pub(crate) struct FileVersions {
    versions: Vec<FileVersion>,
}

/// The index of a version in [`FileVersions`].
pub(crate) type VersionIndex = usize;

impl FileVersions {
    /// Adds a version. `before` is an earlier version of the same file, with its text.
    pub(crate) fn add(&mut self, text: &str, before: Option<(VersionIndex, &str)>) -> VersionIndex {
        let version = before
            .and_then(|(index, earlier)| self.continued(index, earlier, text))
            .unwrap_or_else(|| FileVersion::whole(text));
        self.versions.push(version);
        self.versions.len() - 1
    }

    fn continued(&self, index: VersionIndex, earlier: &str, text: &str) -> Option<FileVersion> {
        let before = self.versions.get(index)?;
        if before.count < 2 || before.ends_stray || !text.starts_with(earlier) {
            return None;
        }
        // The last block may go on, so it is read again; a rule stands above it.
        let tail = super::as_document(&text[before.last_start..]);
        let transcript = parse(tail.as_str());
        let blocks = blocks_of(&transcript);
        let last = blocks.last().filter(|last| last.entry.is_some())?;
        let shift = tail.len() - (text.len() - before.last_start);
        let kept = before.count - 1;
        // The first block is the frame around the tail.
        let turn = last_turn(&transcript, &blocks).map(|at| kept + at - 1);
        Some(FileVersion {
            before: Some((index, kept)),
            last_turn: turn.or(before.last_turn),
            count: kept + blocks.len() - 1,
            last_start: before.last_start + last.own.start - shift,
            ends_stray: last.kind == BlockKind::Stray,
            topic: before.topic.clone(),
            tail: blocks.iter().skip(1).map(|block| block.text.clone()).collect(),
        })
    }

    /// Returns the topic of a version.
    pub(crate) fn topic(&self, index: VersionIndex) -> &BlockText {
        &self.versions[index].topic
    }

    /// Returns the number of blocks of a version.
    pub(crate) fn count(&self, index: VersionIndex) -> usize {
        self.versions[index].count
    }

    /// Returns the number of the last block of a version that begins a turn.
    pub(crate) fn last_turn(&self, index: VersionIndex) -> Option<usize> {
        self.versions[index].last_turn
    }

    /// Returns the blocks in which two versions differ at most, of the first and of the second. Both lists reach to the
    /// end of their version.
    pub(crate) fn differing(
        &self,
        old: Option<VersionIndex>,
        new: Option<VersionIndex>,
    ) -> (Vec<&BlockText>, Vec<&BlockText>) {
        if let (Some(old), Some(new)) = (old, new) {
            if old == new {
                return (Vec::new(), Vec::new());
            }
            if let Some((before, kept)) = self.versions[new].before
                && before == old
            {
                return (self.blocks_from(old, kept), self.versions[new].tail.iter().collect());
            }
        }
        let all = |index: Option<VersionIndex>| {
            index.map(|index| self.blocks_from(index, 0)).unwrap_or_default()
        };
        (all(old), all(new))
    }

    /// Returns the blocks of a version from a number on.
    fn blocks_from(&self, index: VersionIndex, from: usize) -> Vec<&BlockText> {
        let mut parts: Vec<&[BlockText]> = Vec::new();
        let (mut index, mut end) = (index, self.versions[index].count);
        loop {
            let version = &self.versions[index];
            let first = version.before.map_or(0, |(_, kept)| kept);
            if end > first {
                parts.push(&version.tail[from.saturating_sub(first).min(end - first)..end - first]);
            }
            match version.before {
                Some((before, kept)) if from < kept => (index, end) = (before, kept.min(end)),
                _ => break,
            }
        }
        parts.into_iter().rev().flatten().collect()
    }
}

/// Returns the number of the last block that begins a turn.
fn last_turn(transcript: &Transcript, blocks: &[DiscussionBlock]) -> Option<usize> {
    blocks.iter().rposition(|block| {
        let entry = block.entry.and_then(|entry| transcript.entries.get(entry));
        entry.is_some_and(|it| matches!(it.kind, EntryKind::Control(Control::Turn(_))))
    })
}

impl FileVersion {
    fn whole(text: &str) -> Self {
        let transcript = parse(Text::from(text));
        let blocks = blocks_of(&transcript);
        Self {
            before: None,
            count: blocks.len(),
            last_start: blocks.last().map_or(0, |block| block.own.start),
            ends_stray: blocks.last().is_some_and(|block| block.kind == BlockKind::Stray),
            last_turn: last_turn(&transcript, &blocks),
            topic: blocks[0].text.clone(),
            tail: blocks.into_iter().map(|block| block.text).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# T\n\nWhy?\n\n---\n\nName: Rob\n\nfirst\n\n---\n\n<!-- STATUS: CLOSED, by: Rob -->\n";

    fn texts(text: &str) -> Vec<String> {
        let transcript = parse(text);
        blocks_of(&transcript).iter().map(|block| block.text.as_str().to_owned()).collect()
    }

    #[test]
    fn blocks_ignore_what_editors_change() {
        let expected = ["# T\n\nWhy?", "Name: Rob\n\nfirst", "<!-- STATUS: CLOSED, by: Rob -->"];
        assert_eq!(texts(TEXT), expected);
        let edited = TEXT.replace("first\n", "first  \n\n\n").replace('\n', "\r\n");
        assert_eq!(texts(&format!("\u{feff}{edited}")), expected);
        let restored = TEXT.replace("Name: Rob\n", "Name: Rob\n<!-- RESTORED phase: x -->\n");
        assert_eq!(texts(&restored), expected);
    }

    #[test]
    fn blocks_with_their_rules_make_up_the_text() {
        let transcript = parse(TEXT);
        let whole: String =
            blocks_of(&transcript).iter().map(|block| &TEXT[block.span.clone()]).collect();
        assert_eq!(whole, TEXT);
    }

    #[test]
    fn continued_version_has_the_blocks_of_the_whole_text() {
        let more = "\n---\n\nName: Ann\n\nsecond\n\n---\n";
        let longer = format!("{TEXT}{more}");
        let third = format!("{longer}\nName: Rob\n\nthird\n\n---\n");
        let mut versions = FileVersions::default();
        let one = versions.add(TEXT, None);
        let two = versions.add(&longer, Some((one, TEXT)));
        let three = versions.add(&third, Some((two, &longer)));
        assert!(versions.versions[three].before.is_some());
        let all: Vec<&str> =
            versions.blocks_from(three, 0).into_iter().map(BlockText::as_str).collect();
        assert_eq!(all, texts(&third));
        let (old, new) = versions.differing(Some(two), Some(three));
        assert_eq!((old.len(), new.len()), (1, 2));
        let (old, new) = versions.differing(Some(one), Some(three));
        assert_eq!((old.len(), new.len()), (3, 5));
        assert_eq!(versions.topic(three).as_str(), "# T\n\nWhy?");
        // A turn in the part that was read anew, and one above it.
        let turn = "\n<!-- TURN: 1, asks: [architect] -->\n";
        let fourth = format!("{third}{turn}");
        let four = versions.add(&fourth, Some((three, &third)));
        let five = versions.add(&format!("{fourth}{more}"), Some((four, &fourth)));
        assert_eq!((versions.last_turn(three), versions.last_turn(four)), (None, Some(5)));
        assert_eq!((versions.last_turn(five), versions.count(five)), (Some(5), 7));
    }
}

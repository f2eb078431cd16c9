//! Blocks: the unit of comparing, recording and merging. A block is the bytes of one entry.

use std::borrow::Cow;
use std::sync::Arc;

use crate::digest::sha256_hex;
use crate::transcript::{Control, Draft, Entry, EntryKind, Time, glue, parse, render};

/// The identity of a block: its lines with LF line ends, without blanks at their ends, and without blank lines at the
/// end. An editor that changes line ends or trims lines on save, or a writer that adds a `---` line, does not change
/// the identity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::store) struct BlockKey(Arc<str>);

impl BlockKey {
    /// Returns the key of an entry's bytes.
    pub(in crate::store) fn of(text: &str) -> Self {
        let text = plain(text);
        let text = text.trim_end_matches(['\n', ' ', '\t']);
        if !text.contains(" \n") && !text.contains("\t\n") {
            return Self(text.into());
        }
        let lines = text.split('\n').map(|line| line.trim_end_matches([' ', '\t']));
        Self(lines.collect::<Vec<_>>().join("\n").into())
    }

    /// Returns the key of the only entry in a recorded block.
    pub(in crate::store) fn of_block(block: &str) -> Self {
        let framed = as_document(block);
        parse(&framed)
            .entries
            .first()
            .map_or_else(|| Self::of(block), |entry| Self::of(&framed[entry.span.clone()]))
    }

    /// Returns true for a comment, false for a control line or stray text.
    pub(in crate::store) fn is_comment(&self) -> bool {
        self.0.starts_with("Name:")
    }

    /// Returns the SHA-256 of the lines.
    pub(in crate::store) fn hash(&self) -> String {
        sha256_hex(&*self.0)
    }

    /// Returns the lines.
    pub(in crate::store) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the key of one entry of a text.
pub(in crate::store) fn entry_key(text: &str, entry: &Entry) -> BlockKey {
    BlockKey::of(&text[entry.span.clone()])
}

/// Returns the hash that identifies a block of a text.
pub(crate) fn block_hash(text: &str) -> String {
    BlockKey::of(text).hash()
}

/// Returns the hash that identifies the text before all entries, from the start of a file to the end of the topic.
pub(crate) fn topic_hash(beginning: &str) -> String {
    sha256_hex(&*plain(beginning))
}

/// Returns the block as a document of its own. The heading keeps the parser from reading the `---` line as front
/// matter.
pub(in crate::store) fn as_document(block: &str) -> String {
    format!("#\n\n---\n\n{block}")
}

/// Returns a text with LF line ends, in the way the parser reads lines: one CR before the LF belongs to the line end,
/// another CR is text.
pub(in crate::store) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return Cow::Borrowed(text);
    }
    // Removing one of two CRs would leave a line that the next parser reads differently, for example as a `---` line.
    let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix("\r\n") {
        Some(line) if !line.ends_with('\r') => format!("{line}\n"),
        _ => line.to_owned(),
    });
    Cow::Owned(lines.collect())
}

/// The line ends of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineEnd {
    /// LF, which the program writes by default.
    #[default]
    Lf,
    /// CR and LF, which editors on Windows may write.
    CrLf,
}

impl LineEnd {
    /// Returns the line end that most lines of a text have.
    pub(crate) fn of(text: &str) -> Self {
        let (crlf, lf) = Self::count(text);
        if crlf > lf { Self::CrLf } else { Self::Lf }
    }

    /// Returns the number of lines with CRLF and the number with LF.
    pub(crate) fn count(text: &str) -> (usize, usize) {
        let all = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let crlf = memchr::memmem::find_iter(text.as_bytes(), b"\r\n").count();
        (crlf, all - crlf)
    }

    /// Converts a text with LF line ends to this kind.
    pub(crate) fn end(self, text: String) -> String {
        match self {
            Self::Lf => text,
            Self::CrLf => text.replace('\n', "\r\n"),
        }
    }
}

/// Returns the time at which an entry was recorded, if the entry states it.
pub(super) fn at(entry: &Entry) -> Option<Time> {
    match &entry.kind {
        EntryKind::Comment(comment) => comment.reply.as_ref()?.at,
        EntryKind::Control(Control::Turn(turn)) => turn.at,
        EntryKind::Control(Control::Pass(pass)) => pass.at,
        EntryKind::Control(Control::Failed(failed)) => failed.at,
        EntryKind::Control(Control::Accepted(accepted)) => accepted.at,
        EntryKind::Control(Control::Child(child)) => child.at,
        EntryKind::Control(Control::Ended(end)) => end.at,
        EntryKind::Control(
            Control::Phase(_) | Control::VoteReset | Control::Status(_) | Control::ChildEnd(_),
        )
        | EntryKind::Stray(_) => None,
    }
}

/// The bytes of one append in a single buffer, and the blocks in them.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Appendix {
    /// The buffer.
    pub(in crate::store) bytes: String,
    /// The blocks in it, in order, without the text between them.
    pub(in crate::store) blocks: Vec<String>,
    /// The position of each block in the buffer.
    pub(in crate::store) starts: Vec<usize>,
}

impl Appendix {
    /// Builds the bytes to append after a text, or after the end of one.
    pub(in crate::store) fn appended_to(tail: &str, drafts: &[Draft]) -> Self {
        let mut appendix = Self::default();
        for draft in drafts {
            // After a block of ours, the earlier text no longer matters.
            let between = match appendix.blocks.last() {
                Some(block) => glue(&as_document(block), draft),
                None => glue(tail, draft),
            };
            let block = render(draft);
            appendix.bytes.push_str(&between);
            appendix.starts.push(appendix.bytes.len());
            appendix.bytes.push_str(&block);
            appendix.blocks.push(block);
        }
        appendix
    }

    /// Converts the buffer to other line ends. The blocks are equal under either kind.
    pub(in crate::store) fn with_ends(mut self, ends: LineEnd) -> Self {
        if ends == LineEnd::CrLf {
            for start in &mut self.starts {
                *start += memchr::memchr_iter(b'\n', &self.bytes.as_bytes()[..*start]).count();
            }
            self.bytes = ends.end(self.bytes);
        }
        self
    }
}

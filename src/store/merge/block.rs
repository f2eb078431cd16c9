//! What is compared, recorded and merged: one entry's bytes.

use std::borrow::Cow;

use crate::digest::sha256_hex;
use crate::transcript::{Control, Draft, Entry, EntryKind, Time, glue, parse, render};

/// What identifies a block: its lines, with LF at their ends and without blank lines behind. An editor that changes
/// line endings, or a writer that adds a rule, changes no block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::store) struct Key(String);

impl Key {
    /// The key of an entry's bytes.
    pub(in crate::store) fn of(text: &str) -> Self {
        Self(plain(text).trim_end_matches(['\n', ' ', '\t']).to_owned())
    }

    /// The key of the one entry that a recorded block holds.
    pub(in crate::store) fn of_block(block: &str) -> Self {
        let framed = framed(block);
        parse(&framed)
            .entries
            .first()
            .map_or_else(|| Self::of(block), |entry| Self::of(&framed[entry.span.clone()]))
    }

    /// Whether it is what somebody said, rather than a control line or stray text.
    pub(in crate::store) fn is_comment(&self) -> bool {
        self.0.starts_with("Name:")
    }

    /// SHA-256 of the lines.
    pub(in crate::store) fn hash(&self) -> String {
        sha256_hex(&self.0)
    }

    /// The lines.
    pub(in crate::store) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The key of one entry of a text.
pub(in crate::store) fn entry_key(text: &str, entry: &Entry) -> Key {
    Key::of(&text[entry.span.clone()])
}

/// The block as a document of its own. The heading keeps the rule from being read as front matter.
pub(in crate::store) fn framed(block: &str) -> String {
    format!("#\n\n---\n\n{block}")
}

/// With LF at every line's end, as the frame reads lines: one CR before it belongs to it, a second is text.
pub(in crate::store) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return Cow::Borrowed(text);
    }
    // Taking one of two away would leave a line that the next reader takes for another, such as a rule.
    let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix("\r\n") {
        Some(line) if !line.ends_with('\r') => format!("{line}\n"),
        _ => line.to_owned(),
    });
    Cow::Owned(lines.collect())
}

/// What ends the lines of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineEnd {
    /// As everything that the program writes of itself.
    #[default]
    Lf,
    /// As editors on Windows may save it.
    CrLf,
}

impl LineEnd {
    /// What ends most of a text's lines.
    pub(crate) fn of(text: &str) -> Self {
        let (crlf, lf) = Self::count(text);
        if crlf > lf { Self::CrLf } else { Self::Lf }
    }

    /// How many lines end so, and how many otherwise.
    pub(crate) fn count(text: &str) -> (usize, usize) {
        let all = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let crlf = memchr::memmem::find_iter(text.as_bytes(), b"\r\n").count();
        (crlf, all - crlf)
    }

    /// A text whose lines end in LF, with these ends.
    pub(crate) fn end(self, text: String) -> String {
        match self {
            Self::Lf => text,
            Self::CrLf => text.replace('\n', "\r\n"),
        }
    }
}

/// When an entry was recorded, where it says so.
pub(super) fn at(entry: &Entry) -> Option<Time> {
    match &entry.kind {
        EntryKind::Comment(comment) => comment.reply.as_ref()?.at,
        EntryKind::Control(Control::Turn(turn)) => turn.at,
        EntryKind::Control(Control::Pass(pass)) => pass.at,
        EntryKind::Control(Control::Failed(failed)) => failed.at,
        EntryKind::Control(Control::Accepted(accepted)) => accepted.at,
        EntryKind::Control(Control::Child(child)) => child.at,
        EntryKind::Control(
            Control::Phase(_) | Control::VoteReset | Control::Status(_) | Control::ChildEnd(_),
        )
        | EntryKind::Stray(_) => None,
    }
}

/// What one append writes: everything in one buffer, and which parts of it are blocks.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Appendix {
    /// The buffer.
    pub(in crate::store) bytes: String,
    /// The blocks in it, in order, without what stands between them.
    pub(in crate::store) blocks: Vec<String>,
    /// Where each of them begins in the buffer.
    pub(in crate::store) starts: Vec<usize>,
}

impl Appendix {
    /// What has to be written behind a text, or behind the tail of one.
    pub(in crate::store) fn behind(tail: &str, drafts: &[Draft]) -> Self {
        let mut appendix = Self::default();
        for draft in drafts {
            // Behind a block of ours the text before it no longer matters.
            let between = match appendix.blocks.last() {
                Some(block) => glue(&framed(block), draft),
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

    /// The same with other ends of lines in the buffer; the blocks themselves mean the same with either.
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

//! What is compared, recorded and merged: one entry's bytes.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use crate::transcript::{Control, Draft, Entry, EntryKind, Time, glue, parse, render};

/// What identifies a block: its lines, with LF at their ends and without blank lines behind. An editor that changes
/// line endings, or a writer that adds a rule, changes no block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key(String);

impl Key {
    /// The key of an entry's bytes.
    pub(super) fn of(text: &str) -> Self {
        Self(plain(text).trim_end_matches(['\n', ' ', '\t']).to_owned())
    }

    /// The key of the one entry that a recorded block holds.
    pub(super) fn of_block(block: &str) -> Self {
        let framed = framed(block);
        parse(&framed)
            .entries
            .first()
            .map_or_else(|| Self::of(block), |entry| Self::of(&framed[entry.span.clone()]))
    }

    /// Whether it is what somebody said, rather than a control line or stray text.
    pub(super) fn is_comment(&self) -> bool {
        self.0.starts_with("Name:")
    }

    /// SHA-256 of the lines.
    pub(super) fn hash(&self) -> String {
        sha256(self.0.as_bytes())
    }

    /// The lines.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The key of one entry of a text.
pub(super) fn entry_key(text: &str, entry: &Entry) -> Key {
    Key::of(&text[entry.span.clone()])
}

/// The block as a document of its own. The heading keeps the rule from being read as front matter.
pub(super) fn framed(block: &str) -> String {
    format!("#\n\n---\n\n{block}")
}

/// With LF at every line's end, as the frame reads lines: one CR before it belongs to it, a second is text.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
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

/// SHA-256 in lower-case hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// When an entry was recorded, where it says so.
pub(super) fn at(entry: &Entry) -> Option<Time> {
    match &entry.kind {
        EntryKind::Comment(comment) => comment.reply.as_ref()?.at,
        EntryKind::Control(Control::Turn(turn)) => turn.at,
        EntryKind::Control(Control::Pass(pass)) => pass.at,
        EntryKind::Control(Control::Failed(failed)) => failed.at,
        EntryKind::Control(Control::Phase(_) | Control::VoteReset | Control::Status(_))
        | EntryKind::Stray(_) => None,
    }
}

/// What one append writes: everything in one buffer, and which parts of it are blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Appendix {
    /// The buffer.
    pub(super) bytes: String,
    /// The blocks in it, in order, without what stands between them.
    pub(super) blocks: Vec<String>,
    /// Where each of them begins in the buffer.
    pub(super) starts: Vec<usize>,
}

impl Appendix {
    /// What has to be written behind a text, or behind the tail of one.
    pub(super) fn behind(tail: &str, drafts: &[Draft]) -> Self {
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
}

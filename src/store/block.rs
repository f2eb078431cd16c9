//! What is compared, recorded and merged: one entry's bytes.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use crate::transcript::{Draft, Entry, EntryKind, Time, Control, glue, parse, render};

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
        parse(&framed).entries.first().map_or_else(|| Self::of(block), |entry| Self::of(&framed[entry.span.clone()]))
    }

    /// The lines.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The block as a document of its own. The heading keeps the rule from being read as front matter.
pub(super) fn framed(block: &str) -> String {
    format!("#\n\n---\n\n{block}")
}

/// With LF at every line's end.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
}

/// SHA-256 in lower-case hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// When an entry was recorded, where it says so.
pub(super) fn at(entry: &Entry<'_>) -> Option<Time> {
    match &entry.kind {
        EntryKind::Comment(comment) => comment.reply.as_ref()?.at,
        EntryKind::Control(Control::Turn(turn)) => turn.at,
        EntryKind::Control(Control::Pass(pass)) => pass.at,
        EntryKind::Control(Control::Failed(failed)) => failed.at,
        EntryKind::Control(Control::Phase(_) | Control::VoteReset | Control::Status(_)) | EntryKind::Stray(_) => None,
    }
}

/// What one append writes: everything in one buffer, and which parts of it are blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Appendix {
    /// The buffer.
    pub(super) bytes: String,
    /// The blocks in it, in order, without what stands between them.
    pub(super) blocks: Vec<String>,
}

impl Appendix {
    /// What has to be written behind a text, or behind the tail of one.
    pub(super) fn behind(tail: &str, drafts: &[Draft]) -> Self {
        let mut text = tail.to_owned();
        let mut blocks = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let between = glue(&text, draft);
            text.push_str(&between);
            let block = render(draft);
            text.push_str(&block);
            blocks.push(block);
        }
        Self { bytes: text.split_off(tail.len()), blocks }
    }
}

//! The parts of a document, and the immutable text that they share instead of copying it.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};

use bytestring::ByteString;

use super::body::{self, Body};
use super::choice;
use super::collapsed::without_collapse;
use super::control::{Control, ReplyLine, Restored, Summary};
use super::guard::decode;
use super::head::Head;
use super::marker::MarkerSet;
use super::name::Name;
use crate::problem::Problem;

/// A point in time, UTC.
pub type Time = chrono::DateTime<chrono::Utc>;

/// A parsed document. Every text in it is a part of the document's own text, so it can be stored and sent between
/// threads.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The whole document.
    pub text: Text,
    /// The settings that were fixed when the discussion was created; none in files that the program never wrote.
    pub head: Option<Head>,
    /// The bytes between the head and the first entry: title and context, without blank lines and rules at the end.
    pub preamble: Range<usize>,
    /// Comments, control lines and stray text, in file order.
    pub entries: Vec<Entry>,
    /// Problems of the frame; [`Comment::read`] returns the problems of a body.
    pub problems: Vec<Problem>,
}

impl Transcript {
    /// Returns title and context as written.
    pub fn preamble_text(&self) -> &str {
        &self.text[self.preamble.clone()]
    }

    /// Returns title and context as written, without the lines that collapse the material for readers of the file.
    pub(crate) fn topic_text(&self) -> Cow<'_, str> {
        without_collapse(self.preamble_text())
    }

    /// Returns the first `# ` heading of the preamble.
    pub fn title(&self) -> Option<&str> {
        let line = self.preamble_text().lines().find(|line| line.starts_with("# "))?;
        let title = line[2..].trim();
        // In `# C#` the last character belongs to the name; only hashes after a blank close a heading.
        let bare = title.trim_end_matches('#');
        let closed = bare.is_empty() || bare.ends_with([' ', '\t']);
        Some(if closed { bare.trim_end() } else { title }).filter(|title| !title.is_empty())
    }

    /// Returns the text below the title, decoded.
    pub(crate) fn context(&self) -> String {
        let text = self.topic_text();
        let title = |line: &str| line.starts_with("# ");
        let below = match text.lines().position(title) {
            Some(at) => text.lines().skip(at + 1).collect::<Vec<_>>().join("\n"),
            None => text.into_owned(),
        };
        decode(below.trim_matches('\n'))
    }

    /// Returns true if the file is a discussion: it has a head, a comment or a control line, even a malformed one. Any
    /// other Markdown file, such as a folder's `README.md`, is an ordinary page.
    pub(crate) fn is_discussion(&self) -> bool {
        self.head.is_some() || !self.entries.is_empty() || !self.problems.is_empty()
    }

    /// Returns true if the file has a head or an entry. A malformed one does not count, because an ordinary page may look
    /// alike.
    pub(crate) fn is_begun(&self) -> bool {
        self.head.is_some() || !self.entries.is_empty()
    }

    /// Returns the byte offset after the preamble: the start of the first entry's block, or the end of the text.
    pub(crate) fn topic_end(&self) -> usize {
        self.entries.first().map_or(self.text.len(), |entry| entry.span.start)
    }
}

/// One block of the file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The bytes of the block: from its first line (`Name:` or the control line, not the rule above) to the end of
    /// its last line. The lines for readers below a control line belong to its block.
    pub span: Range<usize>,
    /// The number of the first line, counted from 1.
    pub line: usize,
    /// The kind, with its contents.
    pub kind: EntryKind,
}

/// The three kinds of block.
#[derive(Clone, Debug)]
pub enum EntryKind {
    /// A comment by one author.
    Comment(Comment),
    /// A control line, with the lines for readers below it.
    Control(Control),
    /// Text between a closing rule and the next head; shown, but never counted.
    Stray(Text),
}

impl EntryKind {
    /// Returns the time that the file records for the entry, if it records one.
    pub(crate) fn time(&self) -> Option<Time> {
        match self {
            Self::Comment(comment) => comment.at(),
            Self::Control(Control::Turn(line)) => line.at,
            Self::Control(Control::Pass(line)) => line.at,
            Self::Control(Control::Failed(line)) => line.at,
            Self::Control(_) | Self::Stray(_) => None,
        }
    }
}

/// The way a comment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEnding {
    /// There is a rule below it.
    Rule,
    /// It was truncated, and the next writer marked that.
    Torn,
    /// Nothing follows it yet.
    EndOfFile,
}

/// A comment by one author.
#[derive(Clone, Debug)]
pub struct Comment {
    /// The author's name in the head.
    pub name: Name,
    /// The receipt, if the comment is a model's answer.
    pub reply: Option<Box<ReplyLine>>,
    /// The restore line, if the comment was lost and restored.
    pub restored: Option<Restored>,
    /// The summary line, if the comment summarizes those above it.
    pub summary: Option<Summary>,
    /// The time when a person wrote it through the program; none for comments written by hand and in older files.
    pub said_at: Option<Time>,
    /// The body as stored, without blank lines at its ends; includes a closing vote line.
    pub stored: Text,
    /// Byte offset of `stored` in the document.
    pub stored_start: usize,
    /// Number of the line where `stored` begins.
    pub stored_line: usize,
    /// The way it ends.
    pub ending: BlockEnding,
    /// True if the closing rule is directly below the last line.
    pub tight_rule: bool,
    /// True if the comment contains a head without a rule, or a merge conflict. Its author is then unclear, so no
    /// vote in it counts.
    pub mixed: bool,
}

impl Comment {
    /// Creates a comment from a body that is not stored yet: lines count from 1, and it has no author.
    pub(crate) fn plain(body: impl Into<Text>) -> Self {
        Self {
            name: Name::nobody(),
            reply: None,
            restored: None,
            summary: None,
            said_at: None,
            stored: body.into(),
            stored_start: 0,
            stored_line: 1,
            ending: BlockEnding::Rule,
            tight_rule: false,
            mixed: false,
        }
    }

    /// Returns the time when the comment was written, if the file contains it: in a person's `SAID` or a model's
    /// `REPLY` line.
    pub fn at(&self) -> Option<Time> {
        self.said_at.or_else(|| self.reply.as_ref()?.at)
    }

    /// Returns true if the comment is a text for a reader: its receipt names the markers that count in it.
    pub(crate) fn is_text(&self) -> bool {
        self.reply.as_ref().is_some_and(|reply| reply.markers.is_some())
    }

    /// Returns true if the comment counts. If the program wrote a line below `Name:`, it also wrote a closing rule
    /// after the comment; without that rule, the comment was never acknowledged. A comment without a body does not
    /// count.
    pub fn acknowledged(&self) -> bool {
        let written = self.reply.is_some() || self.restored.is_some() || self.summary.is_some();
        !self.stored.is_empty() && (!written || self.ending == BlockEnding::Rule)
    }

    /// Returns the exact text, decoded and without the closing vote line.
    pub fn body(&self) -> String {
        decode(choice::split_trailing_vote(&self.stored).0)
    }

    /// Returns the text of the closing vote line, if there is one.
    pub fn closing_vote(&self) -> Option<&str> {
        choice::split_trailing_vote(&self.stored).1
    }

    /// Parses markers, votes and mentions, with line numbers of the whole document.
    pub fn read(&self, markers: &MarkerSet) -> Body {
        body::read(self, markers)
    }
}

/// An immutable text, or a part of one. Clones and parts share its bytes, so it can be stored and sent between
/// threads.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text(ByteString);

impl Text {
    /// Returns `part` as a shared text, without copying it.
    ///
    /// # Panics
    /// Panics if `part` does not point into this text.
    pub(super) fn piece(&self, part: &str) -> Self {
        Self(self.0.slice_ref(part))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<&Text> for Text {
    fn from(text: &Text) -> Self {
        text.clone()
    }
}

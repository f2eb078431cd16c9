//! What a document consists of.

use std::ops::Range;

use super::body::{self, Body};
use super::closing;
use super::control::{Control, Reply, Restored, Summary};
use super::encode::decode;
use super::head::Head;
use super::marker::MarkerSet;
use super::name::Name;
use super::text::Text;
use crate::problem::Problem;

/// A point in time, UTC.
pub type Time = chrono::DateTime<chrono::Utc>;

/// A document, read. Every text in it is a piece of the document's own, so it can be kept and sent anywhere.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The whole document.
    pub text: Text,
    /// What was fixed when the discussion was made; absent in files that the program never touched.
    pub head: Option<Head>,
    /// The bytes between the head and the first entry: title and context, without blank lines and rules at its end.
    pub preamble: Range<usize>,
    /// Comments, control lines and stray text, in file order.
    pub entries: Vec<Entry>,
    /// What is wrong with the frame; a body's own problems come from [`Comment::read`].
    pub problems: Vec<Problem>,
}

impl Transcript {
    /// Title and context as written.
    pub fn preamble_text(&self) -> &str {
        &self.text[self.preamble.clone()]
    }

    /// The first `# ` heading of the preamble.
    pub fn title(&self) -> Option<&str> {
        let line = self.preamble_text().lines().find(|line| line.starts_with("# "))?;
        let title = line[2..].trim();
        // `# C#` ends in a letter of its name; only hashes behind a blank close a heading.
        let bare = title.trim_end_matches('#');
        let closed = bare.is_empty() || bare.ends_with([' ', '\t']);
        Some(if closed { bare.trim_end() } else { title }).filter(|title| !title.is_empty())
    }

    /// What stands below the title, as it was given.
    pub(crate) fn context(&self) -> String {
        let text = self.preamble_text();
        let title = |line: &str| line.starts_with("# ");
        let below = match text.lines().position(title) {
            Some(at) => text.lines().skip(at + 1).collect::<Vec<_>>().join("\n"),
            None => text.to_owned(),
        };
        decode(below.trim_matches('\n'))
    }

    /// Whether somebody made a discussion of it: it has a head, a comment or a control line, or what was to be one. Any
    /// other Markdown file, such as a folder's `README.md`, is a page that stands among discussions.
    pub(crate) fn is_discussion(&self) -> bool {
        self.head.is_some() || !self.entries.is_empty() || !self.problems.is_empty()
    }

    /// Byte offset behind the preamble: where the first entry's block begins, or the text's end.
    pub(crate) fn topic_end(&self) -> usize {
        self.entries.first().map_or(self.text.len(), |entry| entry.span.start)
    }
}

/// One block.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its bytes: from its first line (`Name:` or the control line, not the rule before it) to the end of its last.
    pub span: Range<usize>,
    /// The first line's number, counted from 1.
    pub line: usize,
    /// What it is.
    pub kind: EntryKind,
}

/// The three kinds of block.
#[derive(Clone, Debug)]
pub enum EntryKind {
    /// What one participant says once.
    Comment(Comment),
    /// A control line.
    Control(Control),
    /// Text between a closing rule and the next head: shown, never counted.
    Stray(Text),
}

/// How a comment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A rule stands below it.
    Rule,
    /// It was cut, and the next writer marked that.
    Torn,
    /// Nothing stands below it yet.
    EndOfFile,
}

/// What one participant says once.
#[derive(Clone, Debug)]
pub struct Comment {
    /// The name in its head.
    pub name: Name,
    /// It is a model's answer.
    pub reply: Option<Box<Reply>>,
    /// It was dropped and put back.
    pub restored: Option<Restored>,
    /// It sums up what stands above.
    pub summary: Option<Summary>,
    /// When a person wrote it through the program; absent in handwriting and in older files.
    pub said_at: Option<Time>,
    /// The body as stored, without blank lines at its ends; a closing vote line is part of it.
    pub stored: Text,
    /// Byte offset of `stored` in the document.
    pub stored_start: usize,
    /// Number of the line on which `stored` begins.
    pub stored_line: usize,
    /// How it ends.
    pub ending: Ending,
    /// The closing rule stands directly below the last line.
    pub tight_rule: bool,
    /// A head without a rule or a merge conflict runs through it: whose words these are is unclear, so no vote counts.
    pub mixed: bool,
}

impl Comment {
    /// A body that stands alone, before it is stored: lines count from 1, and nobody says it yet.
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
            ending: Ending::Rule,
            tight_rule: false,
            mixed: false,
        }
    }

    /// Returns when the comment was written, if the file says so: a person's `SAID`, a model's `REPLY`.
    pub fn at(&self) -> Option<Time> {
        self.said_at.or_else(|| self.reply.as_ref()?.at)
    }

    /// Whether the comment counts. A line of the program's own below `Name:` promises a closing rule; without it the
    /// comment was never acknowledged. One without a body says nothing.
    pub fn acknowledged(&self) -> bool {
        let written = self.reply.is_some() || self.restored.is_some() || self.summary.is_some();
        !self.stored.is_empty() && (!written || self.ending == Ending::Rule)
    }

    /// What was said, exactly: decoded, without the closing vote line.
    pub fn body(&self) -> String {
        decode(closing::split(&self.stored).0)
    }

    /// The text of the closing vote line, when there is one.
    pub fn closing_vote(&self) -> Option<&str> {
        closing::split(&self.stored).1
    }

    /// Markers, votes and mentions, with lines of the whole document.
    pub fn read(&self, markers: &MarkerSet) -> Body {
        body::read(self, markers)
    }
}

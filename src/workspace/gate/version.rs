//! One version of a discussion, parsed into blocks.

use std::collections::HashMap;
use std::rc::Rc;

use crate::state::is_report;
use crate::store::{
    BlockKind, BlockText, DiscussionBlock, block_hash, blocks_of, name_of, refers_by_number,
};
use crate::transcript::{
    Accepted, BodyMark, Comment, Control, EntryKind, Marker, MarkerSet, Name, Transcript, is_agent,
    is_rule, parse,
};

/// The words for a person whom a line does not name.
const SOMEBODY: &str = "somebody";

/// One version of a discussion.
#[derive(Debug)]
pub(super) struct Version {
    /// Its path from the top of the tree.
    pub(super) path: Vec<u8>,
    pub(super) transcript: Transcript,
    pub(super) blocks: Vec<DiscussionBlock>,
}

impl Version {
    pub(super) fn new(path: Vec<u8>, text: String) -> Self {
        let transcript = parse(text);
        let blocks = blocks_of(&transcript);
        Self { path, transcript, blocks }
    }

    /// Returns the discussion of a file; none if its text is no discussion.
    pub(super) fn of_discussion(path: &[u8], text: &str) -> Option<Rc<Self>> {
        let version = Self::new(path.to_vec(), text.to_owned());
        version.transcript.is_discussion().then(|| Rc::new(version))
    }

    pub(super) fn text(&self) -> &str {
        &self.transcript.text
    }

    pub(super) fn topic(&self) -> &BlockText {
        &self.blocks[0].text
    }

    /// Returns the path for people.
    pub(super) fn shown_path(&self) -> String {
        String::from_utf8_lossy(&self.path).into_owned()
    }

    /// Returns the comment in a block.
    pub(super) fn comment(&self, block: &DiscussionBlock) -> Option<&Comment> {
        match &self.transcript.entries.get(block.entry?)?.kind {
            EntryKind::Comment(comment) => Some(comment),
            EntryKind::Control(_) | EntryKind::Stray(_) => None,
        }
    }

    /// Returns the control line in a block.
    pub(super) fn control(&self, block: &DiscussionBlock) -> Option<&Control> {
        match &self.transcript.entries.get(block.entry?)?.kind {
            EntryKind::Control(control) => Some(control),
            EntryKind::Comment(_) | EntryKind::Stray(_) => None,
        }
    }

    /// Returns the `ACCEPTED` line in a block.
    pub(super) fn accepted(&self, block: &DiscussionBlock) -> Option<&Accepted> {
        match self.control(block)? {
            Control::Accepted(line) => Some(line),
            _ => None,
        }
    }

    /// Returns the name in a block: the author of a comment, or the person in a control line.
    pub(super) fn name(&self, block: &DiscussionBlock) -> Option<String> {
        name_of(&self.transcript, block)
    }

    /// Returns the names of all who wrote below the topic: comments, and lines with the name of a person.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.blocks.iter().skip(1).filter_map(|block| match self.control(block) {
            Some(Control::Status(line)) if line.by.is_none() => Some(SOMEBODY.to_owned()),
            _ => self.name(block),
        })
    }

    /// Returns the bytes of a block with the rule above it, and true if a rule stands below it.
    pub(super) fn raw(&self, block: &DiscussionBlock) -> (&str, bool) {
        let below = self.text()[block.span.end..].lines().next();
        (&self.text()[block.span.clone()], below.is_some_and(is_rule))
    }

    /// Returns true if a rule stands below a block.
    pub(super) fn has_rule_below(&self, block: &DiscussionBlock) -> bool {
        let below = self.text()[block.own.end..].lines();
        let is_blank = |line: &&str| line.trim().is_empty();
        below.into_iter().find(|line| !is_blank(line)).is_some_and(is_rule)
    }

    /// Returns the bytes of a block.
    pub(super) fn own(&self, block: &DiscussionBlock) -> &str {
        &self.text()[block.own.clone()]
    }

    /// Returns the hash by which an `ACCEPTED` line names a block.
    pub(super) fn hash(&self, block: &DiscussionBlock) -> String {
        match block.kind {
            BlockKind::Topic => crate::store::topic_hash(self.own(block)),
            BlockKind::Comment | BlockKind::Control | BlockKind::Stray => {
                block_hash(self.own(block))
            }
        }
    }

    /// Returns true if a block refers to an item by its number.
    pub(super) fn refers_by_number(&self, block: &DiscussionBlock) -> bool {
        self.comment(block).is_some_and(refers_by_number)
    }

    /// Counts how often each block occurs.
    pub(super) fn counts(&self) -> HashMap<&BlockText, usize> {
        let mut counts = HashMap::new();
        for block in &self.blocks {
            *counts.entry(&block.text).or_default() += 1;
        }
        counts
    }

    /// Returns the effect of a block in words, if it has any: `READY`, `D: we ship`.
    pub(super) fn effect(&self, block: &DiscussionBlock) -> Option<String> {
        let Some(comment) = self.comment(block) else {
            return match self.control(block)? {
                Control::Phase(line) => Some(format!("the phase {}", line.id)),
                Control::VoteReset => Some("the reset of the votes".to_owned()),
                Control::Status(_) => Some("the STATUS line".to_owned()),
                Control::Accepted(_) => Some("an acceptance".to_owned()),
                Control::Turn(_)
                | Control::Pass(_)
                | Control::Failed(_)
                | Control::Child(_)
                | Control::ChildEnd(_) => None,
            };
        };
        if is_report(&comment.name) {
            return None;
        }
        let body = comment.read(&MarkerSet::default());
        let is_effect =
            |marker: &Marker| !matches!(marker, Marker::Question | Marker::Concern | Marker::Todo);
        let vote = body.marks.iter().find(|mark| mark.marker == Marker::Vote);
        let mark = vote.or_else(|| body.marks.iter().find(|mark| is_effect(&mark.marker)));
        match (mark, body.supports.first()) {
            (Some(mark), _) if mark.marker == Marker::Vote => Some(mark.text.clone()),
            (Some(mark), _) => Some(format!("{}: {}", mark.marker.word(), mark.text)),
            (None, Some((number, _))) => Some(format!("+1 D{number}")),
            (None, None) => None,
        }
    }

    /// Returns true if a block contains a marker, such as a question or a concern.
    pub(super) fn has_marker(&self, block: &DiscussionBlock) -> bool {
        let comment = self.comment(block);
        comment.is_some_and(|comment| !comment.read(&MarkerSet::default()).marks.is_empty())
    }

    /// Returns true if a block may answer a question or settle a concern.
    pub(super) fn may_close(&self, block: &DiscussionBlock) -> bool {
        let comment = self.comment(block);
        let is_closing = |mark: &BodyMark| matches!(mark.marker, Marker::Answer | Marker::Settled);
        comment.is_some_and(|it| it.read(&MarkerSet::default()).marks.iter().any(is_closing))
    }

    /// Returns true if a block contains a vote.
    pub(super) fn has_vote(&self, block: &DiscussionBlock) -> bool {
        self.comment(block).is_some_and(|comment| {
            let body = comment.read(&MarkerSet::default());
            body.marks.iter().any(|mark| mark.marker == Marker::Vote)
        })
    }
}

/// Returns true if a name is that of a coding agent.
pub(super) fn is_agent_name(name: &str) -> bool {
    Name::parse(name).is_ok_and(|name| is_agent(&name))
}

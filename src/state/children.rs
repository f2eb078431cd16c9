//! Discussions within a discussion, as its file tells of them.

use super::fold::State;
use crate::transcript::{ChildEnd, ChildFile, ChildLine};

/// A discussion within this one.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// The line with which it began.
    pub line: ChildLine,
    /// Byte offset behind that line: what the file said when it began.
    pub cut: usize,
    /// Index of the visit in which it began.
    pub visit: usize,
    /// What it came to; none while it goes on.
    pub end: Option<ChildEnd>,
}

impl State {
    /// The discussion within this one that has begun and has no end yet; of several the first.
    pub fn open_child(&self) -> Option<&Child> {
        self.children.iter().find(|child| child.end.is_none())
    }

    /// Whether the discussion of a file has begun and has no end yet.
    pub(crate) fn is_open(&self, file: &ChildFile) -> bool {
        self.children.iter().any(|child| child.line.file == *file && child.end.is_none())
    }

    /// Discussions that phases of the template opened in this visit.
    pub(crate) fn children_here(&self) -> impl Iterator<Item = &Child> {
        let visit = self.place.number();
        self.children.iter().filter(move |child| child.visit == visit && child.line.by.is_none())
    }

    /// The one of a file that has no end yet.
    pub(super) fn child_mut(&mut self, file: &ChildFile) -> Option<&mut Child> {
        self.children.iter_mut().find(|child| child.line.file == *file && child.end.is_none())
    }
}

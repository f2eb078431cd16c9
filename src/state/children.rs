//! The sub-discussions of a discussion, as its file records them.

use super::fold::State;
use crate::transcript::{ChildEnd, ChildFile, ChildLine};

/// A sub-discussion of this discussion.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// The control line that opened it.
    pub line: ChildLine,
    /// Byte offset after that line; the text up to it is what the file contained when the sub-discussion was opened.
    pub cut: usize,
    /// Index of the phase visit in which it was opened.
    pub visit: usize,
    /// The control line that ended it; none while it is open.
    pub end: Option<ChildEnd>,
}

impl State {
    /// Returns the first sub-discussion that has no end yet.
    pub fn open_child(&self) -> Option<&Child> {
        self.children.iter().find(|child| child.end.is_none())
    }

    /// Returns true if the sub-discussion in a file has no end yet.
    pub(crate) fn is_open(&self, file: &ChildFile) -> bool {
        self.children.iter().any(|child| child.line.file == *file && child.end.is_none())
    }

    /// Returns the sub-discussions that phases of the template opened in the current visit.
    pub(crate) fn children_here(&self) -> impl Iterator<Item = &Child> {
        let visit = self.place.number();
        self.children.iter().filter(move |child| child.visit == visit && child.line.by.is_none())
    }

    /// Returns the sub-discussion in a file if it has no end yet.
    pub(super) fn child_mut(&mut self, file: &ChildFile) -> Option<&mut Child> {
        self.children.iter_mut().find(|child| child.line.file == *file && child.end.is_none())
    }
}

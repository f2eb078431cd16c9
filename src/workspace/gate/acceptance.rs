//! `ACCEPTED` lines that count, each for one change. Pure.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::people::fold;
use super::version::Version;
use crate::transcript::Accepted;

/// An `ACCEPTED` line that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Acceptance {
    pub(super) line: Accepted,
    /// True if its person may accept changes of what others wrote.
    pub(super) may_accept: bool,
}

/// `ACCEPTED` lines. Each excuses one change.
#[derive(Clone, Debug, Default)]
pub(super) struct AcceptedLines {
    all: Vec<Acceptance>,
    /// The indices of used lines; copies of the list share them.
    used: Rc<RefCell<Vec<usize>>>,
}

impl AcceptedLines {
    /// Returns all lines of a version, whoever wrote them.
    pub(super) fn of(version: &Version) -> Self {
        let mut lines = Self::default();
        for line in version.blocks.iter().filter_map(|block| version.accepted(block)) {
            lines.add(line.clone(), true);
        }
        lines
    }

    pub(super) fn add(&mut self, line: Accepted, may_accept: bool) {
        self.all.push(Acceptance { line, may_accept });
    }

    /// Adds the lines of another list.
    pub(super) fn extend(&mut self, other: Self) {
        self.all.extend(other.all);
    }

    /// Uses up the line that accepts the change of a text. `author` is the author of a comment, whom the line has to
    /// name.
    pub(super) fn take(
        &self,
        was: &str,
        author: Option<&str>,
        is_moved: bool,
    ) -> Option<Acceptance> {
        let mut used = self.used.borrow_mut();
        let fits = |index: &usize| {
            let line = &self.all[*index].line;
            let is_of = author
                .is_none_or(|author| line.of.as_deref().is_some_and(|of| fold(author) == fold(of)));
            let is_move = line.now.as_ref() == Some(&line.was);
            line.was == was && is_of && is_move == is_moved && !used.contains(index)
        };
        let is_own = |index: &usize| {
            let by = self.all[*index].line.by.as_deref();
            author.is_some_and(|author| by.is_some_and(|by| fold(by) == fold(author)))
        };
        let own = (0..self.all.len()).filter(fits).find(is_own);
        let found = own.or_else(|| (0..self.all.len()).find(fits))?;
        used.push(found);
        Some(self.all[found].clone())
    }
}

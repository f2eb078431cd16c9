//! The texts of a discussion that are written for a reader, and the findings about them.

use super::findings::{Finding, FindingState, Revision, parse_findings};
use super::snapshot::Snapshot;
use crate::state::{CommentFacts, Turn};
use crate::template::Phase;
use crate::transcript::EntryKind;

/// A finding with its place and its state.
#[derive(Clone, Debug)]
pub(crate) struct ReviewFinding<'s> {
    /// Number in the discussion, from 1.
    pub(crate) number: usize,
    /// The comment with the finding.
    pub(crate) said: &'s CommentFacts,
    /// The finding itself.
    pub(crate) finding: Finding,
    /// The state of the finding: whether the text was changed because of it.
    pub(crate) state: FindingState,
    /// Line of its heading in the file, from 1.
    pub(crate) line: usize,
}

impl Phase {
    /// Returns true if a turn of this phase asks for texts for a reader. A mention or a question of a person is
    /// answered with a comment in every phase.
    pub(super) fn is_text_in(&self, turn: &Turn) -> bool {
        self.text && !turn.line.is_aside()
    }
}

impl Snapshot {
    /// Returns the comments that answer a phase with texts, with that phase, in file order.
    fn texts(&self) -> impl DoubleEndedIterator<Item = (&CommentFacts, &Phase)> {
        self.state.said.iter().filter_map(|said| {
            let turn = &self.state.turns[said.turn?];
            let phase = &self.template().phases[turn.phase];
            phase.is_text_in(turn).then_some((said, phase))
        })
    }

    /// Returns the decoded text of a comment.
    pub(super) fn body_of(&self, said: &CommentFacts) -> String {
        match self.transcript.entries.get(said.entry).map(|entry| &entry.kind) {
            Some(EntryKind::Comment(comment)) => comment.body(),
            _ => String::new(),
        }
    }

    /// Returns the last text for a reader that ends before byte `end`; `None` if there is none.
    pub(crate) fn last_text(&self, end: usize) -> Option<&CommentFacts> {
        let before = |said: &CommentFacts| self.transcript.entries[said.entry].span.end <= end;
        let mut texts =
            self.texts().rev().filter(|(said, phase)| before(said) && phase.writes_text());
        texts.next().map(|(said, _)| said)
    }

    /// Returns the text that the findings of a turn are about: the last one before it, or else title and context.
    pub(super) fn text_before(&self, turn: &Turn) -> String {
        match self.last_text(turn.cut) {
            Some(said) => self.body_of(said),
            None => self.transcript.topic_text().into_owned(),
        }
    }

    /// Returns all findings, in file order.
    pub(crate) fn findings(&self) -> Vec<ReviewFinding<'_>> {
        let mut findings = Vec::new();
        let last = self.last_text(self.transcript.text.len());
        let mut revisions: Vec<(usize, Revision)> = Vec::new();
        for (said, phase) in self.texts() {
            let Some(turn) = said.turn.filter(|_| phase.findings) else { continue };
            let before = self.last_text(self.state.turns[turn].cut).map(|said| said.entry);
            let key = before.unwrap_or(usize::MAX);
            if revisions.iter().all(|(known, _)| *known != key) {
                let after = last.filter(|last| last.entry > said.entry);
                let after = after.map(|last| self.body_of(last));
                let before = self.text_before(&self.state.turns[turn]);
                revisions.push((key, Revision::new(&before, after.as_deref())));
            }
            let Some((_, revision)) = revisions.iter().find(|(known, _)| *known == key) else {
                continue;
            };
            let first_line = match &self.transcript.entries[said.entry].kind {
                EntryKind::Comment(comment) => comment.stored_line,
                _ => said.line,
            };
            for finding in parse_findings(&self.body_of(said)).findings {
                findings.push(ReviewFinding {
                    number: findings.len() + 1,
                    said,
                    state: revision.state_of(&finding),
                    line: first_line + finding.line,
                    finding,
                });
            }
        }
        findings
    }

    /// Returns the findings of the last visit of a phase with findings.
    pub(super) fn last_findings(&self) -> Vec<ReviewFinding<'_>> {
        let mut findings = self.findings();
        let visit =
            self.texts().rev().find(|(_, phase)| phase.findings).map(|(said, _)| said.visit);
        findings.retain(|one| Some(one.said.visit) == visit);
        findings
    }

    /// Returns the reviewed text and the final text, if findings were made and a text was written after them.
    pub(crate) fn revision(&self) -> Option<(String, String)> {
        let (first, _) = self.texts().find(|(_, phase)| phase.findings)?;
        let last =
            self.last_text(self.transcript.text.len()).filter(|last| last.entry > first.entry)?;
        let before = self.text_before(&self.state.turns[first.turn?]);
        Some((before, self.body_of(last)))
    }
}

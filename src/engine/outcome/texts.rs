//! The text that a ballot was about, that explains it, or that answers the question.

use super::OutcomeText;
use crate::engine::snapshot::Snapshot;
use crate::state::CommentFacts;
use crate::transcript::Marker;

/// A text with its comment.
pub(super) struct FoundText {
    /// The text.
    pub(super) text: String,
    /// The entry of its comment; `None` if the template computes it from several comments.
    pub(super) entry: Option<usize>,
    /// The line of the comment.
    pub(super) line: Option<usize>,
}

impl From<FoundText> for OutcomeText {
    fn from(found: FoundText) -> Self {
        Self { text: found.text, line: found.line }
    }
}

impl FoundText {
    fn of(snapshot: &Snapshot, said: &CommentFacts) -> Self {
        Self { text: snapshot.body_of(said), entry: Some(said.entry), line: Some(said.line) }
    }

    /// Returns the text that a ballot was about: the last one whose comment stands above an entry.
    pub(super) fn voted_on(snapshot: &Snapshot, above: usize) -> Option<Self> {
        let is_above = |said: &&CommentFacts| said.entry < above;
        match last_written(snapshot, is_above) {
            Some(said) => Some(Self::shown(snapshot, said)),
            None => Self::computed(snapshot),
        }
    }

    /// Returns the text that explains a ballot: the last one whose comment stands below it.
    pub(super) fn explaining(snapshot: &Snapshot, below: usize) -> Option<Self> {
        let is_below = |said: &&CommentFacts| said.entry > below;
        last_written(snapshot, is_below).map(|said| Self::shown(snapshot, said))
    }

    /// Returns the final text: of the participant that writes or decides, as the template computes it, or else, if the
    /// discussion ends in a text, the last comment outside of voting phases.
    pub(super) fn last(snapshot: &Snapshot) -> Option<Self> {
        match last_written(snapshot, |_| true) {
            Some(said) => Some(Self::shown(snapshot, said)),
            None => Self::computed(snapshot),
        }
    }

    /// Returns the last comment outside of voting phases, as a text.
    pub(super) fn last_comment(snapshot: &Snapshot) -> Option<Self> {
        let text = snapshot.synthesis()?;
        let mut said = snapshot.state.said.iter().rev();
        let said = said.find(|said| snapshot.body_of(said) == text);
        let (entry, line) = (said.map(|said| said.entry), said.map(|said| said.line));
        Some(Self { text, entry, line }).filter(|found| !found.text.trim().is_empty())
    }

    /// Returns the text of a comment, without the parts that the template leaves out of its final text.
    fn shown(snapshot: &Snapshot, said: &CommentFacts) -> Self {
        let mut found = Self::of(snapshot, said);
        let is_last = last_written(snapshot, |_| true).is_some_and(|last| last.entry == said.entry);
        if is_last && let Some(text) = snapshot.written_synthesis() {
            found.text = text;
        }
        found
    }

    /// Returns the text that the template computes, with the comment that holds it as a solution.
    fn computed(snapshot: &Snapshot) -> Option<Self> {
        let text = snapshot.written_synthesis()?;
        let holds = |said: &&CommentFacts| {
            let solution = said.mark(&Marker::Solution);
            solution == Some(text.as_str()) || snapshot.body_of(said) == text
        };
        let said = snapshot.state.said.iter().rev().find(holds);
        let (entry, line) = (said.map(|said| said.entry), said.map(|said| said.line));
        Some(Self { text, entry, line })
    }
}

/// Returns the last comment of the participant that was asked to write the text or to decide.
fn last_written(
    snapshot: &Snapshot,
    is_wanted: impl Fn(&&CommentFacts) -> bool,
) -> Option<&CommentFacts> {
    let (phases, state) = (&snapshot.template().phases, &snapshot.state);
    let written = |said: &&CommentFacts| {
        let asked = said.turn.is_some() && !state.answers_aside(said);
        asked && phases[said.phase].decides() && is_wanted(said)
    };
    state.said.iter().rev().find(written)
}

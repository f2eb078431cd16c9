//! What an answer belongs to: the turn that it was asked in, and the text that was sent.

use crate::engine::Snapshot;
use crate::transcript::{Control, EntryKind, Transcript, TurnLine, parse};

/// What the file said when participants were asked.
#[derive(Clone)]
pub(super) struct Basis(Snapshot);

/// How a file relates to what it said when participants were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Blocks were added behind it, and nothing else was changed.
    Grown,
    /// The turn is there, and other text above was changed.
    Changed,
    /// The turn is not there, or head, title or context differ: another discussion, or another state of it.
    Other,
}

impl Basis {
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        Self(snapshot.clone())
    }

    /// Compares a file's text with what was read before the calls began. Line ends do not matter: git changes them.
    pub(super) fn fit(&self, text: &str) -> Fit {
        let before = &self.0.transcript;
        if text.starts_with(&*before.text) {
            return Fit::Grown;
        }
        let now = parse(text);
        let stands = match self.0.state.turns.last() {
            Some(turn) => turns(&now).any(|line| is_same(line, &turn.line)),
            None => true,
        };
        if !stands || plain(beginning(&now)) != plain(beginning(before)) {
            return Fit::Other;
        }
        if plain(text).starts_with(&plain(&before.text)) { Fit::Grown } else { Fit::Changed }
    }
}

/// Head, title and context.
fn beginning(transcript: &Transcript) -> &str {
    &transcript.text[..transcript.preamble.end]
}

fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn turns(transcript: &Transcript) -> impl Iterator<Item = &TurnLine> {
    transcript.entries.iter().filter_map(|entry| match &entry.kind {
        EntryKind::Control(Control::Turn(turn)) => Some(turn),
        _ => None,
    })
}

/// Whether two lines are of the same turn. A merge may give it another number, so its time and its participants decide.
fn is_same(one: &TurnLine, other: &TurnLine) -> bool {
    one.at == other.at && one.asks == other.asks
}

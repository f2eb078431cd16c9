//! The part of the file that a participant sees: everything up to one byte offset. It omits no
//! comment before that offset.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::prose::Words;
use super::pseudonyms::{labels, mention};
use super::snapshot::Snapshot;
use crate::state::{Speaker, Turn};
use crate::template::{Order, Sees};
use crate::transcript::{
    Alias, Control, Entry, EntryKind, Name, TurnLine, mark_record_lines, one_line, without_collapse,
};

/// The byte offset in the file at which a speaker's view ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut(pub usize);

impl Cut {
    /// Returns the cut of a turn. In a parallel phase it is the turn's line, even if the turn is resumed later;
    /// otherwise the current end of the file.
    pub fn of(snapshot: &Snapshot, turn: &Turn) -> Self {
        let phase = &snapshot.template().phases[turn.phase];
        let by_order = match phase.order {
            Order::Parallel => turn.cut,
            Order::Sequential => snapshot.transcript.text.len(),
        };
        Self(match phase.sees {
            Sees::Everything => by_order,
            Sees::EarlierPhases => {
                let visit =
                    &snapshot.state.place.visits[turn.visit.min(snapshot.state.place.number())];
                visit.from.unwrap_or_else(|| snapshot.transcript.topic_end()).min(by_order)
            }
            Sees::Topic => snapshot.transcript.topic_end().min(by_order),
        })
    }
}

/// Returns the discussion up to a cut: the title, the context and all comments, each under its
/// author's name. Omits receipts, times and other control lines, because no answer depends on them:
/// a model once took the time of a turn for a date in its plan. Marks lines that look like the line
/// that ends the discussion in a prompt. An anonymous view has labels instead of names.
///
/// `view(a + b) = view(a) + view(b)` at block boundaries, so that later prompts begin with the text of earlier ones.
#[cfg(not(discussions_sealed))]
pub fn view(snapshot: &Snapshot, cut: Cut) -> String {
    Visibility::new(snapshot, cut).view()
}

/// The view of a participant, and the names of the others in it.
pub(super) struct Visibility<'s> {
    snapshot: &'s Snapshot,
    cut: Cut,
    labels: BTreeMap<Alias, String>,
    /// Replaces names by labels; `None` if the template is not anonymous.
    unnamed: Option<Words>,
}

impl<'s> Visibility<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, cut: Cut) -> Self {
        let labels = labels(snapshot, cut);
        let unnamed = snapshot.template().anonymous.then(|| unnamed(snapshot, &labels));
        Self { snapshot, cut, labels, unnamed }
    }

    pub(super) fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    /// Returns the byte at which the view ends.
    pub(super) fn end(&self) -> usize {
        self.cut.0
    }

    /// Returns the visible text; see [`view`].
    pub(super) fn view(&self) -> String {
        let mut out = self.topic().into_owned();
        for entry in self.entries() {
            match &entry.kind {
                EntryKind::Comment(comment) => {
                    let name = self.shown_name(&comment.name);
                    let text = self.hide(&comment.stored);
                    out.push_str(&format!("Name: {name}\n\n{text}\n\n---\n\n"));
                }
                EntryKind::Stray(text) => {
                    out.push_str(text);
                    out.push_str("\n\n---\n\n");
                }
                // A reader cannot understand the answers without the question.
                EntryKind::Control(Control::Turn(TurnLine { ask: Some(ask), .. })) => {
                    let ask = self.hide(&one_line(ask));
                    out.push_str(&format!("Asked in between: {ask}\n\n---\n\n"));
                }
                EntryKind::Control(_) => {}
            }
        }
        match mark_record_lines(&out) {
            Cow::Owned(marked) => marked,
            Cow::Borrowed(_) => out,
        }
    }

    /// Returns title and context as written, without the lines that collapse the material. Omits the head, because it names all participants in
    /// order and contains a time.
    pub(super) fn topic(&self) -> Cow<'s, str> {
        let transcript = &self.snapshot.transcript;
        let (start, end) = (transcript.preamble.start, transcript.topic_end());
        without_collapse(&transcript.text[start.min(self.cut.0)..end.min(self.cut.0)])
    }

    /// Returns the visible entries.
    pub(super) fn entries(&self) -> impl Iterator<Item = &'s Entry> {
        let end = self.cut.0;
        self.snapshot.transcript.entries.iter().take_while(move |entry| entry.span.end <= end)
    }

    /// Returns the text of an author as other participants see it.
    pub(super) fn hide(&self, text: &str) -> String {
        match &self.unnamed {
            Some(unnamed) => unnamed.replace(text),
            None => text.to_owned(),
        }
    }

    /// Returns the visible name of the author with this name.
    pub(super) fn shown_name(&self, name: &Name) -> String {
        let persona = self.snapshot.config.by_name(name).filter(|_| self.unnamed.is_some());
        let label = persona.and_then(|persona| self.labels.get(&persona.alias));
        label.cloned().unwrap_or_else(|| name.to_string())
    }

    /// Returns the visible name of a speaker.
    pub(super) fn name(&self, speaker: &Speaker) -> String {
        match speaker {
            Speaker::Persona(alias) if self.snapshot.template().anonymous => {
                self.labels.get(alias).cloned().unwrap_or_else(|| "a guest".to_owned())
            }
            Speaker::Persona(alias) => self.snapshot.config.name_of(alias).to_owned(),
            other => other.handle().to_owned(),
        }
    }
}

/// Builds the replacement of participants' names and mentions by their labels.
fn unnamed(snapshot: &Snapshot, labels: &BTreeMap<Alias, String>) -> Words {
    let words = labels.iter().flat_map(|(alias, label)| {
        let name = snapshot.config.name_of(alias).to_owned();
        [(name, label.clone()), (format!("@{alias}"), mention(label))]
    });
    Words::new(words.collect())
}

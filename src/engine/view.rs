//! The part of the file that a participant sees. It ends at one byte offset; nothing before that is left out.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::pseudonyms::mention;
use super::snapshot::Snapshot;
use super::words::Words;
use crate::state::{Speaker, Turn};
use crate::template::{Order, Sees};
use crate::transcript::{Alias, EntryKind, Name, mark_record_lines};

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

/// Returns the file up to a cut. A normal view equals the file byte by byte, with two exceptions: it lacks the times of
/// people's comments, and it marks lines that look like the end of a prompt's record. An anonymous view is built block
/// by block, with letters in place of names.
///
/// `view(a + b) = view(a) + view(b)` at block boundaries, so that later prompts begin with the text of earlier ones.
#[cfg(feature = "internals")]
pub fn view(snapshot: &Snapshot, cut: Cut) -> String {
    Visibility::new(snapshot, cut).view()
}

/// The view of a participant, and the names of the others in it.
pub(super) struct Visibility<'s> {
    snapshot: &'s Snapshot,
    cut: Cut,
    letters: BTreeMap<Alias, String>,
    /// Replaces names by letters; `None` if the template is not anonymous.
    unnamed: Option<Words>,
}

impl<'s> Visibility<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, cut: Cut) -> Self {
        let letters = letters(snapshot);
        let unnamed = snapshot.template().anonymous.then(|| unnamed(snapshot, &letters));
        Self { snapshot, cut, letters, unnamed }
    }

    pub(super) fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    /// Returns the visible text; see [`view`].
    pub(super) fn view(&self) -> String {
        let cut = self.cut_text();
        match mark_record_lines(&cut) {
            Cow::Owned(marked) => marked,
            Cow::Borrowed(_) => cut,
        }
    }

    fn cut_text(&self) -> String {
        let text = &self.snapshot.transcript.text[..self.cut.0];
        if self.unnamed.is_none() {
            return self.without_times(text);
        }
        // The head names all participants in order, so an anonymous view begins after the head.
        let mut out = text[self.snapshot.transcript.preamble.start.min(self.cut.0)
            ..self.snapshot.transcript.topic_end().min(self.cut.0)]
            .to_owned();
        for entry in
            self.snapshot.transcript.entries.iter().take_while(|entry| entry.span.end <= self.cut.0)
        {
            match &entry.kind {
                EntryKind::Comment(comment) => {
                    let name = self.shown_name(&comment.name);
                    out.push_str(&format!(
                        "Name: {name}\n\n{}\n\n---\n\n",
                        self.hide(&comment.stored)
                    ));
                }
                EntryKind::Stray(text) => {
                    out.push_str(text);
                    out.push_str("\n\n---\n\n");
                }
                EntryKind::Control(_) => {}
            }
        }
        out
    }

    /// Returns the beginning of the file without the times of people's comments, which no answer depends on.
    fn without_times(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for entry in &self.snapshot.transcript.entries {
            let EntryKind::Comment(comment) = &entry.kind else { continue };
            if comment.said_at.is_none() {
                continue;
            }
            // The lines between a name and the text of the comment.
            let end = comment.stored_start.max(entry.span.start).min(text.len());
            let Some(head) = text.get(entry.span.start..end) else { break };
            let mut at = entry.span.start;
            for line in head.split_inclusive('\n') {
                if line.starts_with("<!-- SAID ") {
                    out.push_str(&text[from..at]);
                    from = at + line.len();
                }
                at += line.len();
            }
        }
        out.push_str(&text[from..]);
        out
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
        let letter = persona.and_then(|persona| self.letters.get(&persona.alias));
        letter.cloned().unwrap_or_else(|| name.to_string())
    }

    /// Returns the visible name of a speaker.
    pub(super) fn name(&self, speaker: &Speaker) -> String {
        match speaker {
            Speaker::Persona(alias) if self.snapshot.template().anonymous => {
                self.letters.get(alias).cloned().unwrap_or_else(|| "a guest".to_owned())
            }
            Speaker::Persona(alias) => self.snapshot.config.name_of(alias).to_owned(),
            other => other.handle().to_owned(),
        }
    }
}

/// Returns the names of all participants in an anonymous view, in the order of the head.
pub(super) fn letters(snapshot: &Snapshot) -> BTreeMap<Alias, String> {
    let holders = snapshot.config.roles.values().flatten();
    let mut letters = BTreeMap::new();
    for alias in snapshot.config.seats().chain(holders) {
        let next = letters.len();
        letters.entry(alias.clone()).or_insert_with(|| match u8::try_from(next) {
            Ok(next) if next < 26 => format!("Participant {}", char::from(b'A' + next)),
            _ => format!("Participant {}", next + 1),
        });
    }
    letters
}

/// Builds the replacement of participants' names and mentions by their letters.
fn unnamed(snapshot: &Snapshot, letters: &BTreeMap<Alias, String>) -> Words {
    let words = letters.iter().flat_map(|(alias, letter)| {
        let name = snapshot.config.name_of(alias).to_owned();
        [(name, letter.clone()), (format!("@{alias}"), mention(letter))]
    });
    Words::new(words.collect())
}

//! What anyone sees: a cut of the file, never a filter.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::pseudonyms::mention;
use super::snapshot::Snapshot;
use super::words::Words;
use crate::state::{Speaker, Turn};
use crate::template::{Order, Sees};
use crate::transcript::{Alias, EntryKind, Name, mark_record_lines};

/// Byte offset in the file up to which a speaker sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut(pub usize);

impl Cut {
    /// The cut of a turn: its line in a parallel phase, also when the turn is resumed; else all that stands there now.
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

/// The file up to a cut: byte for byte but for the times of people's comments and a mark before lines that look like the end of a
/// prompt's record, or block by block with letters for names where the template is anonymous.
///
/// `view(a + b) = view(a) + view(b)` at block boundaries, so that later prompts begin with earlier ones' text.
pub fn view(snapshot: &Snapshot, cut: Cut) -> String {
    Sight::new(snapshot, cut).view()
}

/// What somebody sees, and by which names they know the others.
pub(super) struct Sight<'s> {
    snapshot: &'s Snapshot,
    cut: Cut,
    letters: BTreeMap<Alias, String>,
    /// Letters in place of names; none where everybody is named.
    unnamed: Option<Words>,
}

impl<'s> Sight<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, cut: Cut) -> Self {
        let letters = letters(snapshot);
        let unnamed = snapshot.template().anonymous.then(|| unnamed(snapshot, &letters));
        Self { snapshot, cut, letters, unnamed }
    }

    pub(super) fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    /// The text that is seen; see [`view`].
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
        // The head names everybody in order, so an anonymous view begins behind it.
        let mut out = text[self.snapshot.transcript.preamble.start.min(self.cut.0)
            ..self.snapshot.transcript.topic_end().min(self.cut.0)]
            .to_owned();
        for entry in
            self.snapshot.transcript.entries.iter().take_while(|entry| entry.span.end <= self.cut.0)
        {
            match &entry.kind {
                EntryKind::Comment(comment) => {
                    let name = self.shown(&comment.name);
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
            // The lines below a name, up to what was said.
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

    /// A text that somebody wrote, as it is seen.
    pub(super) fn hide(&self, text: &str) -> String {
        match &self.unnamed {
            Some(unnamed) => unnamed.replace(text),
            None => text.to_owned(),
        }
    }

    /// What somebody who speaks under a name is called by others.
    pub(super) fn shown(&self, name: &Name) -> String {
        let persona = self.snapshot.config.by_name(name).filter(|_| self.unnamed.is_some());
        let letter = persona.and_then(|persona| self.letters.get(&persona.alias));
        letter.cloned().unwrap_or_else(|| name.to_string())
    }

    /// What a speaker is called by others.
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

/// What each participant is called in an anonymous view, by the head's order.
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

/// What stands for names and mentions of participants: their letters.
fn unnamed(snapshot: &Snapshot, letters: &BTreeMap<Alias, String>) -> Words {
    let words = letters.iter().flat_map(|(alias, letter)| {
        let name = snapshot.config.name_of(alias).to_owned();
        [(name, letter.clone()), (format!("@{alias}"), mention(letter))]
    });
    Words::new(words.collect())
}

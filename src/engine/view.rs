//! What anyone sees: a cut of the file, never a filter.

use std::collections::BTreeMap;

use super::situation::Situation;
use super::unmask::mention;
use super::words::Words;
use crate::state::{Speaker, Turn};
use crate::template::{Order, Sees};
use crate::transcript::{Alias, EntryKind};

/// Byte offset in the file up to which a speaker sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut(pub usize);

impl Cut {
    /// The cut of a turn: its line in a parallel phase, also when the turn is resumed; else all that stands there now.
    pub fn of(situation: &Situation<'_>, turn: &Turn) -> Self {
        let phase = &situation.template().phases[turn.phase];
        let by_order = match phase.order {
            Order::Parallel => turn.cut,
            Order::Sequential => situation.transcript.text.len(),
        };
        Self(match phase.sees {
            Sees::Everything => by_order,
            Sees::EarlierPhases => {
                let visit =
                    &situation.state.place.visits[turn.visit.min(situation.state.place.number())];
                visit.from.unwrap_or_else(|| situation.transcript.topic_end()).min(by_order)
            }
            Sees::Topic => situation.transcript.topic_end().min(by_order),
        })
    }
}

/// The file up to a cut: byte for byte, or block by block with letters for names where the template is anonymous.
///
/// `view(a + b) = view(a) + view(b)` at block boundaries, so that later prompts begin with earlier ones' text.
pub fn view(situation: &Situation<'_>, cut: Cut) -> String {
    let text = &situation.transcript.text[..cut.0];
    if !situation.template().anonymous {
        return text.to_owned();
    }
    let letters = letters(situation);
    let unnamed = unnamed(situation, &letters);
    // The head names everybody in order, so an anonymous view begins behind it.
    let mut out = text[situation.transcript.preamble.start.min(cut.0)
        ..situation.transcript.topic_end().min(cut.0)]
        .to_owned();
    for entry in situation.transcript.entries.iter().take_while(|entry| entry.span.end <= cut.0) {
        match &entry.kind {
            EntryKind::Comment(comment) => {
                let author =
                    situation.charter.by_name(&comment.name).map(|persona| persona.alias.clone());
                let name = author
                    .and_then(|alias| letters.get(&alias).cloned())
                    .unwrap_or_else(|| comment.name.to_string());
                out.push_str(&format!(
                    "Name: {name}\n\n{}\n\n---\n\n",
                    unnamed.replace(comment.stored)
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

/// What each participant is called in an anonymous view, by the head's order.
pub(super) fn letters(situation: &Situation<'_>) -> BTreeMap<Alias, String> {
    let holders = situation.charter.roles.values().flatten();
    let mut letters = BTreeMap::new();
    for alias in situation.charter.seats().chain(holders) {
        let next = letters.len();
        letters.entry(alias.clone()).or_insert_with(|| match u8::try_from(next) {
            Ok(next) if next < 26 => format!("Participant {}", char::from(b'A' + next)),
            _ => format!("Participant {}", next + 1),
        });
    }
    letters
}

/// What stands for names and mentions of participants: their letters.
fn unnamed(situation: &Situation<'_>, letters: &BTreeMap<Alias, String>) -> Words {
    let words = letters.iter().flat_map(|(alias, letter)| {
        let name = situation.charter.name_of(alias).to_owned();
        [(name, letter.clone()), (format!("@{alias}"), mention(letter))]
    });
    Words::new(words.collect())
}

/// What a speaker is called by others, in this view.
pub(super) fn shown_name(
    situation: &Situation<'_>,
    speaker: &Speaker,
    letters: &BTreeMap<Alias, String>,
) -> String {
    match speaker {
        Speaker::Persona(alias) if situation.template().anonymous => {
            letters.get(alias).cloned().unwrap_or_else(|| "a guest".to_owned())
        }
        Speaker::Persona(alias) => situation.charter.name_of(alias).to_owned(),
        other => other.handle().to_owned(),
    }
}

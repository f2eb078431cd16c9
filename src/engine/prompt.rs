//! The prompt for one participant: constant rules, the view, then a short tail of its own.
//!
//! What changes comes last, so that every later prompt of a discussion begins with an earlier one's text: providers
//! charge about a tenth for a prefix they have seen.

mod markers;

use std::sync::Arc;

use indexmap::IndexSet;

use self::markers::demands;
use super::demand::demanded;
use super::pseudonyms::mention;
use super::snapshot::{Snapshot, SnapshotError};
use super::view::{Cut, Sight};
use crate::digest::sha256_hex;
use crate::participant::Persona;
use crate::state::{Speaker, Turn};
use crate::transcript::{Alias, one_line};

/// ConsensusRules that are the same in every prompt.
pub(super) const HEADER: &str = include_str!("header.md");
/// Most bytes of a tail (4 KB).
const TAIL_LIMIT: usize = 4096;

/// What one participant is sent, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What everybody in the turn is sent first: header and view.
    pub prefix: Arc<str>,
    /// What comes behind it for this participant.
    pub tail: String,
}

impl Prompt {
    /// The whole text.
    pub fn text(&self) -> String {
        format!("{}{}", self.prefix, self.tail)
    }

    /// Bytes of the whole text.
    pub fn size(&self) -> usize {
        self.prefix.len() + self.tail.len()
    }
}

/// The prompts of one turn: what they share is made once.
pub struct Prompts<'s> {
    snapshot: &'s Snapshot,
    turn: &'s Turn,
    sight: Sight<'s>,
    prefix: Arc<str>,
    /// The line between the record and the task.
    end: String,
    /// The first line that nobody in this turn sees.
    unseen: usize,
    /// What the tails say between instructions and persona.
    shared: String,
}

/// Builds the prompt of one participant of a turn.
///
/// # Errors
/// When the phase's instructions cannot be rendered.
pub fn prompt(snapshot: &Snapshot, turn: &Turn, alias: &Alias) -> Result<Prompt, SnapshotError> {
    Prompts::of(snapshot, turn).of_participant(alias)
}

impl<'s> Prompts<'s> {
    /// Those of a turn of a discussion.
    pub fn of(snapshot: &'s Snapshot, turn: &'s Turn) -> Self {
        let sight = Sight::new(snapshot, Cut::of(snapshot, turn));
        let view = sight.view();
        // Nobody can write the hash of the text that holds it, so the record cannot forge its own end.
        let hash = sha256_hex(&view);
        let seal = hash.get(..12).unwrap_or(&hash);
        let unseen = sight.first_unseen();
        let mut shared = demands(&demanded(snapshot, turn), &snapshot.config.options[turn.phase]);
        contributors(&sight, unseen, &mut shared);
        Self {
            snapshot,
            turn,
            sight,
            prefix: format!("{HEADER}\n===== THE RECORD BEGINS =====\n{view}").into(),
            end: format!("\n===== THE RECORD ENDS ({seal}) =====\n\n"),
            unseen,
            shared,
        }
    }

    /// That of one participant.
    ///
    /// # Errors
    /// When the phase's instructions cannot be rendered.
    pub fn of_participant(&self, alias: &Alias) -> Result<Prompt, SnapshotError> {
        let tail = format!("{}{}", self.end, self.task(alias)?);
        Ok(Prompt { prefix: Arc::clone(&self.prefix), tail })
    }

    fn task(&self, alias: &Alias) -> Result<String, SnapshotError> {
        let phase = &self.snapshot.template().phases[self.turn.phase];
        let mut out = format!("# Your task\n\nPhase: {}", phase.title());
        let instructions = self.snapshot.render(&phase.instructions, Some(alias))?;
        out.push_str("\n\n");
        out.push_str(clip(instructions.trim(), 1400));
        out.push('\n');
        if let Some(ask) = &self.turn.line.ask {
            out.push_str(&format!("\nYou are asked: {}\n", clip(&one_line(ask), 400)));
        }
        self.waiting(alias, &mut out);
        out.push_str(&self.shared);
        let persona = self.persona(alias);
        let room = TAIL_LIMIT.saturating_sub(out.len() + 2);
        out.push('\n');
        out.push_str(clip(&persona, room));
        out.push('\n');
        Ok(out)
    }

    /// Questions that wait for this participant.
    fn waiting(&self, alias: &Alias, out: &mut String) {
        let pending = &self.snapshot.state.pending;
        let mine = pending.iter().find(|mention| mention.whom.alias() == Some(alias));
        let callers = mine.map(|mention| mention.callers(self.unseen)).unwrap_or_default();
        let askers: IndexSet<String> = callers.into_iter().map(|by| self.sight.name(by)).collect();
        let askers: Vec<String> = askers.into_iter().collect();
        if !askers.is_empty() {
            out.push_str(&format!(
                "\n{} addressed you, and you have not spoken since: take that up in your comment.\n",
                askers.join(" and ")
            ));
        }
    }

    fn persona(&self, alias: &Alias) -> String {
        let shown = self.sight.name(&Speaker::Persona(alias.clone()));
        let Some(persona) = self.snapshot.config.persona(alias) else {
            return format!("# You\n\nYou are {shown}.");
        };
        let mut out = if self.snapshot.template().anonymous {
            format!("# You\n\nIn the record you are {shown} ({}).", mention(&shown))
        } else {
            format!("# You\n\nYou are {shown} (@{alias}).")
        };
        describe(persona, &mut out);
        out
    }
}

/// Who has spoken so far, in alphabetical order (INV-DISC-012).
fn contributors(sight: &Sight<'_>, unseen: usize, out: &mut String) {
    let said = sight.snapshot().state.said.iter();
    let mut names: Vec<String> = said
        .filter(|said| said.line < unseen && said.speaker.counts())
        .map(|said| sight.name(&said.speaker))
        .collect();
    names.sort_unstable();
    names.dedup();
    if !names.is_empty() {
        out.push_str(&format!("\nContributors so far: {}\n", clip(&names.join(", "), 300)));
    }
}

fn describe(persona: &Persona, out: &mut String) {
    if !persona.role.is_empty() {
        out.push_str(&format!(" Your role: {}.", persona.role.trim_end_matches('.')));
    }
    out.push_str("\n\n");
    out.push_str(persona.personality.trim());
    if !persona.expertise.is_empty() {
        out.push_str(&format!("\n\nYou know about: {}.", persona.expertise.join(", ")));
    }
    if !persona.concerns.is_empty() {
        out.push_str("\n\nYou always ask:\n");
        persona.concerns.iter().for_each(|concern| out.push_str(&format!("- {concern}\n")));
    }
}

/// The beginning of a text, at a character's end.
fn clip(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

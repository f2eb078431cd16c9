//! The prompt for one participant: constant rules, the view, who they are, and last what they are to do.
//!
//! What changes comes last, so that every later prompt of a discussion begins with an earlier one's text: providers
//! charge about a tenth for a prefix that the same model has seen.

mod calls;
mod clip;
mod markers;
mod open;
mod people;
mod persona;

use std::sync::Arc;

use self::calls::{Call, calls};
use self::clip::clip;
use self::markers::demands;
use super::demand::demanded;
use super::snapshot::{Snapshot, SnapshotError};
use super::view::{Cut, Sight};
use crate::digest::sha256_hex;
use crate::state::Turn;
use crate::transcript::{Alias, mark_record_lines, one_line};

/// Rules that are the same in every prompt, but for the hash in the line that ends the record.
pub(super) const HEADER: &str = include_str!("header.md");
/// How a participant opens a discussion, where that is allowed.
const OFFER: &str = "\nWhere this hangs on a question that needs a discussion of its own: one item \
    `- DISCUSS: the question [choice, choice]`. What it comes to stands in the record before the next turn.\n";
/// Most bytes of a tail (6 KB).
const TAIL_LIMIT: usize = 6144;
/// Most bytes of a phase's instructions in it.
const INSTRUCTIONS_LIMIT: usize = 2560;
/// Most bytes of what is open and what was decided.
const LISTS_LIMIT: usize = 2600;

/// Whether who somebody is stands before the record or behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Behind it: others speak through the same model, and what they share comes first.
    #[default]
    RecordFirst,
    /// Before it: nobody else speaks through the model, so that in later prompts only the task is new.
    PersonaFirst,
}

/// What one participant is sent, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What it begins with, and later prompts too: header and view, with the persona between them or not at all.
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
    pub(crate) fn size(&self) -> usize {
        self.prefix.len() + self.tail.len()
    }
}

/// The prompts of one turn: what they share is made once.
pub struct Prompts<'s> {
    snapshot: &'s Snapshot,
    turn: &'s Turn,
    sight: Sight<'s>,
    /// The discussion as far as it is seen: a call that is made again is told what the first was told.
    seen: Snapshot,
    /// The discussion up to the turn's line: whoever was called by then is asked.
    called: Snapshot,
    /// The header, which names the hash in the line that ends the record.
    header: String,
    /// The record between its two lines, and the header before it.
    prefix: Arc<str>,
    /// The line between the record and the task.
    end: String,
}

/// Builds the prompt of one participant of a turn who shares a model with others.
///
/// # Errors
/// When the phase's instructions cannot be rendered.
pub fn prompt(snapshot: &Snapshot, turn: &Turn, alias: &Alias) -> Result<Prompt, SnapshotError> {
    Prompts::of(snapshot, turn).of_participant(alias, Layout::default())
}

impl<'s> Prompts<'s> {
    /// Those of a turn of a discussion.
    pub fn of(snapshot: &'s Snapshot, turn: &'s Turn) -> Self {
        let cut = Cut::of(snapshot, turn);
        let sight = Sight::new(snapshot, cut);
        let view = sight.view();
        let transcript = &snapshot.transcript;
        // The same in all prompts of a discussion, so that each begins as the one before it. Anybody can write this hash:
        // what keeps the record from ending early is that every such line in it is marked.
        let hash = sha256_hex(&transcript.text[..transcript.topic_end()]);
        let seal = hash.get(..12).unwrap_or(&hash);
        let header = HEADER.replace("{{seal}}", seal);
        let called = snapshot.until(turn.cut);
        Self {
            seen: if cut.0 == turn.cut { called.clone() } else { snapshot.until(cut.0) },
            called,
            snapshot,
            turn,
            sight,
            prefix: format!("{header}{}", record(&view)).into(),
            header,
            end: format!("\n===== THE RECORD ENDS ({seal}) =====\n\n"),
        }
    }

    /// That of one participant.
    ///
    /// # Errors
    /// When the phase's instructions cannot be rendered.
    pub fn of_participant(&self, alias: &Alias, layout: Layout) -> Result<Prompt, SnapshotError> {
        let mut persona = mark_record_lines(&persona::described(&self.sight, alias)).into_owned();
        // Questions and decisions of the record stand in the task too.
        let task = mark_record_lines(&self.task(alias, persona.len())?).into_owned();
        let room = TAIL_LIMIT.saturating_sub(task.len() + 2);
        persona.truncate(clip(&persona, room).len());
        let end = &self.end;
        // Never within what others share: behind the record, or with the persona before it.
        let known = persona::known(self.snapshot, alias);
        Ok(match layout {
            Layout::RecordFirst => Prompt {
                prefix: Arc::clone(&self.prefix),
                tail: format!("{end}{known}{task}\n{persona}\n"),
            },
            Layout::PersonaFirst => {
                let header = &self.header;
                let record = self.prefix.get(header.len()..).unwrap_or_default();
                Prompt {
                    prefix: format!("{header}\n{known}{persona}\n{record}").into(),
                    tail: format!("{end}{task}"),
                }
            }
        })
    }

    /// What the participant is to do; `beside` bytes of the tail are taken.
    fn task(&self, alias: &Alias, beside: usize) -> Result<String, SnapshotError> {
        let called = calls(&self.sight, &self.called, alias);
        if self.turn.line.mentions && !called.is_empty() {
            return Ok(answer(&called));
        }
        if let Some(ask) = &self.turn.line.ask {
            let ask = self.sight.hide(&one_line(ask));
            return Ok(answer_aside(clip(&ask, INSTRUCTIONS_LIMIT)));
        }
        let phase = &self.snapshot.template().phases[self.turn.phase];
        let instructions = self.snapshot.render(&phase.instructions, Some(alias))?;
        let instructions = clip(instructions.trim(), INSTRUCTIONS_LIMIT);
        let mut out = format!("# Your task: {}\n\n{instructions}\n", phase.title());
        if let Some(words) = self.snapshot.words(self.turn.phase)? {
            out.push_str(&format!("\nAt most {words} words.\n"));
        }
        let here = people::here(&self.sight, &self.seen, alias);
        let asked = demanded(self.snapshot, self.turn, alias);
        let demands = demands(self.snapshot, self.turn, alias, &asked, instructions);
        let offer =
            if self.snapshot.config.opens_discussions(self.turn.phase) { OFFER } else { "" };
        let taken = out.len() + here.len() + offer.len() + demands.len() + beside + 2;
        let room = TAIL_LIMIT.saturating_sub(taken).min(LISTS_LIMIT);
        let waiting = calls(&self.sight, &self.seen, alias);
        out.push_str(&here);
        out.push_str(&open::lists(&self.sight, &self.seen, alias, &waiting, room));
        out.push_str(offer);
        out.push_str(&demands);
        Ok(out)
    }
}

/// The task of whoever was called: what they were asked, and nothing else.
fn answer(called: &[Call]) -> String {
    let mut out = "# Your task: answer what you were asked\n\n".to_owned();
    for call in called {
        out.push_str(&format!("{} asks you: {}\n", call.by_number(), call.text));
    }
    let numbers: Vec<String> =
        called.iter().filter_map(|call| Some(format!("`- A: Q{} ...`", call.number?))).collect();
    out.push_str("Answer this, nothing else.");
    if !numbers.is_empty() {
        out.push_str(&format!(" Begin with {}.", numbers.join(", then ")));
    }
    out.push('\n');
    out
}

/// The task of a turn that somebody started with a question: that question, and nothing else.
fn answer_aside(question: &str) -> String {
    format!(
        "# Your task: answer what you were asked\n\nSomebody asks you:\n\n> {question}\n\nAnswer this, nothing else.\n"
    )
}

/// The record below the line that begins it.
fn record(view: &str) -> String {
    format!("\n===== THE RECORD BEGINS =====\n{view}")
}

//! Builds the prompt of one participant: fixed rules, the visible part of the discussion, the persona, and last the
//! task. The prompt for a text has other rules, only the material that its phase shows, and usually no persona.
//!
//! The changing parts come last, so that each later prompt of a discussion begins with the text of an earlier one:
//! providers charge about a tenth for a prefix that the model has already read.

mod markers;
mod material;
mod open;
mod people;

use std::sync::Arc;

use indexmap::IndexMap;

use self::markers::{demands, demands_of_text};
use self::material::{material, material_of_ballot};
use self::open::{MentionedCall, calls, clip};
use super::answer::demanded;
use super::snapshot::{Snapshot, SnapshotError};
use super::view::{Cut, Visibility};
use crate::digest::sha256_hex;
use crate::state::Turn;
use crate::template::{Demand, Phase};
use crate::transcript::{Alias, mark_record_lines, mark_sealed_lines, one_line};

/// Rules of a prompt for a comment. Only the seal in the line that ends the record differs between discussions.
pub(super) const HEADER: &str = include_str!("prompt/record_header.md");
/// Rules of a prompt for a text. They name no markers, because a text that was written with markers
/// had tasks and mentions in its steps.
const TEXT_HEADER: &str = include_str!("prompt/text_header.md");
/// Instructions for opening a sub-discussion, used if the phase allows it.
const OFFER: &str = "\nIf this depends on a question that needs a discussion of its own, add one item \
    `- DISCUSS: the question [choice, choice]`. Its result is in the record before the next turn.\n";
/// Maximum number of bytes of a tail (6 KB).
const TAIL_LIMIT: usize = 6144;
/// Maximum number of bytes of the phase's instructions in the tail.
const INSTRUCTIONS_LIMIT: usize = 2560;
/// Maximum number of bytes of the lists of open items and decisions.
const LISTS_LIMIT: usize = 2600;

/// Position of the persona: before the record or after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// After the record: several participants use this model, so the text that they share comes first.
    #[default]
    RecordFirst,
    /// Before the record: no other participant uses this model, so that only the task of later prompts is new.
    PersonaFirst,
}

/// The prompt of one participant, in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The part that later prompts repeat: header and record, possibly with the persona between them.
    pub prefix: Arc<str>,
    /// The rest, for this participant only.
    pub tail: String,
}

impl Prompt {
    /// Returns the whole text.
    pub fn text(&self) -> String {
        format!("{}{}", self.prefix, self.tail)
    }

    /// Returns the size of the whole text in bytes.
    pub(crate) fn size(&self) -> usize {
        self.prefix.len() + self.tail.len()
    }
}

/// The prompts of one turn. The shared text is built once.
pub struct Prompts<'s> {
    snapshot: &'s Snapshot,
    turn: &'s Turn,
    sight: Visibility<'s>,
    /// The discussion up to the visible end: a repeated call sees the text that the first call saw.
    seen: Snapshot,
    /// The discussion up to the turn's line: a turn for mentions asks every participant mentioned before it.
    called: Snapshot,
    /// The header, with the line that ends the record.
    header: String,
    /// The header and the record, up to the line that ends the record.
    prefix: Arc<str>,
    /// The word that only the line between the record and the task contains.
    seal: String,
    /// True if the answers are texts for a reader.
    is_text: bool,
    /// True if the prompts show the question and selected texts instead of the whole record.
    is_selection: bool,
}

/// Builds the prompt of one participant of a turn, in the layout for a model that several participants use.
///
/// # Errors
/// Fails if the phase's instructions cannot be rendered.
#[cfg(not(discussions_sealed))]
pub fn prompt(snapshot: &Snapshot, turn: &Turn, alias: &Alias) -> Result<Prompt, SnapshotError> {
    Prompts::of(snapshot, turn).of_participant(alias, Layout::default())
}

impl<'s> Prompts<'s> {
    /// Prepares the prompts of a turn.
    pub fn of(snapshot: &'s Snapshot, turn: &'s Turn) -> Self {
        let cut = Cut::of(snapshot, turn);
        let sight = Visibility::new(snapshot, cut);
        let phase = &snapshot.template().phases[turn.phase];
        let is_text = phase.is_text_in(turn);
        let called = snapshot.until(turn.cut);
        let seen = if cut.0 == turn.cut { called.clone() } else { snapshot.until(cut.0) };
        let shown = match &phase.shows {
            Some(shows) if is_text => Some(material(&sight, shows)),
            // Without a text to vote on, the whole record is what the vote is about.
            Some(shows) if !turn.line.is_aside() && snapshot.last_text(cut.0).is_some() => {
                Some(material_of_ballot(&sight, shows, &seen))
            }
            _ => None,
        };
        let is_selection = shown.is_some();
        let view = shown.unwrap_or_else(|| sight.view());
        let transcript = &snapshot.transcript;
        // All prompts of a discussion have an equal seal, so that each begins with the text of the
        // previous one. Any author can write this seal, but cannot end the record early with it:
        // each line of the record that contains it is marked.
        let mut seal = sha256_hex(&transcript.text[..transcript.topic_end()]);
        seal.truncate(12);
        let header =
            if is_text { TEXT_HEADER } else { HEADER }.replace("{{end}}", &end_line(&seal));
        Self {
            seen,
            called,
            snapshot,
            turn,
            sight,
            prefix: format!("{header}{}", record(&mark_sealed_lines(&view, &seal))).into(),
            header,
            seal,
            is_text,
            is_selection,
        }
    }

    /// Builds the prompt of one participant.
    ///
    /// # Errors
    /// Fails if the phase's instructions cannot be rendered.
    pub fn of_participant(&self, alias: &Alias, layout: Layout) -> Result<Prompt, SnapshotError> {
        if self.is_text {
            return self.for_text(alias);
        }
        let mut persona = self.marked(&people::described_persona(&self.sight, alias, true));
        // The task repeats questions and decisions of the record, so their lines need the mark too.
        let task = self.marked(&self.task(alias, persona.len())?);
        let room = TAIL_LIMIT.saturating_sub(task.len() + 2);
        persona.truncate(clip(&persona, room).len());
        let end = self.end();
        // The knowledge is never inside the text that participants share: it follows the record, or precedes it with
        // the persona.
        let known = self.marked(&people::knowledge(self.snapshot, alias));
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

    /// Builds the prompt for a text. The task comes last, also behind a persona, so that all prompts of a turn share
    /// their beginning.
    fn for_text(&self, alias: &Alias) -> Result<Prompt, SnapshotError> {
        let phase = &self.snapshot.template().phases[self.turn.phase];
        let mut tail = self.end();
        if phase.persona && self.snapshot.config.persona(alias).is_some_and(|it| !it.neutral) {
            tail.push_str(&self.marked(&people::knowledge(self.snapshot, alias)));
            // A text mentions no participant, so the persona has no `@alias`.
            let persona = people::described_persona(&self.sight, alias, false);
            let persona = self.marked(&persona);
            tail.push_str(&format!("{}\n\n", clip(&persona, INSTRUCTIONS_LIMIT)));
        }
        let instructions = self.snapshot.render(&phase.instructions, Some(alias))?;
        let instructions = clip(instructions.trim(), INSTRUCTIONS_LIMIT);
        let mut task = format!("# Your task: {}\n\n{instructions}\n", phase.title());
        let asked = demanded(self.snapshot, self.turn, alias);
        task.push_str(&length_and_form(self.snapshot.words(self.turn.phase)?, phase, &asked));
        // Lines such as `SETTLED: C2` need the numbers, which the record does not contain.
        if phase.shows.is_none() && !phase.counts.is_empty() {
            task.push_str(&open::numbered(&self.sight, &self.seen, LISTS_LIMIT));
        }
        task.push_str(&demands_of_text(&asked, instructions));
        tail.push_str(&self.marked(&task));
        Ok(Prompt { prefix: Arc::clone(&self.prefix), tail })
    }

    /// Returns the text between the record and the task.
    fn end(&self) -> String {
        format!("\n{}\n\n", end_line(&self.seal))
    }

    /// Returns a text from an author with a mark at each line that imitates the end of the record.
    fn marked(&self, text: &str) -> String {
        mark_sealed_lines(&mark_record_lines(text), &self.seal).into_owned()
    }

    /// Returns the task of the participant. Other parts of the tail need `beside` bytes.
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
        // Below selected texts, the record has the open items in full.
        out.push_str(&if self.is_selection {
            open::questions_to(&waiting, room)
        } else {
            open::lists(&self.sight, &self.seen, alias, &waiting, room)
        });
        out.push_str(offer);
        out.push_str(&demands);
        Ok(out)
    }
}

/// Returns the paragraph with the maximum length and the form of a text. A list of findings has a form of its own.
///
/// In the trial (`docs/trial`), judges read texts with room and short sentences the first time, and called shorter
/// texts with the same content dense. A decision stays in one line, because the log shows that line alone.
fn length_and_form(words: Option<u32>, phase: &Phase, asked: &IndexMap<String, Demand>) -> String {
    let mut sentences: Vec<String> = Vec::new();
    sentences.extend(words.map(|words| format!("At most {words} words.")));
    if phase.writes_text() {
        let except =
            if asked.contains_key("DECISION") { ", except in the `DECISION:` line" } else { "" };
        sentences.push(format!(
            "Put one condition or figure in a sentence{except}; use lists where there are several."
        ));
    }
    if sentences.is_empty() { String::new() } else { format!("\n{}\n", sentences.join(" ")) }
}

/// Returns the task of a mentioned participant: to answer the mentions and nothing else.
fn answer(called: &[MentionedCall]) -> String {
    let mut out = "# Your task: answer what you were asked\n\n".to_owned();
    for call in called {
        out.push_str(&format!("{} asks you: {}\n", call.by_number(), call.text));
    }
    let numbers: Vec<String> =
        called.iter().filter_map(|call| Some(format!("`- A: Q{} ...`", call.number?))).collect();
    out.push_str("Answer this and nothing else.");
    if !numbers.is_empty() {
        out.push_str(&format!(" Begin with {}.", numbers.join(", then ")));
    }
    out.push('\n');
    out
}

/// Returns the task of a turn that a person started with a question: to answer this question and nothing else.
fn answer_aside(question: &str) -> String {
    format!(
        "# Your task: answer what you were asked\n\nYou are asked:\n\n> {question}\n\nAnswer this and nothing else.\n"
    )
}

/// Returns the line that ends the record. The header quotes it, so that no other line can be taken for it.
fn end_line(seal: &str) -> String {
    format!("===== THE RECORD ENDS ({seal}) =====")
}

/// Returns the record below its first line.
fn record(view: &str) -> String {
    format!("\n===== THE RECORD BEGINS =====\n{view}")
}

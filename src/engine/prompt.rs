//! The prompt for one participant: constant rules, the view, then a short tail of its own.
//!
//! What changes comes last, so that every later prompt of a discussion begins with an earlier one's text: providers
//! charge about a tenth for a prefix they have seen.

use indexmap::{IndexMap, IndexSet};
use sha2::{Digest, Sha256};

use super::demand::demanded;
use super::situation::{Situation, SituationError};
use super::unmask::mention;
use super::view::{Cut, letters, shown_name, view};
use crate::participant::Persona;
use crate::state::{Speaker, Turn};
use crate::template::Demand;
use crate::transcript::{Alias, Choice, Marker, one_line};

/// Rules that are the same in every prompt.
const HEADER: &str = include_str!("header.md");
/// Most bytes of a tail (4 KB).
const TAIL_LIMIT: usize = 4096;

/// What one participant is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The whole text.
    pub text: String,
    /// Bytes in front that do not depend on the participant: header and view.
    pub shared: usize,
}

/// Builds the prompt of one participant of a turn.
///
/// # Errors
/// When the phase's instructions cannot be rendered.
pub fn prompt(
    situation: &Situation<'_>,
    turn: &Turn,
    alias: &Alias,
) -> Result<Prompt, SituationError> {
    let view = view(situation, Cut::of(situation, turn));
    let mut text = format!("{HEADER}\n===== THE RECORD BEGINS =====\n");
    text.push_str(&view);
    let shared = text.len();
    // Nobody can write the hash of the text that holds it, so the record cannot forge its own end.
    let digest = Sha256::digest(view.as_bytes());
    let seal: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    text.push_str(&format!("\n===== THE RECORD ENDS ({seal}) =====\n\n"));
    text.push_str(&tail(situation, turn, alias)?);
    Ok(Prompt { text, shared })
}

fn tail(situation: &Situation<'_>, turn: &Turn, alias: &Alias) -> Result<String, SituationError> {
    let phase = &situation.template().phases[turn.phase];
    let options = &situation.charter.options[turn.phase];
    let mut out = format!("# Your task\n\nPhase: {}", phase.title());
    let instructions = situation.render(
        &format!("phase `{}`, instructions", phase.id),
        &phase.instructions,
        Some(alias),
    )?;
    out.push_str("\n\n");
    out.push_str(clip(instructions.trim(), 1400));
    out.push('\n');
    if let Some(ask) = &turn.line.ask {
        out.push_str(&format!("\nYou are asked: {}\n", clip(&one_line(ask), 400)));
    }
    waiting(situation, turn, alias, &mut out);
    out.push_str(&demands(&demanded(situation, turn), options));
    contributors(situation, turn, &mut out);
    let persona = persona(situation, alias);
    let room = TAIL_LIMIT.saturating_sub(out.len() + 2);
    out.push('\n');
    out.push_str(clip(&persona, room));
    out.push('\n');
    Ok(out)
}

/// Questions that wait for this participant.
fn waiting(situation: &Situation<'_>, turn: &Turn, alias: &Alias, out: &mut String) {
    let letters = letters(situation);
    let unseen = first_unseen(situation, turn);
    let mine = situation.state.pending.iter().find(|mention| mention.whom.alias() == Some(alias));
    let callers = mine.map(|mention| mention.callers(unseen)).unwrap_or_default();
    let askers: IndexSet<String> =
        callers.into_iter().map(|by| shown_name(situation, by, &letters)).collect();
    let askers: Vec<String> = askers.into_iter().collect();
    if !askers.is_empty() {
        out.push_str(&format!(
            "\n{} addressed you, and you have not spoken since: take that up in your comment.\n",
            askers.join(" and ")
        ));
    }
}

/// The line that names the demanded markers, and the form of each.
fn demands(asks: &IndexMap<String, Demand>, options: &[Choice]) -> String {
    let words: Vec<&str> = options.iter().map(Choice::as_str).collect();
    let choice = words.join(" | ");
    if asks.is_empty() {
        return format!(
            "\nYou may end with a vote where there is a proposal to vote on: one of {choice}.\n"
        );
    }
    let named: Vec<String> = asks
        .keys()
        .map(|word| match range(word, &choice) {
            Some(range) => format!("{word} ({range})"),
            None => word.clone(),
        })
        .collect();
    let mut out = format!(
        "\nMarkers demanded: {}\nEach begins a line of its own, outside lists, quotes and code.",
        named.join(", ")
    );
    let required: Vec<&str> = asks
        .iter()
        .filter(|(_, demand)| **demand == Demand::Required)
        .map(|(word, _)| word.as_str())
        .collect();
    if !required.is_empty() {
        out.push_str(&format!(" An answer without {} is sent back.", required.join(" or ")));
    }
    let examples: Vec<String> = asks
        .keys()
        .filter(|word| *word != "VOTE")
        .map(|word| format!("{word}: {}\n", example(word)))
        .collect();
    if !examples.is_empty() {
        out.push_str(&format!(" Examples:\n\n{}", examples.concat()));
    }
    // All options are shown: a single example would draw votes to itself.
    if asks.contains_key("VOTE") {
        let lines: Vec<String> = words.iter().map(|word| format!("VOTE: {word}")).collect();
        let lead = if examples.is_empty() { " " } else { "\n" };
        out.push_str(&format!(
            "{lead}The vote comes last, exactly one of:\n\n{}",
            lines.join("\n")
        ));
        out.push('\n');
    }
    out
}

/// What may stand behind a marker.
fn range(word: &str, choice: &str) -> Option<String> {
    match Marker::built_in(word)? {
        Marker::Vote => Some(choice.to_owned()),
        Marker::Confidence => Some("0-1".to_owned()),
        Marker::Rating => Some("1-5".to_owned()),
        Marker::Risk => Some("low | medium | high | critical".to_owned()),
        _ => None,
    }
}

fn example(word: &str) -> &'static str {
    match Marker::built_in(word) {
        Some(Marker::Confidence) => "0.65",
        Some(Marker::Rating) => "3",
        Some(Marker::Risk) => "medium",
        Some(Marker::Question) => "which load was that measured under? @alias",
        Some(Marker::Answer) => "Q1 under 200 requests per second",
        Some(Marker::Decision) => "what is decided, in one sentence",
        Some(Marker::Concern) => "what goes wrong, when, and how bad it is",
        Some(Marker::Missing) => "the requirement that is not met",
        Some(Marker::Solution) => "the whole solution in one paragraph",
        Some(Marker::Todo | Marker::Assigned | Marker::Done) => "what is to be done",
        Some(Marker::Vote | Marker::Custom(_)) | None => "(medium) one point in one sentence",
    }
}

/// The first line that a speaker of this turn does not see.
fn first_unseen(situation: &Situation<'_>, turn: &Turn) -> usize {
    let cut = Cut::of(situation, turn);
    let entries = &situation.transcript.entries;
    entries.iter().find(|entry| entry.span.start >= cut.0).map_or(usize::MAX, |entry| entry.line)
}

/// Who has spoken so far, in alphabetical order (INV-DISC-012).
fn contributors(situation: &Situation<'_>, turn: &Turn, out: &mut String) {
    let letters = letters(situation);
    let unseen = first_unseen(situation, turn);
    let mut names: Vec<String> = situation
        .state
        .said
        .iter()
        .filter(|said| said.line < unseen && said.speaker.counts())
        .map(|said| shown_name(situation, &said.speaker, &letters))
        .collect();
    names.sort_unstable();
    names.dedup();
    if !names.is_empty() {
        out.push_str(&format!("\nContributors so far: {}\n", clip(&names.join(", "), 300)));
    }
}

fn persona(situation: &Situation<'_>, alias: &Alias) -> String {
    let me = Speaker::Persona(alias.clone());
    let shown = shown_name(situation, &me, &letters(situation));
    let Some(persona) = situation.charter.persona(alias) else {
        return format!("# You\n\nYou are {shown}.");
    };
    let mut out = if situation.template().anonymous {
        format!("# You\n\nIn the record you are {shown} ({}).", mention(&shown))
    } else {
        format!("# You\n\nYou are {shown} (@{alias}).")
    };
    describe(persona, &mut out);
    out
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

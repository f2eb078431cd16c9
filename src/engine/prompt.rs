//! The prompt for one participant: constant rules, the view, then a short tail of its own.
//!
//! What changes comes last, so that every later prompt of a discussion begins with an earlier one's text: providers
//! charge about a tenth for a prefix they have seen.

use indexmap::IndexMap;
use sha2::{Digest, Sha256};

use super::demand::demanded;
use super::situation::{Situation, SituationError};
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
    let cut_line = situation.transcript.entries[turn.entry].line;
    let mut askers: Vec<String> = Vec::new();
    let mine = situation
        .state
        .pending
        .iter()
        .filter(|mention| mention.whom.alias() == Some(alias) && mention.line < cut_line);
    for mention in mine {
        let asker = shown_name(situation, &mention.by, &letters);
        if !askers.contains(&asker) {
            askers.push(asker);
        }
    }
    if !askers.is_empty() {
        out.push_str(&format!(
            "\nAddressed to you and not yet answered: by {}. Answer that first.\n",
            askers.join(", ")
        ));
    }
}

/// The line that names the demanded markers, and an example of each.
fn demands(asks: &IndexMap<String, Demand>, options: &[Choice]) -> String {
    let words: Vec<&str> = options.iter().map(Choice::as_str).collect();
    let choice = words.join(" | ");
    let named: Vec<String> = asks
        .keys()
        .map(|word| if word == "VOTE" { format!("VOTE ({choice})") } else { word.clone() })
        .collect();
    let mut out = String::from("\n");
    if named.is_empty() {
        out.push_str(&format!("You may end with a vote: one of {choice}.\n"));
        return out;
    }
    out.push_str(&format!(
        "Markers demanded: {}\nEach on a line of its own, like this:\n",
        named.join(", ")
    ));
    // The vote comes last in an answer, so it comes last here.
    let (vote, others): (Vec<_>, Vec<_>) = asks.iter().partition(|(word, _)| *word == "VOTE");
    for (word, demand) in others.into_iter().chain(vote) {
        let need = if *demand == Demand::Required { "required" } else { "wanted" };
        out.push_str(&format!("{word}: {}    ({need})\n", example(word, &words)));
    }
    out
}

fn example(word: &str, options: &[&str]) -> String {
    match Marker::built_in(word) {
        Some(Marker::Vote) => options.first().copied().unwrap_or("READY").to_owned(),
        Some(Marker::Confidence) => "0.8".to_owned(),
        Some(Marker::Rating) => "3".to_owned(),
        Some(Marker::Risk) => "low, medium, high or critical".to_owned(),
        Some(Marker::Question) => "which load was that measured under? @alias".to_owned(),
        Some(Marker::Answer) => "Q1 under 200 requests per second".to_owned(),
        Some(Marker::Decision) => "what is decided, in one sentence".to_owned(),
        Some(Marker::Concern) => "what goes wrong, when, and how bad it is".to_owned(),
        Some(Marker::Missing) => "the requirement that is not met".to_owned(),
        Some(Marker::Solution) => "the whole solution in one paragraph".to_owned(),
        Some(Marker::Todo | Marker::Assigned | Marker::Done) => "what is to be done".to_owned(),
        Some(Marker::Custom(_)) | None => "(medium) one point in one sentence".to_owned(),
    }
}

/// Who has spoken so far, in alphabetical order (INV-DISC-012).
fn contributors(situation: &Situation<'_>, turn: &Turn, out: &mut String) {
    let letters = letters(situation);
    let cut = situation.transcript.entries[turn.entry].line;
    let mut names: Vec<String> = situation
        .state
        .said
        .iter()
        .filter(|said| said.line < cut && said.speaker.counts())
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
        format!("# You\n\nIn the record you are {shown}.")
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

//! The material of a prompt for a text or for a ballot on one: the question, and the texts that the phase shows.
//!
//! The material has no times, turns, receipts, personas or lists of participants. In the trial,
//! models that saw them took the date of a plan from a control line and let their persona's
//! character into the text (`docs/trial`).

use super::open::still_open;
use crate::engine::findings::FindingState;
use crate::engine::snapshot::Snapshot;
use crate::engine::texts::ReviewFinding;
use crate::engine::view::Visibility;
use crate::state::{CommentFacts, Speaker};
use crate::template::LAST_TEXT;
use crate::transcript::{Alias, EntryKind, mark_record_lines};

/// Returns the question and the texts that a phase shows.
pub(super) fn material(sight: &Visibility<'_>, shows: &[String]) -> String {
    let out = format!("{}{}", question(sight), texts(sight, shows));
    mark_record_lines(&out).into_owned()
}

/// Returns the question, the texts that a ballot is about, and all that is still open. Without the record, a ballot
/// takes a third of the text that it took with it.
///
/// Unlike a list of findings, a vote quotes no text word for word, so labels may replace names.
pub(super) fn material_of_ballot(
    sight: &Visibility<'_>,
    shows: &[String],
    seen: &Snapshot,
) -> String {
    let texts = sight.hide(&texts(sight, shows));
    let out = format!("{}{texts}{}", question(sight), still_open(sight, seen));
    mark_record_lines(&out).into_owned()
}

fn question(sight: &Visibility<'_>) -> String {
    format!("# The question\n\n{}\n", sight.topic().trim())
}

/// Returns the comments that belong to the question, and the texts that a phase shows.
fn texts(sight: &Visibility<'_>, shows: &[String]) -> String {
    let snapshot = sight.snapshot();
    let mut out = String::new();
    for (name, body) in added(sight) {
        out.push_str(&format!("\n{name} adds:\n\n{body}\n"));
    }
    for id in shows {
        if id == LAST_TEXT {
            if let Some(said) = snapshot.last_text(sight.end()) {
                out.push_str(&section("The text", &snapshot.body_of(said)));
            }
            continue;
        }
        let Some((index, phase)) = snapshot.template().phase(id) else { continue };
        if phase.findings {
            let findings = snapshot.last_findings();
            let findings: Vec<String> = findings.iter().map(finding).collect();
            if !findings.is_empty() {
                out.push_str(&section("Findings", &findings.join("\n\n")));
            }
            continue;
        }
        for said in latest(sight, index) {
            let name = sight.name(&said.speaker);
            // The vote is part of an answer to a ballot, but not of its body.
            let vote = said.vote.as_ref().filter(|_| phase.voting_mode);
            let vote = vote.map(|vote| format!("\n\nVOTE: {vote}")).unwrap_or_default();
            out.push_str(&section(
                &format!("By {name}"),
                &format!("{}{vote}", snapshot.body_of(said).trim()),
            ));
        }
    }
    out
}

fn section(title: &str, body: &str) -> String {
    format!("\n# {title}\n\n{}\n", body.trim())
}

/// Returns the comments of people and of agents from outside, which belong to the question.
fn added(sight: &Visibility<'_>) -> Vec<(String, String)> {
    let snapshot = sight.snapshot();
    let from_outside = |said: &&CommentFacts| {
        snapshot.config.is_person(&said.speaker) || matches!(said.speaker, Speaker::Agent(_))
    };
    visible(sight)
        .filter(from_outside)
        .map(|said| (sight.shown_name(&said.name), snapshot.body_of(said).trim().to_owned()))
        .filter(|(_, body)| !body.is_empty())
        .collect()
}

/// Returns the last answer of each participant to a phase, in the order in which they answered first.
fn latest<'s>(sight: &Visibility<'s>, phase: usize) -> Vec<&'s CommentFacts> {
    let snapshot = sight.snapshot();
    let mut latest: Vec<(&Alias, &CommentFacts)> = Vec::new();
    for said in visible(sight) {
        let (Some(alias), Some(turn)) = (said.speaker.alias(), said.turn) else { continue };
        let turn = &snapshot.state.turns[turn];
        if turn.phase != phase || turn.line.is_aside() {
            continue;
        }
        match latest.iter_mut().find(|(known, _)| *known == alias) {
            Some((_, last)) => *last = said,
            None => latest.push((alias, said)),
        }
    }
    latest.into_iter().map(|(_, said)| said).collect()
}

/// Returns the comments that end before the end of the view.
fn visible<'s>(sight: &Visibility<'s>) -> impl Iterator<Item = &'s CommentFacts> {
    let (snapshot, end): (&'s Snapshot, usize) = (sight.snapshot(), sight.end());
    let ends = move |said: &CommentFacts| snapshot.transcript.entries[said.entry].span.end <= end;
    snapshot.state.said.iter().filter(move |said| ends(said)).filter(|said| {
        matches!(snapshot.transcript.entries[said.entry].kind, EntryKind::Comment(_))
    })
}

/// Returns a finding as the author of the text sees it.
fn finding(one: &ReviewFinding<'_>) -> String {
    let quote: Vec<String> = one.finding.quote.lines().map(|line| format!("> {line}")).collect();
    let missing = match one.state {
        FindingState::Unfounded => "\n\n(The text does not contain these words.)",
        _ => "",
    };
    format!(
        "## Finding {}\n\n{}{missing}\n\nProof: {}\n\nInstead: {}",
        one.number,
        quote.join("\n"),
        one.finding.proof,
        one.finding.instead
    )
}

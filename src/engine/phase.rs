//! From phase to phase.

use super::snapshot::{Snapshot, SnapshotError};
use crate::template::Trigger;
use crate::transcript::{Control, Draft, PhaseLine};

/// Whether a phase may be entered now.
fn enterable(snapshot: &Snapshot, index: usize) -> Result<bool, SnapshotError> {
    let phase = &snapshot.template().phases[index];
    let asks_somebody = phase.report.is_some()
        || phase.speakers.is_mentioned()
        || !snapshot.config.speakers(index).is_empty();
    Ok(asks_somebody
        && snapshot.number(&phase.rounds)? > 0
        && snapshot.state.place.entered[index] < snapshot.number(&phase.visits)?
        && snapshot.holds(&phase.when)?)
}

/// The phase that follows the current one: its `next` in order, then those below; none is the end.
///
/// # Errors
/// When an expression of the template fails.
pub fn first_enterable(snapshot: &Snapshot) -> Result<Option<usize>, SnapshotError> {
    let current = snapshot.state.place.phase();
    for id in &snapshot.template().phases[current].next {
        match snapshot.template().phase(id) {
            None => return Ok(None),
            Some((index, _)) if enterable(snapshot, index)? => return Ok(Some(index)),
            Some(_) => {}
        }
    }
    for index in current + 1..snapshot.template().phases.len() {
        if enterable(snapshot, index)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// Whether the current phase can be gone through at all; the first one is never entered by a line, so it is asked here.
pub(super) fn first_is_open(snapshot: &Snapshot) -> Result<bool, SnapshotError> {
    if snapshot.state.place.visit().from.is_some() {
        return Ok(true);
    }
    let phase = &snapshot.template().phases[0];
    Ok(snapshot.number(&phase.rounds)? > 0 && snapshot.holds(&phase.when)?)
}

/// What a writer appends to enter a phase; entering one where votes decide resets them.
pub fn advance_to(snapshot: &Snapshot, index: usize, by: Option<String>) -> Vec<Draft> {
    let phase = &snapshot.template().phases[index];
    let line = Draft::Control(Control::Phase(PhaseLine { id: phase.id.clone(), by }));
    match phase.voting_mode {
        true => vec![line, Draft::Control(Control::VoteReset)],
        false => vec![line],
    }
}

/// How many rounds of this visit have begun, those for mentions and repeated ones aside.
pub(super) fn rounds_here(snapshot: &Snapshot) -> u32 {
    let rounds = snapshot.state.turns_here().filter(|turn| turn.is_round).count();
    u32::try_from(rounds).unwrap_or(u32::MAX)
}

/// Whether the phase ends by itself now. Never before one whole turn of the visit.
///
/// # Errors
/// When an expression of the template fails.
pub fn may_advance(snapshot: &Snapshot) -> Result<bool, SnapshotError> {
    let state = &snapshot.state;
    let phase = &snapshot.template().phases[state.place.phase()];
    let whole = state.unfinished().is_none() || !snapshot.spared().is_empty();
    let Some(last) = state.turns_here().next_back().filter(|_| whole) else { return Ok(false) };
    let rounds = snapshot.number(&phase.rounds)?;
    let spoke =
        state.said.iter().any(|said| said.visit == state.place.number() && said.speaker.counts());
    Ok(match phase.auto_trigger {
        None => false,
        Some(Trigger::RoundsDone) => {
            rounds_here(snapshot) >= rounds || phase.speakers.is_mentioned()
        }
        Some(Trigger::AllResponded) => last
            .outcomes
            .values()
            .all(|outcome| matches!(outcome, crate::state::Outcome::Answered(_))),
        Some(Trigger::AllMentionedResponded) => spoke && state.pending.is_empty(),
        Some(Trigger::Consensus) => snapshot.tally().is_some_and(|tally| tally.carries),
    })
}

//! Computes the next step as a pure function of the file.

use super::child::{ChildStep, reported};
use super::phase::{PhaseProgress, leave, stay};
use super::reopen::{empty_ballot_again, reopened};
use super::snapshot::{Snapshot, SnapshotError};
use super::step::{Step, Stop};
use super::turn::{
    TurnRequest, for_mentions, for_people, has_failed_now, still_missing, too_few, turn_line,
};
use crate::state::{Speaker, Turn};
use crate::template::{Substitute, TextTemplate, Trigger};

/// Returns the next step. `started_with` is the number of turns in the file when the run began. If too few participants
/// answered, a turn is repeated only if it is older than the run, so that no run retries without end.
///
/// # Errors
/// Fails if an expression of the template fails.
pub fn next(snapshot: &Snapshot, started_with: usize) -> Result<Step, SnapshotError> {
    step(snapshot, started_with, true)
}

/// Returns the next step of a run that does not stop to wait for people's answers.
///
/// # Errors
/// Fails if an expression of the template fails.
pub fn next_at_once(snapshot: &Snapshot, started_with: usize) -> Result<Step, SnapshotError> {
    step(snapshot, started_with, false)
}

/// Returns the next step. Requests of people come first: models answer people's mentions in any phase, and a person's
/// comment on a ballot without consensus repeats that ballot.
fn step(snapshot: &Snapshot, started_with: usize, waits: bool) -> Result<Step, SnapshotError> {
    let step = by_template(snapshot, started_with, waits)?;
    match &step {
        Step::Ask(_) | Step::Stop(Stop::Closed) => return Ok(step),
        Step::Write(_) | Step::Child(_) | Step::Tool(_) | Step::Stop(_) => {}
    }
    if let Some(calls) = for_people(snapshot, started_with, &step) {
        return Ok(calls);
    }
    match &step {
        Step::Stop(Stop::Finished | Stop::PhaseEnd | Stop::Trigger) => {
            let again = || empty_ballot_again(snapshot, started_with);
            Ok(reopened(snapshot).or_else(again).unwrap_or(step))
        }
        _ => Ok(step),
    }
}

/// Returns the next step according to the template alone. If `waits` is true, a phase that waits for people does not
/// end before people have answered its questions.
///
/// # Errors
/// Fails if an expression of the template fails.
pub(super) fn by_template(
    snapshot: &Snapshot,
    started_with: usize,
    waits: bool,
) -> Result<Step, SnapshotError> {
    if snapshot.state.closed {
        return Ok(Step::Stop(Stop::Closed));
    }
    if_open(snapshot, started_with, waits)
}

/// Returns the next step as if the discussion were not closed: closing must not change the result reached before.
pub(crate) fn if_open(
    snapshot: &Snapshot,
    started_with: usize,
    waits: bool,
) -> Result<Step, SnapshotError> {
    if let Some(step) = in_phase(snapshot, started_with)? {
        return Ok(step);
    }
    let asked = snapshot.state.turns_here().next().is_some();
    if waits && asked && snapshot.phase().waits_for_people {
        let open = snapshot.state.questions.iter().filter(|question| question.waits_for_people());
        let open: Vec<u32> = open.map(|question| question.number).collect();
        if !open.is_empty() {
            return Ok(Step::Stop(Stop::Questions(open)));
        }
    }
    leave(snapshot)
}

/// Returns the next step within the current phase, or `None` if the phase is over.
fn in_phase(snapshot: &Snapshot, started_with: usize) -> Result<Option<Step>, SnapshotError> {
    let phase = snapshot.phase();
    let here = PhaseProgress::of(snapshot);
    // Resumes an open sub-discussion before missing participants are asked. One of them may have requested it just
    // before its run was killed; asking that participant again would cost twice.
    if let Some(child) = snapshot.state.open_child() {
        return Ok(Some(Step::Child(ChildStep::On(child.line.clone()))));
    }
    if let Some(step) = still_missing(snapshot, &here.spared) {
        let stops = has_failed_now(snapshot, started_with);
        return Ok(Some(if stops { Step::Stop(Stop::TooFew) } else { step }));
    }
    // A requested sub-discussion runs before the next participants are asked, so that they know its outcome.
    if let Some(spec) = snapshot.asked_for() {
        return Ok(Some(Step::Child(ChildStep::Open(Box::new(spec)))));
    }
    if !here.open? {
        return Ok(None);
    }
    if phase.discuss.is_some() && snapshot.state.children_here().next().is_some() {
        return Ok(None);
    }
    if let Some(spec) = snapshot.discussed_here()? {
        return Ok(Some(Step::Child(ChildStep::Open(Box::new(spec)))));
    }
    if let Some(tool) = &phase.run {
        return Ok((!is_reported(snapshot)).then(|| Step::Tool(tool.clone())));
    }
    if let Some(report) = &phase.report {
        return if is_reported(snapshot) {
            Ok(None)
        } else {
            write_report(snapshot, report).map(Some)
        };
    }
    if let Some(step) = too_few(snapshot, here.spared.len(), started_with) {
        return Ok(Some(step));
    }
    // A synthesis of too few contributions would waste money.
    if phase.stand_in == Substitute::Neutral
        && here.begun == 0
        && !snapshot.state.turns.is_empty()
        && snapshot.contributors() < snapshot.least_contributors()
    {
        return Ok(Some(Step::Stop(Stop::TooFew)));
    }
    let rounds = here.rounds?;
    if here.over && phase.auto_trigger == Some(Trigger::Consensus) {
        return Ok(None);
    }
    let (rounds, follow) = if phase.speakers.is_mentioned() {
        (0, rounds.max(phase.follow_mentions))
    } else {
        (rounds, phase.follow_mentions)
    };
    if here.begun < rounds {
        let line = turn_line(snapshot, &TurnRequest::default(), started_with);
        return Ok(Some(line.map_or(Step::Stop(Stop::Nobody), Step::open)));
    }
    // Questions of people are not an exchange between models, so `follow_mentions` does not limit them.
    let between_models = |turn: &&Turn| turn.line.mentions && !turn.for_people;
    let followed = snapshot.state.turns_here().filter(between_models).count();
    let mentions =
        (followed < follow as usize).then(|| for_mentions(snapshot, started_with)).flatten();
    match mentions {
        Some(mentions) => Ok(Some(mentions)),
        None if here.over => Ok(None),
        None => stay(snapshot).map(Some),
    }
}

fn is_reported(snapshot: &Snapshot) -> bool {
    let visit = snapshot.state.place.number();
    let mut said = snapshot.state.said.iter();
    said.any(|said| said.visit == visit && said.speaker == Speaker::Report)
}

fn write_report(snapshot: &Snapshot, report: &TextTemplate) -> Result<Step, SnapshotError> {
    let body = snapshot.render(report, None)?;
    let body = if body.trim().is_empty() { "Nothing to report.".to_owned() } else { body };
    Ok(match reported(body) {
        Some(comment) => Step::Write(vec![comment]),
        None => Step::Stop(Stop::Nobody),
    })
}

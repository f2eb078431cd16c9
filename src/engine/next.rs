//! The next step: a pure function of the file.

use std::collections::BTreeSet;

use super::phase::{advance_to, first_enterable, first_is_open, may_advance, rounds_here};
use super::snapshot::{Snapshot, SnapshotError};
use super::turn::{TurnRequest, mentioned, next_number, turn_line, willing};
use crate::state::{Outcome, RESERVED_NAME, Speaker, Turn};
use crate::template::{Order, TextTemplate, Trigger};
use crate::transcript::{Alias, Control, Draft, Name, NewComment, TurnLine};

/// What happens now.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Append these, then look again. A turn's line still lacks its time.
    Write(Vec<Draft>),
    /// Ask these in the last turn: at once when there are several.
    Ask(Vec<Alias>),
    /// Nothing that a program can do.
    Stop(Stop),
}

/// Why nothing happens by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A person closed it.
    Closed,
    /// The last phase is over.
    Finished,
    /// Participants for whom no model speaks are asked in the turn.
    Waiting(Vec<Alias>),
    /// A person decides when this phase ends.
    PhaseEnd,
    /// The phase is over, but its condition does not hold.
    Trigger,
    /// Mentions are still pending, and no more turns are allowed for them.
    Mentions(Vec<String>),
    /// A person's vote is needed.
    PersonVote,
    /// Too few answered for the turn to count; a new start may ask them again.
    TooFew,
    /// Nobody is there to be asked.
    Nobody,
}

/// Finds the next step. `started_with`: how many turns the file held when this run began; only turns that are older
/// are asked again when too few answered, so that one run never retries without end.
///
/// # Errors
/// When an expression of the template fails.
pub fn next(snapshot: &Snapshot, started_with: usize) -> Result<Step, SnapshotError> {
    let state = &snapshot.state;
    if state.closed {
        return Ok(Step::Stop(Stop::Closed));
    }
    let index = state.place.phase();
    let phase = &snapshot.template().phases[index];
    if let Some(step) = ask_unfinished(snapshot) {
        return Ok(step);
    }
    if !first_is_open(snapshot)? {
        return leave(snapshot);
    }
    if let Some(report) = &phase.report {
        let written = state
            .said
            .iter()
            .any(|said| said.visit == state.place.number() && said.speaker == Speaker::Report);
        return if written { leave(snapshot) } else { write_report(snapshot, report) };
    }
    if let Some(step) = too_few(snapshot, started_with) {
        return Ok(step);
    }
    let consensus = phase.auto_trigger == Some(Trigger::Consensus);
    if consensus && may_advance(snapshot)? {
        return leave(snapshot);
    }
    let rounds = snapshot.number(&phase.rounds)?;
    if !phase.speakers.is_mentioned() && rounds_here(snapshot) < rounds {
        return Ok(match turn_line(snapshot, &TurnRequest::default()) {
            Some(line) => open(line),
            None => Step::Stop(Stop::Nobody),
        });
    }
    let asked = state.turns_here().filter(|turn| turn.line.mentions).count();
    let follow = if phase.speakers.is_mentioned() {
        rounds.max(phase.follow_mentions)
    } else {
        phase.follow_mentions
    };
    let waiting = mentioned(snapshot);
    if !waiting.is_empty() && asked < follow as usize {
        return Ok(open(TurnLine {
            number: next_number(snapshot),
            asks: waiting,
            mentions: true,
            ..TurnLine::default()
        }));
    }
    if may_advance(snapshot)? {
        return leave(snapshot);
    }
    Ok(Step::Stop(match phase.auto_trigger {
        None if snapshot.tally().is_some_and(|tally| tally.human_required) => Stop::PersonVote,
        None => Stop::PhaseEnd,
        Some(Trigger::AllMentionedResponded) if !state.pending.is_empty() => {
            let mut handles: Vec<String> =
                state.pending.iter().map(|mention| mention.whom.handle().to_owned()).collect();
            handles.sort_unstable();
            handles.dedup();
            Stop::Mentions(handles)
        }
        Some(_) => Stop::Trigger,
    }))
}

fn open(line: TurnLine) -> Step {
    Step::Write(vec![Draft::Control(Control::Turn(line))])
}

/// What the last turn still needs; none when it is over.
pub fn ask_unfinished(snapshot: &Snapshot) -> Option<Step> {
    let turn = snapshot.state.unfinished()?;
    snapshot.spared().is_empty().then(|| ask(snapshot, turn))
}

/// Whom to ask in an unfinished turn: all at once, or the next in order.
fn ask(snapshot: &Snapshot, turn: &Turn) -> Step {
    let models: Vec<Alias> =
        turn.missing().filter(|alias| snapshot.config.is_model(alias)).cloned().collect();
    if models.is_empty() {
        return Step::Stop(Stop::Waiting(turn.missing().cloned().collect()));
    }
    let sequential = snapshot.template().phases[turn.phase].order == Order::Sequential;
    Step::Ask(if sequential { models.into_iter().take(1).collect() } else { models })
}

/// Leaves the current phase: into the next one, or to the end.
fn leave(snapshot: &Snapshot) -> Result<Step, SnapshotError> {
    if let Some(index) = first_enterable(snapshot)? {
        return Ok(Step::Write(advance_to(snapshot, index, None)));
    }
    let person = snapshot.tally().is_some_and(|tally| tally.human_required);
    Ok(Step::Stop(if person { Stop::PersonVote } else { Stop::Finished }))
}

fn write_report(snapshot: &Snapshot, report: &TextTemplate) -> Result<Step, SnapshotError> {
    let body = snapshot.render(report, None)?;
    let body = if body.trim().is_empty() { "Nothing to report.".to_owned() } else { body };
    Ok(match Name::parse(RESERVED_NAME) {
        Ok(name) => Step::Write(vec![Draft::Comment(NewComment::by(name, body))]),
        Err(_) => Step::Stop(Stop::Nobody),
    })
}

/// Where too few answered the last round: ask again once, in a later run; else stop.
fn too_few(snapshot: &Snapshot, started_with: usize) -> Option<Step> {
    let state = &snapshot.state;
    let here: Vec<(usize, &Turn)> = {
        let visit = state.place.number();
        state.turns.iter().enumerate().filter(|(_, turn)| turn.visit == visit).collect()
    };
    let round = here.iter().rposition(|(_, turn)| turn.is_round)?;
    let group: Vec<&(usize, &Turn)> =
        here[round..].iter().filter(|(_, turn)| turn.is_round || turn.line.again).collect();
    let asked = &group.first()?.1.line.asks;
    let stands_in = snapshot.template().phases[state.place.phase()].stand_in;
    // A text that somebody else wrote is a text; nothing to say is none.
    let counts = |outcome: &Outcome| match outcome {
        Outcome::Answered(_) => true,
        Outcome::Passed => !stands_in,
        Outcome::Failed { .. } => false,
    };
    let answered: BTreeSet<&Alias> = group
        .iter()
        .flat_map(|(_, turn)| &turn.outcomes)
        .filter(|(_, outcome)| counts(outcome))
        .map(|(alias, _)| alias)
        .collect();
    let spared = snapshot.spared().len();
    // Who spoke before and has no part in this turn takes part in the discussion all the same (INV-DISC-101).
    let known: BTreeSet<&Alias> = asked.iter().collect();
    let elsewhere = snapshot.config.participants.iter().filter(|alias| {
        !known.contains(alias)
            && !state.left_out(alias)
            && state.last_said(&Speaker::Persona((*alias).clone())).is_some()
    });
    let needed = snapshot.config.min_answers.saturating_sub(elsewhere.count()).max(1);
    if answered.len() + spared >= needed.min(asked.len()) {
        return None;
    }
    if stands_in && let Some(next) = stand_in(snapshot, &group) {
        return Some(open(TurnLine {
            number: next_number(snapshot),
            asks: vec![next],
            again: true,
            ..TurnLine::default()
        }));
    }
    let failed: Vec<Alias> =
        asked.iter().filter(|alias| !answered.contains(alias)).cloned().collect();
    let again = willing(snapshot, failed);
    let (last, _) = group.last()?;
    if *last < started_with && !again.is_empty() {
        return Some(open(TurnLine {
            number: next_number(snapshot),
            asks: again,
            again: true,
            ..TurnLine::default()
        }));
    }
    Some(Step::Stop(Stop::TooFew))
}

/// The next participant who has not tried yet.
fn stand_in(snapshot: &Snapshot, group: &[&(usize, &Turn)]) -> Option<Alias> {
    let tried: BTreeSet<&Alias> = group.iter().flat_map(|(_, turn)| &turn.line.asks).collect();
    let seats = snapshot.config.participants.iter().filter(|alias| snapshot.config.is_model(alias));
    willing(snapshot, seats.cloned().collect()).into_iter().find(|alias| !tried.contains(alias))
}

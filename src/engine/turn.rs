//! Which turn comes next, and who is missing in the last one.

use std::collections::{BTreeSet, HashSet};

use super::snapshot::Snapshot;
use super::step::{Step, Stop};
use crate::state::{Outcome, PendingMention, Speaker, Turn};
use crate::template::{Order, Sees, StandIn};
use crate::transcript::{Alias, Control, Draft, TurnLine};

/// What somebody asked for when they started a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnRequest {
    /// Whom; empty: whom the phase says.
    pub named: Vec<Alias>,
    /// The question, which is written as the asker's own comment first.
    pub ask: Option<String>,
}

/// Turns that a run began with, where it has just begun: all of them are older.
const FRESH: usize = usize::MAX;

/// How a request is met.
#[derive(Clone, Debug, PartialEq)]
pub enum Continue {
    /// The last turn is not over: these are asked in it.
    Last(Vec<Alias>),
    /// A new turn begins.
    New(TurnLine),
    /// Nobody is to be asked.
    Nobody,
    /// The discussion has come to its end: only those who are named are asked.
    Finished,
}

/// Whether a request goes on with the last turn or opens the next.
pub fn resume(snapshot: &Snapshot, request: &TurnRequest) -> Continue {
    if let Some(turn) = snapshot.state.unfinished()
        && request.ask.is_none()
    {
        let missing: Vec<Alias> = turn.missing().cloned().collect();
        if request.named.is_empty() {
            return Continue::Last(missing);
        }
        if request.named.iter().all(|alias| missing.contains(alias)) {
            return Continue::Last(request.named.clone());
        }
        // Whoever names everybody means those who are left.
        let models: Vec<Alias> =
            missing.into_iter().filter(|alias| snapshot.config.is_model(alias)).collect();
        if !models.is_empty() && models.iter().all(|alias| request.named.contains(alias)) {
            return Continue::Last(models);
        }
    }
    let unnamed = request.named.is_empty() && request.ask.is_none();
    let called = if unnamed { called_line(snapshot) } else { None };
    // Another turn of the last phase would be paid for and take the place of the outcome.
    if unnamed && called.is_none() && snapshot.is_finished() {
        return Continue::Finished;
    }
    match called.or_else(|| turn_line(snapshot, request, FRESH)) {
        Some(line) => Continue::New(line),
        None => Continue::Nobody,
    }
}

/// The line of the next turn, without its time: the named ones, else the phase's speakers, else whoever is called.
pub(super) fn turn_line(
    snapshot: &Snapshot,
    request: &TurnRequest,
    started_with: usize,
) -> Option<TurnLine> {
    let phase = snapshot.state.place.phase();
    let mut line =
        TurnLine { number: next_number(snapshot), ask: request.ask.clone(), ..TurnLine::default() };
    if !request.named.is_empty() {
        line.asks = request.named.clone();
    } else if snapshot.template().phases[phase].speakers.is_mentioned() {
        line.asks = willing(snapshot, called(snapshot, |_| true), started_with);
    } else {
        let config = &snapshot.config;
        let mut speakers = config.speakers(phase);
        speakers.extend(config.listeners(phase).iter().filter(|it| config.is_model(it)).cloned());
        line.asks = willing(snapshot, speakers.clone(), started_with);
        // Others take over in a turn that has begun.
        if line.asks.is_empty() && snapshot.phase().stand_in != StandIn::Nobody {
            line.asks = speakers;
        }
    }
    (!line.asks.is_empty()).then_some(line)
}

/// The turn of whoever is called, where the phase's own turns are over or do not ask them.
fn called_line(snapshot: &Snapshot) -> Option<TurnLine> {
    let rounds = snapshot.number(&snapshot.phase().rounds).unwrap_or(1);
    let begun = snapshot.state.turns_here().filter(|turn| turn.is_round).count();
    let own = begun < rounds as usize || snapshot.phase().speakers.is_mentioned();
    let asks = called(snapshot, |_| true);
    if !own {
        return calls_line(snapshot, asks);
    }
    let step = turn_line(snapshot, &TurnRequest::default(), FRESH).map(Step::open);
    let asks = called(snapshot, PendingMention::is_by_person);
    match step {
        Some(step) if serves(snapshot, &step, &asks) => None,
        _ => calls_line(snapshot, asks),
    }
}

fn calls_line(snapshot: &Snapshot, asks: Vec<Alias>) -> Option<TurnLine> {
    let number = next_number(snapshot);
    (!asks.is_empty()).then(|| TurnLine { number, asks, mentions: true, ..TurnLine::default() })
}

/// Whether a step opens a turn that asks all of these, and shows them what they are asked.
fn serves(snapshot: &Snapshot, step: &Step, asks: &[Alias]) -> bool {
    let Step::Write(drafts) = step else { return false };
    let Some(Draft::Control(Control::Turn(line))) = drafts.first() else { return false };
    let shown = line.is_aside() || snapshot.phase().sees == Sees::Everything;
    shown && asks.iter().all(|alias| line.asks.contains(alias))
}

/// The turn of those whom people called, unless the step that would be next asks them too. Whoever failed in this run
/// is left alone by it.
pub(super) fn for_people(snapshot: &Snapshot, started_with: usize, step: &Step) -> Option<Step> {
    let mut asks = called(snapshot, PendingMention::is_by_person);
    asks.retain(|alias| !snapshot.state.failed_since(alias, started_with));
    if serves(snapshot, step, &asks) {
        return None;
    }
    calls_line(snapshot, asks).map(Step::open)
}

/// What the last turn still needs; none when it is over.
pub(crate) fn ask_unfinished(snapshot: &Snapshot) -> Option<Step> {
    still_missing(snapshot, &snapshot.spared())
}

/// As [`ask_unfinished`], where it is known whose votes can change nothing any more.
pub(super) fn still_missing(snapshot: &Snapshot, spared: &[Alias]) -> Option<Step> {
    let turn = snapshot.state.unfinished()?;
    spared.is_empty().then(|| ask(snapshot, turn))
}

/// Whether somebody failed in the turn that this run began, and the discussion is to stop at the first failure
/// (`continue_on_provider_failure=false`): nobody else is asked and paid. The next run goes on.
pub(super) fn has_failed_now(snapshot: &Snapshot, started_with: usize) -> bool {
    let state = &snapshot.state;
    let Some(turn) = state.unfinished().filter(|_| state.turns.len() > started_with) else {
        return false;
    };
    let failed = |outcome: &Outcome| matches!(outcome, Outcome::Failed { .. });
    snapshot.config.stops_at_failure && turn.outcomes.iter().any(|(_, outcome)| failed(outcome))
}

/// Whom to ask in an unfinished turn: a wave at once, or the next in order.
fn ask(snapshot: &Snapshot, turn: &Turn) -> Step {
    let models: Vec<Alias> =
        turn.missing().filter(|alias| snapshot.config.is_model(alias)).cloned().collect();
    if models.is_empty() {
        return Step::Stop(Stop::Waiting(turn.missing().cloned().collect()));
    }
    let sequential = snapshot.template().phases[turn.phase].order == Order::Sequential;
    let first = &models[0];
    let wave = snapshot.waves(turn).find(|wave| wave.contains(first)).unwrap_or_default();
    let is_now = |alias: &Alias| if sequential { alias == first } else { wave.contains(alias) };
    Step::Ask(models.iter().filter(|alias| is_now(alias)).cloned().collect())
}

/// Turn numbers go on counting, whatever a merge repeated.
fn next_number(snapshot: &Snapshot) -> u32 {
    snapshot.state.turns.iter().map(|turn| turn.line.number).max().unwrap_or(0).saturating_add(1)
}

/// Those who were not left out by a failure in this run that asking again does not mend; the next one asks them again,
/// since people log in, pay, and switch providers.
fn willing(snapshot: &Snapshot, speakers: Vec<Alias>, started_with: usize) -> Vec<Alias> {
    let state = &snapshot.state;
    let left_out = |alias: &Alias| state.left_out(alias) && state.failed_since(alias, started_with);
    speakers.into_iter().filter(|alias| !left_out(alias)).collect()
}

/// Participants who are called and for whom a model speaks, in the order of their calls.
fn called(snapshot: &Snapshot, which: impl Fn(&PendingMention) -> bool) -> Vec<Alias> {
    let mut known = HashSet::new();
    let pending = snapshot.state.pending.iter().filter(|mention| which(mention));
    let aliases = pending.filter_map(|mention| mention.whom.alias());
    let models = aliases.filter(|alias| snapshot.config.is_model(alias) && known.insert(*alias));
    models.cloned().collect()
}

/// The turn of those who were called; none while nobody is.
pub(super) fn for_mentions(snapshot: &Snapshot, started_with: usize) -> Option<Step> {
    let asks = willing(snapshot, called(snapshot, |_| true), started_with);
    calls_line(snapshot, asks).map(Step::open)
}

/// Where too few answered the last round: ask again once, in a later run; else stop.
pub(super) fn too_few(snapshot: &Snapshot, spared: usize, started_with: usize) -> Option<Step> {
    let state = &snapshot.state;
    let here: Vec<(usize, &Turn)> = {
        let visit = state.place.number();
        state.turns.iter().enumerate().filter(|(_, turn)| turn.visit == visit).collect()
    };
    let round = here.iter().rposition(|(_, turn)| turn.is_round)?;
    let group: Vec<&(usize, &Turn)> =
        here[round..].iter().filter(|(_, turn)| turn.is_round || turn.line.again).collect();
    let asked = &group.first()?.1.line.asks;
    // A text that somebody else wrote is a text; nothing to say is none, nor is it a rating.
    let stands_in = snapshot.phase().stand_in != StandIn::Nobody;
    let passes = !stands_in && snapshot.takes_a_pass(snapshot.state.place.phase());
    let counts = |outcome: &Outcome| match outcome {
        Outcome::Answered(said) => {
            state.said.get(*said).is_none_or(|said| snapshot.holds_what_is_required(said))
        }
        Outcome::Passed => passes,
        Outcome::Failed { .. } => false,
    };
    let answered: BTreeSet<&Alias> = group
        .iter()
        .flat_map(|(_, turn)| &turn.outcomes)
        .filter(|(_, outcome)| counts(outcome))
        .map(|(alias, _)| alias)
        .collect();
    // Who spoke before and has no part in this turn takes part in the discussion all the same (INV-DISC-101).
    let known: BTreeSet<&Alias> = asked.iter().collect();
    let elsewhere = snapshot.config.participants.iter().filter(|alias| {
        !known.contains(alias)
            && !state.left_out(alias)
            && state.last_said(&Speaker::Persona((*alias).clone())).is_some()
    });
    let needed = snapshot.config.min_answers.saturating_sub(elsewhere.count()).max(1);
    let failed = group
        .iter()
        .flat_map(|(_, turn)| &turn.outcomes)
        .any(|(who, outcome)| matches!(outcome, Outcome::Failed { .. }) && !answered.contains(who));
    let stopped = snapshot.config.stops_at_failure && failed;
    if !stopped && answered.len() + spared >= needed.min(asked.len()) {
        return None;
    }
    if stands_in && let Some(next) = stand_in(snapshot, &group, started_with) {
        return Some(Step::open(TurnLine {
            number: next_number(snapshot),
            asks: vec![next],
            again: true,
            ..TurnLine::default()
        }));
    }
    let failed: Vec<Alias> =
        asked.iter().filter(|alias| !answered.contains(alias)).cloned().collect();
    let again = willing(snapshot, failed, started_with);
    let (last, _) = group.last()?;
    if *last < started_with && !again.is_empty() {
        return Some(Step::open(TurnLine {
            number: next_number(snapshot),
            asks: again,
            again: true,
            ..TurnLine::default()
        }));
    }
    Some(Step::Stop(Stop::TooFew))
}

/// The next who may take over and has not tried yet.
fn stand_in(snapshot: &Snapshot, group: &[&(usize, &Turn)], started_with: usize) -> Option<Alias> {
    let tried: BTreeSet<&Alias> = group.iter().flat_map(|(_, turn)| &turn.line.asks).collect();
    let able = willing(snapshot, snapshot.stand_ins(), started_with);
    able.into_iter().find(|alias| !tried.contains(alias))
}

/// Who of `first` is still to answer in the turn before these are asked: at once means unseen, so anybody of the turn; in an
/// order, whoever stands before them.
pub(crate) fn awaited_first(snapshot: &Snapshot, asked: &[Alias], first: &[String]) -> Vec<Alias> {
    let Some(turn) = snapshot.state.unfinished() else { return Vec::new() };
    let is_awaited = |alias: &&Alias| first.iter().any(|word| word == alias.as_str());
    let missing = turn.missing();
    match snapshot.template().phases[turn.phase].order {
        Order::Sequential => {
            missing.take_while(|alias| !asked.contains(alias)).filter(is_awaited).cloned().collect()
        }
        Order::Parallel => missing.filter(is_awaited).cloned().collect(),
    }
}

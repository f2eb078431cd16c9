//! Which turn comes next, and who is missing in the last one.

use std::collections::{BTreeSet, HashSet};

use super::snapshot::Snapshot;
use super::step::{Step, Stop};
use crate::state::{Outcome, Speaker, Turn};
use crate::template::Order;
use crate::transcript::{Alias, TurnLine};

/// What somebody asked for when they started a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnRequest {
    /// Whom; empty: whom the phase says.
    pub named: Vec<Alias>,
    /// The question, which is written as the asker's own comment first.
    pub ask: Option<String>,
}

/// How a request is met.
#[derive(Clone, Debug, PartialEq)]
pub enum Continue {
    /// The last turn is not over: these are asked in it.
    Last(Vec<Alias>),
    /// A new turn begins.
    New(TurnLine),
    /// Nobody is to be asked.
    Nobody,
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
    }
    match turn_line(snapshot, request) {
        Some(line) => Continue::New(line),
        None => Continue::Nobody,
    }
}

/// The line of the next turn, without its time: the named ones, else the phase's speakers, else whoever is mentioned.
pub(super) fn turn_line(snapshot: &Snapshot, request: &TurnRequest) -> Option<TurnLine> {
    let phase = snapshot.state.place.phase();
    let mut line =
        TurnLine { number: next_number(snapshot), ask: request.ask.clone(), ..TurnLine::default() };
    if !request.named.is_empty() {
        line.asks = request.named.clone();
    } else if snapshot.template().phases[phase].speakers.is_mentioned() {
        line.asks = mentioned(snapshot);
    } else {
        line.asks = willing(snapshot, snapshot.config.speakers(phase));
    }
    (!line.asks.is_empty()).then_some(line)
}

/// What the last turn still needs; none when it is over.
pub fn ask_unfinished(snapshot: &Snapshot) -> Option<Step> {
    still_missing(snapshot, &snapshot.spared())
}

/// As [`ask_unfinished`], where it is known whose votes can change nothing any more.
pub(super) fn still_missing(snapshot: &Snapshot, spared: &[Alias]) -> Option<Step> {
    let turn = snapshot.state.unfinished()?;
    spared.is_empty().then(|| ask(snapshot, turn))
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

/// Turn numbers go on counting, whatever a merge repeated.
fn next_number(snapshot: &Snapshot) -> u32 {
    snapshot.state.turns.iter().map(|turn| turn.line.number).max().unwrap_or(0).saturating_add(1)
}

/// Those who were not left out by a failure that asking again does not mend.
fn willing(snapshot: &Snapshot, speakers: Vec<Alias>) -> Vec<Alias> {
    speakers.into_iter().filter(|alias| !snapshot.state.left_out(alias)).collect()
}

/// Participants with pending mentions for whom a model speaks, in the order of their mentions.
fn mentioned(snapshot: &Snapshot) -> Vec<Alias> {
    let (mut aliases, mut known) = (Vec::new(), HashSet::new());
    for mention in &snapshot.state.pending {
        if let Speaker::Persona(alias) = &mention.whom
            && snapshot.config.is_model(alias)
            && known.insert(alias)
        {
            aliases.push(alias.clone());
        }
    }
    willing(snapshot, aliases)
}

/// The turn of those who were mentioned; none while nobody is.
pub(super) fn for_mentions(snapshot: &Snapshot) -> Option<Step> {
    let asks = mentioned(snapshot);
    (!asks.is_empty()).then(|| {
        Step::open(TurnLine {
            number: next_number(snapshot),
            asks,
            mentions: true,
            ..TurnLine::default()
        })
    })
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
    let stands_in = snapshot.template().phases[state.place.phase()].stand_in;
    // A text that somebody else wrote is a text; nothing to say is none.
    let counts = |outcome: &Outcome| match outcome {
        Outcome::Answered(said) => {
            state.said.get(*said).is_none_or(|said| snapshot.holds_what_is_required(said))
        }
        Outcome::Passed => !stands_in,
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
    if stands_in && let Some(next) = stand_in(snapshot, &group) {
        return Some(Step::open(TurnLine {
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
        return Some(Step::open(TurnLine {
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

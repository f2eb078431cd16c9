//! Which turn comes next, and who is missing in the last one.

use std::collections::HashSet;

use super::snapshot::Snapshot;
use crate::state::Speaker;
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
pub fn turn_line(snapshot: &Snapshot, request: &TurnRequest) -> Option<TurnLine> {
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

/// Turn numbers go on counting, whatever a merge repeated.
pub(super) fn next_number(snapshot: &Snapshot) -> u32 {
    snapshot.state.turns.iter().map(|turn| turn.line.number).max().unwrap_or(0).saturating_add(1)
}

/// Those who were not left out by a failure that asking again does not mend.
pub(super) fn willing(snapshot: &Snapshot, speakers: Vec<Alias>) -> Vec<Alias> {
    speakers.into_iter().filter(|alias| !snapshot.state.left_out(alias)).collect()
}

/// Participants with pending mentions for whom a model speaks, in the order of their mentions.
pub(super) fn mentioned(snapshot: &Snapshot) -> Vec<Alias> {
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

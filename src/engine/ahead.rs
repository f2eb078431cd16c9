//! Whom a run that goes on by itself may still ask, where everybody is asked once.

use std::collections::BTreeSet;

use super::child::{ChildStep, reported};
use super::decision::Status;
use super::next::next_at_once;
use super::snapshot::{Snapshot, SnapshotError};
use super::step::Step;
use crate::transcript::{
    Alias, ChildEnd, ChildLine, Control, Draft, Name, NewComment, Reply, append, parse,
};

/// Steps between two calls, at the most: phases that nobody speaks in, turns' lines.
const BETWEEN: usize = 40;

/// Everybody whom a run may still ask, once for every call, in the order of the phases: as many as there can be, though
/// conditions may leave some out. It ends where a person ends a phase.
///
/// # Errors
/// When an expression of the template fails.
pub(crate) fn ahead(snapshot: &Snapshot) -> Result<Vec<Alias>, SnapshotError> {
    let mut asked = Vec::new();
    if snapshot.state.closed {
        return Ok(asked);
    }
    let here = snapshot.state.place.phase();
    let template = snapshot.template();
    for index in reachable(snapshot, here) {
        let phase = &template.phases[index];
        let entered = snapshot.state.place.entered[index];
        let visits = snapshot.number(&phase.visits)?.saturating_sub(entered);
        let rounds = snapshot.number(&phase.rounds)?;
        let begun = if index == here { rounds.min(turns_begun(snapshot)) } else { rounds };
        let open = if index == here { rounds - begun } else { 0 };
        let once: Vec<Alias> = match phase.speakers.is_mentioned() {
            true => snapshot.config.seats().cloned().collect(),
            false => {
                let listeners = snapshot.config.listeners(index).iter().cloned();
                snapshot.config.speakers(index).into_iter().chain(listeners).collect()
            }
        };
        let models = once.into_iter().filter(|alias| snapshot.config.is_model(alias));
        let models: Vec<Alias> = models.collect();
        for _ in 0..u64::from(open) + u64::from(visits) * u64::from(rounds) {
            asked.extend(models.iter().cloned());
        }
    }
    // Of a turn that is not over only those are asked who are missing.
    if let Some(turn) = snapshot.state.unfinished() {
        asked.extend(turn.missing().filter(|alias| snapshot.config.is_model(alias)).cloned());
    }
    Ok(asked)
}

/// How many calls a run makes where nobody objects or calls anybody, and all vote for the first option: the course of the
/// template with such answers, played on the text alone. Never more than `most`.
///
/// # Errors
/// When an expression of the template fails.
pub(crate) fn ahead_in_agreement(snapshot: &Snapshot, most: usize) -> Result<usize, SnapshotError> {
    let (mut now, mut calls) = (snapshot.clone(), 0);
    let began = snapshot.state.turns.len();
    for _ in 0..BETWEEN.saturating_mul(most) {
        let drafts = match next_at_once(&now, began)? {
            Step::Write(drafts) => drafts,
            Step::Ask(asked) => {
                calls += asked.len();
                asked.iter().filter_map(|alias| agrees(&now, alias)).collect()
            }
            Step::Child(child) => within(&now, child),
            Step::Tool(_) => reported("It ran.".to_owned()).into_iter().collect(),
            Step::Stop(_) => break,
        };
        if calls >= most || drafts.is_empty() {
            break;
        }
        let text = &now.transcript.text;
        let appended = append(text, &drafts);
        now = Snapshot::new(parse(format!("{text}{appended}")), now.config.clone());
    }
    Ok(calls.min(most))
}

/// A discussion within this one that is over at once: what it takes is told of itself.
fn within(snapshot: &Snapshot, child: ChildStep) -> Vec<Draft> {
    let begun = match child {
        ChildStep::On(_) => None,
        ChildStep::Open(spec) => {
            let name = format!("within/{}.md", snapshot.state.children.len());
            let (turn, by) = (spec.turn, spec.by);
            name.parse().ok().map(|file| ChildLine { turn, by, file, at: None })
        }
    };
    let open = snapshot.state.open_child().map(|child| child.line.file.clone());
    let Some(file) = begun.as_ref().map(|line| line.file.clone()).or(open) else {
        return Vec::new();
    };
    let status = Status::Consensus.as_str().to_owned();
    let end = Control::ChildEnd(ChildEnd { file, calls: 0, usd: None, status });
    let begun = begun.map(|line| Draft::Control(Control::Child(line)));
    let said = reported("It is decided.".to_owned());
    begun.into_iter().chain([Draft::Control(end)]).chain(said).collect()
}

/// What somebody says who agrees.
fn agrees(snapshot: &Snapshot, alias: &Alias) -> Option<Draft> {
    let name = Name::parse(snapshot.config.name_of(alias)).ok()?;
    let turn = snapshot.state.turns.last().map(|turn| turn.line.number);
    let phase = snapshot.state.place.phase();
    let vote = snapshot.config.options[phase].first().filter(|_| snapshot.phase().voting_mode);
    let reply = Some(Box::new(Reply { turn, ..Reply::default() }));
    let said = NewComment { reply, vote: vote.cloned(), ..NewComment::by(name, "I agree.") };
    Some(Draft::Comment(said))
}

/// Phases that a run may come to, this one too, in the template's order.
fn reachable(snapshot: &Snapshot, here: usize) -> BTreeSet<usize> {
    let phases = &snapshot.template().phases;
    let (mut known, mut new) = (BTreeSet::new(), vec![here]);
    while let Some(index) = new.pop() {
        if !known.insert(index) || phases[index].auto_trigger.is_none() {
            continue;
        }
        let named = phases[index].next.iter();
        let named = named.filter_map(|id| phases.iter().position(|phase| phase.id == *id));
        new.extend(named.chain(index + 1..phases.len()));
    }
    known
}

/// Rounds of this visit that have begun.
fn turns_begun(snapshot: &Snapshot) -> u32 {
    let rounds = snapshot.state.turns_here().filter(|turn| turn.is_round).count();
    u32::try_from(rounds).unwrap_or(u32::MAX)
}

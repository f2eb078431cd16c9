//! The maximum and an estimate of the calls that a run can still make, without retries and repair requests.

use std::collections::BTreeSet;

use super::child::{ChildStep, reported};
use super::consensus::DecisionStatus;
use super::next::{Step, next_at_once};
use super::snapshot::{Snapshot, SnapshotError};
use crate::transcript::{
    Alias, ChildEnd, ChildLine, Control, Draft, Name, NewComment, ReplyLine, append, parse,
};

/// Maximum number of steps between two calls, for example phases without speakers or control lines of turns.
const BETWEEN: usize = 40;

/// Returns the participants that a run may still call, one entry per call, in the order of the phases. This is the
/// maximum: conditions may skip some calls. The list ends at the first phase that a person has to end.
///
/// # Errors
/// Fails if an expression of the template fails.
pub(crate) fn max_calls(snapshot: &Snapshot) -> Result<Vec<Alias>, SnapshotError> {
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
        let once: Vec<Alias> = if phase.speakers.is_mentioned() {
            snapshot.config.seats().cloned().collect()
        } else {
            let listeners = snapshot.config.listeners(index).iter().cloned();
            snapshot.config.speakers(index).into_iter().chain(listeners).collect()
        };
        let models = once.into_iter().filter(|alias| snapshot.config.is_model(alias));
        let models: Vec<Alias> = models.collect();
        for _ in 0..u64::from(open) + u64::from(visits) * u64::from(rounds) {
            asked.extend(models.iter().cloned());
        }
    }
    // In the unfinished turn, only the participants without an answer are called.
    if let Some(turn) = snapshot.state.unfinished() {
        asked.extend(turn.missing().filter(|alias| snapshot.config.is_model(alias)).cloned());
    }
    Ok(asked)
}

/// Counts the calls of a run in which all participants vote for the first option, raise no concern
/// and mention no participant. Simulates the template with these answers, without any file. Returns
/// at most `most`.
///
/// # Errors
/// Fails if an expression of the template fails.
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
            Step::Child(child) => simulate_child(&now, child),
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

/// Returns the lines of a sub-discussion that ends at once. The calls of the sub-discussion are not
/// counted here, because it has its own estimate.
fn simulate_child(snapshot: &Snapshot, child: ChildStep) -> Vec<Draft> {
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
    let status = DecisionStatus::Consensus.as_str().to_owned();
    let end = Control::ChildEnd(ChildEnd { file, calls: 0, usd: None, status });
    let begun = begun.map(|line| Draft::Control(Control::Child(line)));
    let said = reported("It is decided.".to_owned());
    begun.into_iter().chain([Draft::Control(end)]).chain(said).collect()
}

/// Returns the comment of a participant that agrees.
fn agrees(snapshot: &Snapshot, alias: &Alias) -> Option<Draft> {
    let name = Name::parse(snapshot.config.name_of(alias)).ok()?;
    let turn = snapshot.state.turns.last().map(|turn| turn.line.number);
    let phase = snapshot.state.place.phase();
    let vote = snapshot.config.options[phase].first().filter(|_| snapshot.phase().voting_mode);
    let reply = Some(Box::new(ReplyLine { turn, ..ReplyLine::default() }));
    let said = NewComment { reply, vote: vote.cloned(), ..NewComment::by(name, "I agree.") };
    Some(Draft::Comment(said))
}

/// Returns the indices of the phases that a run may still reach, with the current one, in the template's order.
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

/// Counts the rounds of the current phase visit that have begun.
fn turns_begun(snapshot: &Snapshot) -> u32 {
    let rounds = snapshot.state.turns_here().filter(|turn| turn.is_round).count();
    u32::try_from(rounds).unwrap_or(u32::MAX)
}

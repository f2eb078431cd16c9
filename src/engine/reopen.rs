//! Repeats a ballot that ended without consensus, if a person has commented since.

use super::phase::advance_to;
use super::snapshot::Snapshot;
use super::step::Step;
use crate::state::{DiscussionConfig, State, Tally, fold_watched};
use crate::template::DecidedBy;

impl Snapshot {
    /// Returns true if all voters took part in a ballot and it ended without consensus.
    pub fn ended_without_consensus(&self) -> bool {
        ballot_failed(&self.state, &self.config)
    }

    /// Returns true if a ballot ended without a single vote.
    pub(crate) fn nobody_voted(&self) -> bool {
        let ballot = self.state.deciding(&self.config).map(|(ballot, _)| ballot);
        ballot.is_some_and(|ballot| ballot.votes.is_empty()) && self.ended_without_consensus()
    }
}

/// Returns true if all voters took part in the deciding ballot and it ended without consensus.
fn ballot_failed(state: &State, config: &DiscussionConfig) -> bool {
    let Some((ballot, phase)) = state.deciding(config) else { return false };
    if config.rules.method.decided_by() != DecidedBy::Votes {
        return false;
    }
    let tally = Tally::of(ballot, config, &config.options[phase]);
    tally.missing.is_empty()
        && !tally.carries
        && !tally.human_required
        && state.turns.iter().any(|turn| turn.phase == phase)
}

/// Repeats the ballot's phase if it has no votes. A run never repeats its own ballot.
pub(super) fn empty_ballot_again(snapshot: &Snapshot, started_with: usize) -> Option<Step> {
    let (state, config) = (&snapshot.state, &snapshot.config);
    // A sub-discussion never repeats its ballot: if the parent's run was killed before it recorded the result, the
    // next run records this result.
    let is_child = snapshot.transcript.head.as_ref().is_some_and(|head| head.parent.is_some());
    if is_child || !snapshot.nobody_voted() || state.turns.len() > started_with {
        return None;
    }
    let (_, phase) = state.deciding(config)?;
    Some(Step::Write(advance_to(snapshot, phase, None)))
}

/// Repeats the ballot's phase if a person has commented since it ended. The new phase line carries that person's name,
/// so that phases after the ballot can be entered again too.
pub(super) fn reopened(snapshot: &Snapshot) -> Option<Step> {
    let (state, config) = (&snapshot.state, &snapshot.config);
    if !ballot_failed(state, config) {
        return None;
    }
    let (_, phase) = state.deciding(config)?;
    let round = state.turns.iter().rfind(|turn| turn.phase == phase && turn.is_round)?;
    let free =
        |said: &&crate::state::CommentFacts| said.turn.is_none() && config.is_person(&said.speaker);
    let last = state.said.iter().rfind(free).filter(|said| said.entry > round.entry)?;
    let mut was_over = false;
    fold_watched(&snapshot.transcript, config, |index, state| {
        if index + 1 == last.entry {
            was_over = state.unfinished().is_none() && ballot_failed(state, config);
        }
    });
    was_over.then(|| Step::Write(advance_to(snapshot, phase, Some(last.name.to_string()))))
}

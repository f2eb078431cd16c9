//! What the votes came to, and whose positions they were.

use super::Builder;
use crate::state::Said;
use crate::template::{DecidedBy, StandIn};
use crate::transcript::Alias;
use crate::view::result::discussion::{
    Ballot, ConsensusPart, Dissent, FinalConsensus, VotingResults,
};

impl Builder<'_> {
    pub(super) fn voting(&self) -> Option<VotingResults> {
        let (ballot, _) = self.snapshot.state.deciding(&self.snapshot.config)?;
        let winner = self.decision.tally.outcome.as_ref().filter(|_| !self.decision.tally.tied);
        let said = &self.snapshot.state.said;
        Some(VotingResults {
            winner: winner.map(ToString::to_string).unwrap_or_default(),
            tied: self.decision.tally.tied,
            votes: self
                .decision
                .tally
                .shares
                .iter()
                .map(|share| (share.choice.to_string(), share.votes))
                .collect(),
            weighted_votes: self
                .decision
                .tally
                .shares
                .iter()
                .map(|share| (share.choice.to_string(), round(share.weighted)))
                .collect(),
            ballots: ballot
                .votes
                .iter()
                .map(|vote| Ballot {
                    provider: vote.speaker.handle().to_owned(),
                    vote: vote.choice.to_string(),
                    confidence: vote.confidence.unwrap_or(0.5),
                    reason: vote
                        .said
                        .and_then(|at| said.get(at))
                        .map(|said| self.body(said))
                        .unwrap_or_default(),
                })
                .collect(),
        })
    }

    pub(super) fn consensus_part(&self) -> ConsensusPart {
        let method = self.snapshot.config.rules.method;
        let writer =
            self.snapshot.state.said.iter().rev().find(|said| {
                self.snapshot.template().phases[said.phase].stand_in == StandIn::Neutral
            });
        let by_text = method.decided_by() != DecidedBy::Votes;
        ConsensusPart {
            method: method.as_str(),
            synthesizer: writer.map(|said| said.speaker.handle().to_owned()),
            agreement_score: self.decision.tally.agreement.map(round),
            reached: self.decision.reached,
            degraded: self.decision.tally.degraded || !self.failed().is_empty(),
            dissent: self.dissent(by_text),
        }
    }

    /// Votes against the outcome; where the text is the outcome, votes that are not for going ahead.
    fn dissent(&self, by_text: bool) -> Vec<Dissent> {
        let state = &self.snapshot.state;
        let ballot =
            state.deciding(&self.snapshot.config).map_or(&state.ballot, |(ballot, _)| ballot);
        let first = self.snapshot.config.options[state.place.phase()].first();
        let majority = self.decision.tally.outcome.as_ref().or(first.filter(|_| by_text));
        // Where nothing prevailed, every position stands.
        let against = ballot.votes.iter().filter(|vote| majority != Some(&vote.choice));
        let noted = self.snapshot.noted_dissent().into_iter();
        let noted = noted.map(|(provider, position)| Dissent { provider, position });
        against
            .map(|vote| {
                let reason = vote
                    .said
                    .and_then(|at| state.said.get(at))
                    .map(|said| self.body(said))
                    .unwrap_or_default();
                Dissent {
                    provider: vote.speaker.handle().to_owned(),
                    position: format!("{}: {reason}", vote.choice),
                }
            })
            .chain(noted)
            .collect()
    }

    pub(super) fn final_consensus(&self, synthesis: &Option<String>) -> Option<FinalConsensus> {
        let solution = synthesis.as_ref().filter(|_| self.decision.reached)?;
        // Contributions are told of templates for exactly two.
        let two = self.snapshot.template().participants.max == Some(2);
        let [a, b] = self.snapshot.config.participants.as_slice() else { return None };
        if !two {
            return None;
        }
        let voting = |said: &Said| self.snapshot.template().phases[said.phase].voting_mode;
        let last = |alias: &Alias| {
            let said = self
                .snapshot
                .state
                .said
                .iter()
                .rev()
                .find(|said| said.speaker.alias() == Some(alias) && !voting(said));
            said.map(|said| self.body(said)).unwrap_or_default()
        };
        Some(FinalConsensus {
            solution: solution.clone(),
            achieved_at_round: self.snapshot.state.round.max(1),
            model_a_contribution: last(a),
            model_b_contribution: last(b),
        })
    }
}

/// Six digits behind the point are enough, and the same on every machine.
fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

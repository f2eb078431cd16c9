//! The results of votes, and the authors of the positions.

use super::Builder;
use crate::state::{CommentFacts, Vote};
use crate::template::Substitute;
use crate::transcript::{Alias, Marker};
use crate::view::reason::{first_sentence, reason_of};
use crate::view::result::discussion::{
    Ballot, ConsensusPart, Dissent, FinalConsensus, VotingResults,
};
use crate::view::result::text_review::TextReview;

impl Builder<'_> {
    pub(super) fn voting(&self) -> Option<VotingResults> {
        let (ballot, _) = self.snapshot.state.deciding(&self.snapshot.config)?;
        let tally = &self.decision.tally;
        let winner = tally.outcome.as_ref().filter(|_| !tally.tied || tally.tie_broken);
        Some(VotingResults {
            winner: winner.map(ToString::to_string).unwrap_or_default(),
            tied: tally.tied,
            tie_broken_by: self.writer().filter(|_| tally.tie_broken),
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
                    reason: reason_of(self.snapshot, vote),
                    solution: self.solution(vote),
                })
                .collect(),
        })
    }

    /// Returns the solution that a participant proposed with a vote.
    fn solution(&self, vote: &Vote) -> Option<String> {
        let said = self.snapshot.state.said.get(vote.said?)?;
        let mark = said.marks.iter().find(|mark| mark.marker == Marker::Solution)?;
        Some(mark.text.clone())
    }

    pub(super) fn consensus_part(&self, review: &TextReview) -> ConsensusPart {
        let method = self.snapshot.config.rules.method;
        ConsensusPart {
            method: method.as_str(),
            synthesizer: self.writer(),
            agreement_score: self.decision.tally.agreement.map(round),
            reached: self.decision.reached,
            degraded: self.decision.tally.degraded || !self.failed().is_empty(),
            dissent: self.dissent(review),
        }
    }

    /// Returns the participant that wrote the final text.
    fn writer(&self) -> Option<String> {
        let (phases, state) = (&self.snapshot.template().phases, &self.snapshot.state);
        let written = |said: &&CommentFacts| {
            phases[said.phase].stand_in == Substitute::Neutral && state.was_asked_for(said)
        };
        let said = state.said.iter().rev().find(written).or_else(|| {
            let last = self.snapshot.last_text(self.snapshot.transcript.text.len());
            last.filter(|said| phases[said.phase].decides())
        });
        said.map(|said| said.speaker.handle().to_owned())
    }

    /// Returns the votes against the outcome, the objections that its author noted, and the declined findings.
    fn dissent(&self, review: &TextReview) -> Vec<Dissent> {
        let position = |vote: &Vote| {
            let reason = first_sentence(&reason_of(self.snapshot, vote));
            format!("{}: {reason}", vote.choice).trim_end_matches([' ', ':']).to_owned()
        };
        let noted = self.snapshot.noted_dissent().into_iter();
        let noted = noted.map(|(provider, position, line)| Dissent { provider, position, line });
        let declined = review.declined().filter(|_| self.snapshot.config.include_dissent);
        let declined = declined.map(|one| Dissent {
            provider: one.by.clone(),
            position: one.position(),
            line: one.line,
        });
        let all = self.against().into_iter().chain(self.against_afterwards());
        all.into_iter()
            .map(|vote| Dissent {
                provider: vote.speaker.handle().to_owned(),
                position: position(vote),
                line: self.place(vote),
            })
            .chain(noted)
            .chain(declined)
            .collect()
    }

    pub(super) fn final_consensus(&self, synthesis: &Option<String>) -> Option<FinalConsensus> {
        let solution = synthesis.as_ref().filter(|_| self.decision.reached)?;
        // The result has fields for two contributions, so this part exists only for templates for two participants.
        let two = self.snapshot.template().participants.max == Some(2);
        let [a, b] = self.snapshot.config.participants.as_slice() else { return None };
        if !two {
            return None;
        }
        let voting = |said: &CommentFacts| self.snapshot.template().phases[said.phase].voting_mode;
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

/// Rounds to six decimal places, which is precise enough and gives equal results on every machine.
fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

//! The answers of each round, the results of votes, and the authors of the positions.

use std::collections::{BTreeMap, HashMap};

use indexmap::IndexMap;

use super::{Builder, stamp};
use crate::engine::first_sentence;
use crate::state::{CommentFacts, Speaker, Turn, Vote};
use crate::template::{Order, Substitute};
use crate::transcript::{Alias, Control, EntryKind, Failed, Marker};
use crate::view::result::discussion::{
    Ballot, ConsensusPart, Dissent, EarlierBallot, FinalConsensus, Response, Round, VotingResults,
};
use crate::view::result::text_review::TextReview;
use crate::view::sentence::reason_of;

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
                    confidence: vote.counted_confidence(&self.snapshot.config),
                    reason: reason_of(self.snapshot, vote),
                    solution: self.solution(vote),
                    unreadable: !vote.is_stated(),
                })
                .collect(),
        })
    }

    /// Returns the votes of each turn of a ballot; nothing if there was only one.
    pub(super) fn ballot_history(&self) -> Vec<EarlierBallot> {
        let state = &self.snapshot.state;
        let mut ballots: BTreeMap<usize, EarlierBallot> = BTreeMap::new();
        for said in &state.said {
            let Some((index, turn)) =
                said.turn.and_then(|index| Some((index, state.turns.get(index)?)))
            else {
                continue;
            };
            let phase = &self.snapshot.template().phases[turn.phase];
            if !phase.voting_mode || turn.line.is_aside() {
                continue;
            }
            let Some(choice) = said.vote.as_ref().or(phase.no_vote_is.as_ref()) else { continue };
            let ballot = ballots.entry(index).or_insert_with(|| EarlierBallot {
                turn: turn.line.number,
                round: turn.round,
                phase: phase.id.clone(),
                votes: IndexMap::new(),
                unreadable: Vec::new(),
            });
            let voter = said.speaker.handle().to_owned();
            if said.vote.is_none() {
                ballot.unreadable.push(voter.clone());
            }
            ballot.votes.insert(voter, choice.to_string());
        }
        if ballots.len() > 1 { ballots.into_values().collect() } else { Vec::new() }
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
            blocked_by: self.decision.tally.blocked_by.clone(),
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

impl Builder<'_> {
    pub(super) fn rounds(&self) -> Vec<Round> {
        let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
        let state = &self.snapshot.state;
        for said in state.said.iter().filter(|said| said.speaker.counts()) {
            // A comment before the first round belongs to the first round.
            let number = said.round.max(1);
            let round = rounds
                .entry(number)
                .or_insert_with(|| Round { round_number: number, ..Round::default() });
            if self.snapshot.template().phases[said.phase].is_summary {
                round.summary = Some(self.body(said));
            }
            round.responses.push(self.response(said, number));
        }
        for (asked_in, failed) in self.failed_calls() {
            let turn = asked_in.and_then(|index| state.turns.get(index));
            let number = turn.map_or(1, |turn| turn.round.max(1));
            let round = rounds
                .entry(number)
                .or_insert_with(|| Round { round_number: number, ..Round::default() });
            round.responses.push(Response {
                provider: failed.who.to_string(),
                round: number,
                phase: turn.map_or_else(String::new, |turn| self.phase(turn.phase)),
                role: self.role(&Speaker::Persona(failed.who.clone())),
                timestamp: failed.at.map(stamp),
                duration_ms: failed.spent.ms.unwrap_or(0),
                error: Some(format!("{}: {}", failed.code, failed.message)),
                ..Response::default()
            });
        }
        for (turn, took) in state.turns.iter().zip(self.turn_durations()) {
            if let Some(round) = rounds.get_mut(&turn.round.max(1)) {
                round.duration_ms += took;
            }
        }
        rounds.into_values().collect()
    }

    /// Returns the calls that failed, each with the index of the turn that asked for it.
    fn failed_calls(&self) -> Vec<(Option<usize>, &Failed)> {
        let mut turns = self.snapshot.state.turns.iter().enumerate().peekable();
        let mut last: HashMap<&Alias, usize> = HashMap::new();
        let mut calls = Vec::new();
        for entry in &self.snapshot.transcript.entries {
            let EntryKind::Control(Control::Failed(failed)) = &entry.kind else { continue };
            if failed.was_stopped() {
                continue;
            }
            while let Some((index, turn)) =
                turns.next_if(|(_, turn)| self.line_of(turn.entry) < entry.line)
            {
                last.extend(turn.line.asks.iter().map(|alias| (alias, index)));
            }
            calls.push((last.get(&failed.who).copied(), &**failed));
        }
        calls
    }

    /// Returns the duration of each turn in milliseconds, with that of calls that failed. A turn without calls took
    /// none.
    pub(super) fn turn_durations(&self) -> Vec<u64> {
        let state = &self.snapshot.state;
        let mut times: HashMap<usize, Vec<(&Alias, u64)>> = HashMap::new();
        for said in &state.said {
            if let (Some(turn), Speaker::Persona(alias)) = (said.turn, &said.speaker) {
                times.entry(turn).or_default().push((alias, self.ms(said)));
            }
        }
        for (turn, failed) in self.failed_calls() {
            if let Some(turn) = turn {
                times.entry(turn).or_default().push((&failed.who, failed.spent.ms.unwrap_or(0)));
            }
        }
        let turns = state.turns.iter().enumerate();
        turns
            .map(|(index, turn)| self.took(turn, &times.remove(&index).unwrap_or_default()))
            .collect()
    }

    /// Returns the duration of a turn in milliseconds. For participants that are asked at the same time, the slowest
    /// one counts, with all its calls one after the other.
    fn took(&self, turn: &Turn, times: &[(&Alias, u64)]) -> u64 {
        if self.snapshot.template().phases[turn.phase].order == Order::Sequential {
            return times.iter().map(|(_, ms)| ms).sum();
        }
        let of_one = |alias: &Alias| -> u64 {
            times.iter().filter(|(who, _)| *who == alias).map(|(_, ms)| ms).sum()
        };
        let slowest = |wave: &[Alias]| wave.iter().map(of_one).max().unwrap_or(0);
        self.snapshot.waves(turn).map(slowest).sum()
    }

    fn response(&self, said: &CommentFacts, round: u32) -> Response {
        let reply = self.comment(said).and_then(|comment| comment.reply.clone());
        Response {
            provider: said.speaker.handle().to_owned(),
            content: self.body(said),
            round,
            phase: self.phase(said.phase),
            role: self.role(&said.speaker),
            confidence: said.confidence,
            vote: said.vote.as_ref().map(ToString::to_string),
            tokens: self.tokens(said),
            timestamp: reply.as_ref().and_then(|reply| reply.at).map(stamp),
            duration_ms: self.ms(said),
            error: None,
        }
    }
}

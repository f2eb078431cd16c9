//! Decides which votes count, and records participants that were asked and did not vote.

use super::Fold;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::state::ballot::Vote;
use crate::state::speaker::Speaker;
use crate::template::DecidedBy;
use crate::transcript::{Alias, Comment, Marker};

/// The turn in which a participant gave no vote, and the comment written instead.
pub(super) struct Silence {
    pub(super) turn: usize,
    pub(super) failed: bool,
    pub(super) said: Option<usize>,
}

impl Fold<'_> {
    /// Returns true if a model that answers a turn may vote in its answer. It may not if the turn answers a question
    /// of the user who started it, or if the result is a text and the phase asks for no vote.
    pub(super) fn asks_for_vote(&self, turn: Option<usize>) -> bool {
        let phase = &self.config.template.phases[self.state.place.phase()];
        let by_votes = self.config.rules.method.decided_by() == DecidedBy::Votes;
        let aside = turn.is_some_and(|turn| self.state.turns[turn].line.ask.is_some());
        let invited = phase.voting_mode || phase.asks.contains_key(Marker::Vote.word());
        !aside && (by_votes || invited)
    }

    /// Returns true if a vote counts. `asked` is true if a person cast it, or if a vote was requested.
    pub(super) fn vote_counts(
        &mut self,
        speaker: &Speaker,
        comment: &Comment,
        line: usize,
        asked: bool,
    ) -> bool {
        let seat = speaker.alias().filter(|alias| !self.config.may_vote(alias));
        let why = match (seat, self.state.closed, self.state.ballot_over) {
            _ if matches!(speaker, Speaker::Agent(_)) => {
                format!("`{}` is not a participant here and has no vote", speaker.handle())
            }
            (Some(alias), ..) => {
                format!("`{}` has no vote in this discussion", self.config.name_of(alias))
            }
            _ if !asked => "no vote was requested here".to_owned(),
            (_, true, _) => "the discussion was already closed".to_owned(),
            (.., Some(phase)) => {
                format!("`{}` was already over", self.config.template.phases[phase].title())
            }
            _ => String::new(),
        };
        if !why.is_empty() {
            let message = why + "; the vote is shown but not counted";
            let (code, place) = (ProblemCode::VoteNotCounted, (line, 1));
            self.state.problems.push(Problem::new(Severity::Note, code, place, message));
            return false;
        }
        match &comment.restored {
            None => true,
            // A restored vote counts if it belongs to the current phase, and it never replaces a later vote.
            Some(restored) => {
                let phase = &self.config.template.phases[self.state.place.phase()].id;
                let here = restored.phase.as_deref() == Some(phase);
                let fresh = restored.turn.is_none() || self.highest >= restored.turn;
                here && fresh && self.state.ballot.of(speaker).is_none()
            }
        }
    }

    /// Records that a participant was asked and did not vote. A participant that was only mentioned was not asked for
    /// a vote.
    pub(super) fn silence(&mut self, alias: Alias, Silence { turn, failed, said }: Silence) {
        if !self.live || self.state.turns[turn].line.is_aside() {
            return;
        }
        let speaker = Speaker::Persona(alias.clone());
        if self.state.ballot.of(&speaker).is_some() {
            return;
        }
        let phase = &self.config.template.phases[self.state.place.phase()];
        if let (false, Some(choice), Some(persona)) =
            (failed, &phase.no_vote_is, self.config.persona(&alias))
            && self.config.may_vote(&alias)
        {
            let (name, choice) = (persona.name.clone(), choice.clone());
            let vote = Vote { speaker, name, choice, confidence: Some(0.0), said, line: 0 };
            self.state.ballot.cast(vote);
            return;
        }
        if failed {
            self.state.ballot.failed.insert(alias.clone());
        } else if self.state.ballot.failed.remove(&alias) {
            self.rounds.forget(&alias);
        }
        self.state.ballot.silent.insert(alias);
    }
}

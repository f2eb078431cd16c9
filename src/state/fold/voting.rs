//! Decides which votes count, and records participants that were asked and did not vote.

use super::Fold;
use crate::codes::ProblemCode;
use crate::problem::{Problem, Severity};
use crate::state::speaker::Speaker;
use crate::state::tally::Vote;
use crate::template::DecidedBy;
use crate::transcript::{Alias, Comment, Marker};

/// The turn in which a participant gave no vote, and the comment written instead.
pub(super) struct SilentVoter {
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

    /// Returns the reason why a vote of this speaker does not count here. `asked` is true if a person cast the vote, or
    /// if it was asked for.
    pub(super) fn has_no_vote(&self, speaker: &Speaker, asked: bool) -> Option<String> {
        let seat = speaker.alias().filter(|alias| !self.config.may_vote(alias));
        match seat {
            _ if matches!(speaker, Speaker::Agent(_)) => {
                Some(format!("`{}` is not a participant here and has no vote", speaker.handle()))
            }
            Some(alias) => {
                Some(format!("`{}` has no vote in this discussion", self.config.name_of(alias)))
            }
            None => (!asked).then(|| "no vote was requested here".to_owned()),
        }
    }

    /// Notes that a vote is not counted, and why.
    pub(super) fn not_counted(&mut self, place: (usize, usize), why: &str) {
        let message = format!("{why}; the vote is shown but not counted");
        let code = ProblemCode::VoteNotCounted;
        self.state.problems.push(Problem::new(Severity::Note, code, place, message));
    }

    /// Returns true if a vote counts. `asked` is true if a person cast it, or if a vote was requested.
    pub(super) fn vote_counts(
        &mut self,
        speaker: &Speaker,
        comment: &Comment,
        line: usize,
        asked: bool,
    ) -> bool {
        let why = match (self.has_no_vote(speaker, asked), self.state.ballot_over) {
            (Some(why), _) => Some(why),
            (None, _) if self.state.closed => Some("the discussion was already closed".to_owned()),
            (None, Some(phase)) => {
                Some(format!("`{}` was already over", self.config.template.phases[phase].title()))
            }
            (None, None) => None,
        };
        if let Some(why) = why {
            self.not_counted((line, 1), &why);
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
    pub(super) fn silence(
        &mut self,
        alias: Alias,
        SilentVoter { turn, failed, said }: SilentVoter,
    ) {
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

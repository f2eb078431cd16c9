//! What a state answers when it is asked.

use super::ballot::Ballot;
use super::comment::Said;
use super::discussion_config::DiscussionConfig;
use super::fold::State;
use super::speaker::Speaker;
use super::turn::{Outcome, Turn};
use crate::transcript::{Alias, Choice};

impl State {
    /// The ballot that decides, and its phase.
    pub fn deciding(&self, config: &DiscussionConfig) -> Option<(&Ballot, usize)> {
        let phase = self.place.phase();
        if config.template.phases[phase].voting_mode {
            return Some((&self.ballot, phase));
        }
        self.decided.as_ref().map(|(ballot, phase)| (ballot, *phase))
    }

    /// What may be voted for now: the options of the current phase; where a ballot was left behind, those of that.
    pub fn options<'c>(&self, config: &'c DiscussionConfig) -> &'c [Choice] {
        &config.options[self.ballot_over.unwrap_or(self.place.phase())]
    }

    /// Turns of the current visit.
    pub(crate) fn turns_here(&self) -> impl DoubleEndedIterator<Item = &Turn> {
        let visit = self.place.number();
        let first = self.turns.partition_point(|turn| turn.visit < visit);
        self.turns[first..].iter()
    }

    /// The last turn, when it is one of the current visit and not yet over; else the one that a turn for calls came
    /// between.
    pub fn unfinished(&self) -> Option<&Turn> {
        let mut turns = self.turns_here().rev();
        let over = |turn: &&Turn| turn.missing().next().is_none();
        let last = turns.find(|turn| !over(turn) || !turn.line.is_aside())?;
        (!over(&last)).then_some(last)
    }

    /// Whether a participant's last outcome is a failure that asking again will not mend.
    pub fn left_out(&self, alias: &Alias) -> bool {
        self.last_outcome(alias) == Some(&Outcome::Failed { retryable: false })
    }

    /// What came of a participant in the last turn in which anything did.
    pub(crate) fn last_outcome(&self, alias: &Alias) -> Option<&Outcome> {
        self.turns.get(self.asked.outcome_of(alias)?)?.outcomes.get(alias)
    }

    /// Whether a participant's last outcome is a failure in one of the turns from this one on.
    pub(crate) fn failed_since(&self, alias: &Alias, turn: usize) -> bool {
        let failed = matches!(self.last_outcome(alias), Some(Outcome::Failed { .. }));
        failed && self.asked.outcome_of(alias).is_some_and(|last| last >= turn)
    }

    /// Whether a comment answers a mention or the question of whoever started a turn.
    pub(crate) fn answers_aside(&self, said: &Said) -> bool {
        said.turn.is_some_and(|turn| self.turns[turn].line.is_aside())
    }

    /// Whether a comment is what its phase asked for: an answer of one who was asked, calls aside; in a visit of a phase
    /// that asked nobody, whatever was said.
    pub(crate) fn was_asked_for(&self, said: &Said) -> bool {
        match said.turn {
            Some(turn) => !self.turns[turn].line.is_aside(),
            None => {
                let first = self.turns.partition_point(|turn| turn.visit < said.visit);
                let visit = self.turns[first..].iter().take_while(|turn| turn.visit == said.visit);
                visit.into_iter().all(|turn| turn.line.is_aside())
            }
        }
    }

    /// Index in [`State::said`] of the last that somebody said.
    pub(crate) fn last_said(&self, speaker: &Speaker) -> Option<usize> {
        self.asked.said_by(speaker)
    }
}

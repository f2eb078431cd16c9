//! What a state answers when it is asked.

use super::ballot::Ballot;
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

    /// Options of the current phase.
    pub fn options<'c>(&self, config: &'c DiscussionConfig) -> &'c [Choice] {
        &config.options[self.place.phase()]
    }

    /// Turns of the current visit.
    pub(crate) fn turns_here(&self) -> impl DoubleEndedIterator<Item = &Turn> {
        let visit = self.place.number();
        self.turns.iter().filter(move |turn| turn.visit == visit)
    }

    /// The last turn, when it is one of the current visit and not yet over.
    pub fn unfinished(&self) -> Option<&Turn> {
        let turn = self.turns.last()?;
        (turn.visit == self.place.number() && turn.missing().next().is_some()).then_some(turn)
    }

    /// Whether a participant's last outcome is a failure that asking again will not mend.
    pub fn left_out(&self, alias: &Alias) -> bool {
        self.last_outcome(alias) == Some(&Outcome::Failed { retryable: false })
    }

    /// What came of a participant in the last turn in which anything did.
    pub(crate) fn last_outcome(&self, alias: &Alias) -> Option<&Outcome> {
        self.turns.get(self.asked.outcome_of(alias)?)?.outcomes.get(alias)
    }

    /// Index in [`State::said`] of the last that somebody said.
    pub(crate) fn last_said(&self, speaker: &Speaker) -> Option<usize> {
        self.asked.said_by(speaker)
    }
}

//! Folds the entries of a file into the state of the discussion, as a pure function of the file and
//! its configuration. Also answers queries about a state.

mod children;
mod comment;
mod cost;
mod decisions;
mod discussion_config;
mod fold;
mod item;
mod kind;
#[cfg(test)]
mod laws;
mod lifecycle;
mod mention;
mod plain_items;
mod seats;
#[cfg(test)]
mod sizes;
mod speaker;
mod tally;
mod tolerant;
mod track;
mod turns;
mod typed;

use crate::transcript::{Alias, Choice};
pub use children::{Child, DiscussionRequest};
pub use comment::CommentFacts;
pub use cost::{Cost, ProviderCost};
pub use decisions::StatedDecision;
pub(crate) use decisions::{Statement, Superseded, Withdrawal};
#[cfg(not(discussions_sealed))]
pub use discussion_config::ConsensusRules;
pub use discussion_config::{Defaults, DiscussionConfig, DiscussionConfigError};
pub use fold::State;
pub(crate) use fold::{StatusChange, fold, fold_watched};
pub use item::{Item, ItemStatus, Items};
pub use kind::ItemKind;
#[cfg(test)]
pub(crate) use lifecycle::ReviewDate;
pub(crate) use lifecycle::read_day;
pub use lifecycle::{AffectedFiles, Hindsight, HindsightResult, Lifecycle};
pub use mention::PendingMention;
pub(crate) use seats::Seats;
pub use seats::deal;
pub use speaker::Speaker;
pub(crate) use speaker::{RESERVED_NAME, handles, is_report};
pub use tally::{Ballot, Tally, Vote};
pub(crate) use tally::{is_agreed, settled, stated_agreement};
pub use turns::{FailedCall, Turn, TurnOutcome};
pub use typed::confidence;
pub(crate) use typed::{Typed, is_readable, says_none};

impl State {
    /// Returns the questions, in file order.
    pub fn questions(&self) -> &[Item] {
        self.items.of(ItemKind::Question)
    }

    /// Returns the tasks, in file order.
    pub fn tasks(&self) -> &[Item] {
        self.items.of(ItemKind::Task)
    }

    /// Returns true if a comment states, supports or links decisions, or has notes about one.
    pub(crate) fn has_words_about_decisions(&self) -> bool {
        !self.decisions.is_empty()
            || !self.superseded.is_empty()
            || !self.lifecycle.hindsight.is_empty()
    }

    /// Returns the ballot that decides the outcome, and the phase it belongs to.
    pub fn deciding(&self, config: &DiscussionConfig) -> Option<(&Ballot, usize)> {
        let phase = self.place.phase();
        if config.template.phases[phase].voting_mode {
            return Some((&self.ballot, phase));
        }
        self.decided.as_ref().map(|(ballot, phase)| (ballot, *phase))
    }

    /// Returns the options for votes: those of the current phase, or those of the voting phase that the runner left
    /// last.
    pub fn options<'c>(&self, config: &'c DiscussionConfig) -> &'c [Choice] {
        &config.options[self.ballot_over.unwrap_or(self.place.phase())]
    }

    /// Returns the turns of the current visit.
    pub(crate) fn turns_here(&self) -> impl DoubleEndedIterator<Item = &Turn> {
        let visit = self.place.number();
        let first = self.turns.partition_point(|turn| turn.visit < visit);
        self.turns[first..].iter()
    }

    /// Returns the turn of the current visit that still waits for answers: the last turn, or, if the last turn was
    /// only inserted to answer mentions and is complete, the turn before it.
    pub fn unfinished(&self) -> Option<&Turn> {
        let mut turns = self.turns_here().rev();
        let over = |turn: &&Turn| turn.missing().next().is_none();
        let last = turns.find(|turn| !over(turn) || !turn.line.is_aside())?;
        (!over(&last)).then_some(last)
    }

    /// Returns true if a participant's last outcome is a failure that a retry cannot fix.
    pub fn left_out(&self, alias: &Alias) -> bool {
        self.last_outcome(alias) == Some(&TurnOutcome::Failed { retryable: false })
    }

    /// Returns the last recorded outcome of a participant.
    pub(crate) fn last_outcome(&self, alias: &Alias) -> Option<&TurnOutcome> {
        self.turns.get(self.asked.outcome_of(alias)?)?.outcomes.get(alias)
    }

    /// Returns true if a participant's last outcome is a failure in turn number `turn` or a later one.
    pub(crate) fn failed_since(&self, alias: &Alias, turn: usize) -> bool {
        let failed = matches!(self.last_outcome(alias), Some(TurnOutcome::Failed { .. }));
        failed && self.asked.outcome_of(alias).is_some_and(|last| last >= turn)
    }

    /// Returns true if a comment answers a mention or a question by the user who started the turn.
    pub(crate) fn answers_aside(&self, said: &CommentFacts) -> bool {
        said.turn.is_some_and(|turn| self.turns[turn].line.is_aside())
    }

    /// Returns true if a comment is an answer that its phase asked for, not an answer to a mention. If a visit of a
    /// phase asked no one, every comment in it counts.
    pub(crate) fn was_asked_for(&self, said: &CommentFacts) -> bool {
        match said.turn {
            Some(turn) => !self.turns[turn].line.is_aside(),
            None => {
                let first = self.turns.partition_point(|turn| turn.visit < said.visit);
                let visit = self.turns[first..].iter().take_while(|turn| turn.visit == said.visit);
                visit.into_iter().all(|turn| turn.line.is_aside())
            }
        }
    }

    /// Returns the index in [`State::said`] of a speaker's last comment.
    pub(crate) fn last_said(&self, speaker: &Speaker) -> Option<usize> {
        self.asked.said_by(speaker)
    }
}

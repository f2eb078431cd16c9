//! The results of calls: answers, passes and failures.

use super::super::speaker::Speaker;
use super::super::turns::{FailedCall, TurnOutcome};
use super::Fold;
use super::voting::SilentVoter;
use crate::transcript::{Alias, Failed, Pass};

impl Fold<'_> {
    /// Returns the turn that a comment answers, and records the answer in that turn.
    pub(super) fn answer(&mut self, speaker: &Speaker, said: usize, entry: usize) -> Option<usize> {
        let alias = speaker.alias()?;
        let index = self.state.asked.turn_of(alias)?;
        let outcomes = &mut self.state.turns[index].outcomes;
        match outcomes.get(alias) {
            // A later answer replaces a failure if the call was retried without a new turn.
            None | Some(TurnOutcome::Failed { .. }) => {
                outcomes.insert(alias.clone(), TurnOutcome::Answered(said));
                self.note_outcome(index, alias, entry);
                Some(index)
            }
            Some(_) => None,
        }
    }

    /// Records that a participant answered, passed or failed in a turn.
    fn note_outcome(&mut self, turn: usize, alias: &Alias, entry: usize) {
        self.shown.note_outcome(turn, entry);
        self.state.asked.note_outcome(turn, alias);
        self.rounds.outcome(alias, self.state.left_out(alias));
    }

    pub(super) fn pass(&mut self, pass: &Pass, entry: usize) {
        self.state.cost.add(&pass.spent);
        let Some(index) = self.state.asked.turn_of(&pass.who) else { return };
        self.state.turns[index].outcomes.entry(pass.who.clone()).or_insert(TurnOutcome::Passed);
        let shown = self.shown.of(index);
        self.note_outcome(index, &pass.who, entry);
        self.mentions.spoke(&Speaker::Persona(pass.who.clone()), shown, &self.speakers);
        self.silence(pass.who.clone(), SilentVoter { turn: index, failed: false, said: None });
    }

    pub(super) fn failed(&mut self, failed: &Failed, entry: usize, line: usize) {
        if failed.spent.calls != Some(0) {
            self.state.cost.add(&failed.spent);
        }
        // A stopped call did not fail: only its cost counts, and the participant still has to answer.
        if failed.was_stopped() {
            return;
        }
        self.state.failures.push(FailedCall {
            who: failed.who.clone(),
            code: failed.code.clone(),
            message: failed.message.clone(),
            retryable: failed.retryable,
            line,
        });
        let Some(index) = self.state.asked.turn_of(&failed.who) else { return };
        let outcome = TurnOutcome::Failed { retryable: failed.retryable };
        self.state.turns[index].outcomes.entry(failed.who.clone()).or_insert(outcome);
        self.note_outcome(index, &failed.who, entry);
        self.silence(failed.who.clone(), SilentVoter { turn: index, failed: true, said: None });
    }
}

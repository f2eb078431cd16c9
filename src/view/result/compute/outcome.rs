//! The final text of a discussion, with the decision and everything that belongs to it.

use super::Builder;
use crate::engine::{Decision, Snapshot, Step, Stop, next};
use crate::state::{CommentFacts, QuestionStatus, Vote};
use crate::template::DecidedBy;
use crate::transcript::{Choice, Marker};
use crate::view::item::{Condition, Question, Task};
use crate::view::reason::{first_sentence, in_line, reason_of};
use crate::view::result::outcome::{Dissenter, FinalOutcome};
use crate::view::result::revision::TextRevision;
use crate::view::result::text_review::{TextFinding, TextReview};
use crate::view::sentence::{accepted, asks_for_more, opening, won};

impl FinalOutcome {
    /// Returns the outcome of a discussion in its current state.
    pub fn of(snapshot: &Snapshot) -> Self {
        Builder::new(snapshot, Decision::of(snapshot)).outcome()
    }
}

impl Builder<'_> {
    pub(in crate::view::result) fn outcome(&self) -> FinalOutcome {
        let state = &self.snapshot.state;
        let text = self.final_text();
        let stated = self.stated(&text);
        let won = won(self.snapshot, &self.decision);
        let accepted = || accepted(self.snapshot, &self.decision).map(|(_, sentence)| sentence);
        let open = |question: &&crate::state::Question| question.status == QuestionStatus::Open;
        FinalOutcome {
            line: self.said_as(&text).map(|said| said.line),
            reason: stated.clone().filter(|stated| won.as_ref().is_some_and(|won| won != stated)),
            stated_line: stated.clone(),
            decision: won.or(stated).or_else(accepted).or_else(|| opening(self.snapshot, &text)),
            text,
            conditions: self.conditions(),
            tasks: state.tasks.iter().map(Task::from).collect(),
            open_questions: state.questions.iter().filter(open).map(Question::from).collect(),
            dissent: self
                .against()
                .into_iter()
                .map(|vote| self.dissenter(vote, false))
                .chain(self.against_afterwards().into_iter().map(|vote| self.dissenter(vote, true)))
                .collect(),
        }
    }

    /// Returns the findings about the text, what changed after them, and whether anyone gave a second opinion.
    pub(in crate::view::result) fn text_review(&self) -> TextReview {
        let snapshot = self.snapshot;
        let ends_in_text = self.decision.verdict.is_none()
            && snapshot.is_finished()
            && !self.final_text().trim().is_empty();
        let revision = snapshot.revision();
        TextReview {
            findings: TextFinding::all(snapshot),
            revision: revision.and_then(|(reviewed, last)| TextRevision::between(&reviewed, &last)),
            second_opinion: (ends_in_text && self.participating().len() == 1).then_some(false),
        }
    }

    /// Returns the final text. If votes decide and the template names no text, there is none, because the last comment
    /// is not a result. Otherwise there is one only if no step follows.
    fn final_text(&self) -> String {
        if let Some(written) = self.snapshot.written_synthesis() {
            return written;
        }
        let by_votes = self.snapshot.config.rules.method.decided_by() == DecidedBy::Votes;
        if by_votes && self.snapshot.template().result.synthesis.is_none() {
            return String::new();
        }
        let over = self.snapshot.is_finished()
            || self.snapshot.state.closed
            || matches!(next(self.snapshot, 0), Ok(Step::Stop(Stop::TooFew)));
        self.synthesis().filter(|_| over).unwrap_or_default()
    }

    /// Returns the comment with exactly this text.
    fn said_as(&self, text: &str) -> Option<&CommentFacts> {
        let said = self.snapshot.state.said.iter().rev();
        said.filter(|_| !text.is_empty()).find(|said| self.body(said) == text)
    }

    /// Returns the decision as the deciding participant states it, or as the text states it.
    fn stated(&self, text: &str) -> Option<String> {
        let stated = self.snapshot.stated_decision().map(str::to_owned);
        let in_text = || self.said_as(text)?.mark(&Marker::Decision).map(str::to_owned);
        stated.or_else(in_text)
    }

    fn conditions(&self) -> Vec<Condition> {
        let rules = &self.snapshot.config.rules;
        let asks = |vote: &&&Vote| asks_for_more(&vote.choice) || !rules.accepts(&vote.choice);
        let condition = |vote: &Vote| Condition {
            participant: vote.name.to_string(),
            vote: vote.choice.to_string(),
            text: in_line(&reason_of(self.snapshot, vote)),
            line: self.place(vote),
        };
        self.asked_votes().iter().filter(asks).map(|vote| condition(vote)).collect()
    }

    fn dissenter(&self, vote: &Vote, afterwards: bool) -> Dissenter {
        Dissenter {
            participant: vote.name.to_string(),
            vote: vote.choice.to_string(),
            text: first_sentence(&reason_of(self.snapshot, vote)),
            line: self.place(vote),
            afterwards,
        }
    }

    pub(super) fn place(&self, vote: &Vote) -> usize {
        let said = vote.said.and_then(|at| self.snapshot.state.said.get(at));
        match vote.line {
            0 => said.map_or(0, |said| said.line),
            line => line,
        }
    }

    /// Returns the votes of the deciding ballot or, without one, the votes that a phase asked for. A vote that a
    /// participant adds unasked while arguing a side is not a vote on the outcome.
    fn asked_votes(&self) -> Vec<&Vote> {
        let state = &self.snapshot.state;
        if let Some((ballot, _)) = state.deciding(&self.snapshot.config) {
            return ballot.votes.iter().collect();
        }
        let asked = |said: &CommentFacts| {
            self.snapshot.template().phases[said.phase].asks.contains_key(Marker::Vote.word())
        };
        let votes = state.ballot.votes.iter();
        votes
            .filter(|vote| {
                let said = vote.said.and_then(|at| state.said.get(at));
                said.is_some_and(|said| said.speaker.alias().is_none() || asked(said))
            })
            .collect()
    }

    /// Returns the votes against the outcome; if the text is the outcome, all votes that are not in favour of it.
    /// Returns none if all agree, or while a ballot without a majority is incomplete.
    pub(super) fn against(&self) -> Vec<&Vote> {
        if !self.snapshot.config.include_dissent {
            return Vec::new();
        }
        let (votes, majority) = (self.asked_votes(), self.majority());
        let agreed = votes.windows(2).all(|pair| pair[0].choice == pair[1].choice);
        if majority.is_none() && (agreed || !self.decision.tally.missing.is_empty()) {
            return Vec::new();
        }
        // Without a majority, every position counts as dissent.
        votes.into_iter().filter(|vote| majority != Some(&vote.choice)).collect()
    }

    /// Returns votes against the outcome that were cast after the decision. They are shown but not counted.
    pub(super) fn against_afterwards(&self) -> Vec<&Vote> {
        if !self.snapshot.config.include_dissent {
            return Vec::new();
        }
        let late = self.snapshot.state.late.votes.iter();
        late.filter(|vote| self.majority() != Some(&vote.choice)).collect()
    }

    /// Returns the option that won or, if the text is the outcome, the option that accepts it.
    fn majority(&self) -> Option<&Choice> {
        let by_text = self.snapshot.config.rules.method.decided_by() != DecidedBy::Votes;
        let first = self.snapshot.config.options[self.snapshot.state.place.phase()].first();
        self.decision.tally.outcome.as_ref().or(first.filter(|_| by_text))
    }
}

//! The outcome of a discussion: the final text and the decision, or the reasons why it did not
//! succeed.

use super::Builder;
use crate::codes::{ErrorCode, FailureCode, ResultError, StopCode};
use crate::engine::{Snapshot, Standing, Step, Stop, asks_for_more, first_sentence, in_line, next};
use crate::state::{CommentFacts, FailedCall, Vote};
use crate::template::{DecidedBy, Substitute};
use crate::transcript::{Choice, Marker};
use crate::view::decided::DecisionFacts;
use crate::view::item::Condition;
use crate::view::notes::DecisionNotes;
use crate::view::result::discussion::{
    COMPLETED, CONSENSUS_REACHED, FinalOutcome, MODELS_UNAVAILABLE, ROUNDS_ARE_OVER,
    STOPPED_BY_ERROR,
};
use crate::view::result::revision::TextRevision;
use crate::view::result::text_review::{TextFinding, TextReview};
use crate::view::sentence::reason_of;

impl FinalOutcome {
    /// Returns the outcome of a discussion in its current state.
    pub fn of(snapshot: &Snapshot) -> Self {
        Builder::new(snapshot).outcome()
    }
}

impl Builder<'_> {
    pub(in crate::view::result) fn outcome(&self) -> FinalOutcome {
        let (state, outcome) = (&self.snapshot.state, self.snapshot.outcome());
        let text = outcome.text.as_ref();
        let decision = outcome.decision();
        FinalOutcome {
            line: text.and_then(|text| text.line),
            reason: decision.and_then(|item| item.reason.clone()),
            text: text.map(|text| text.text.clone()).unwrap_or_default(),
            facts: DecisionFacts::of(outcome),
            conditions: self.conditions(),
            tasks: state.tasks().to_vec(),
            open_questions: state.questions().iter().filter(|one| one.is_open()).cloned().collect(),
            dissent: self
                .against()
                .into_iter()
                .map(|vote| self.dissenter(vote, false))
                .chain(self.against_afterwards().into_iter().map(|vote| self.dissenter(vote, true)))
                .collect(),
            notes: DecisionNotes::of(outcome),
        }
    }

    /// Returns the findings about the text, what changed after them, and whether another participant gave a second opinion.
    pub(in crate::view::result) fn text_review(&self) -> TextReview {
        let snapshot = self.snapshot;
        let has_text =
            snapshot.outcome().text.as_ref().is_some_and(|text| !text.text.trim().is_empty());
        let ends_in_text = self.decision.verdict.is_none() && snapshot.is_finished() && has_text;
        // A sub-discussion has participants of its own.
        let has_others = snapshot.state.children.iter().any(|child| child.end.is_some());
        let revision = snapshot.revision();
        TextReview {
            findings: TextFinding::all(snapshot),
            revision: revision.and_then(|(reviewed, last)| TextRevision::between(&reviewed, &last)),
            second_opinion: (ends_in_text && !has_others && self.participating().len() == 1)
                .then_some(false),
        }
    }

    fn conditions(&self) -> Vec<Condition> {
        let rules = &self.snapshot.config.rules;
        let asks = |vote: &&&Vote| asks_for_more(&vote.choice) || !rules.accepts(&vote.choice);
        let condition = |vote: &Vote| Condition {
            participant: vote.name.to_string(),
            vote: vote.choice.to_string(),
            text: in_line(&reason_of(self.snapshot, vote)),
            line: self.place(vote),
            afterwards: false,
        };
        self.asked_votes().iter().filter(asks).map(|vote| condition(vote)).collect()
    }

    fn dissenter(&self, vote: &Vote, afterwards: bool) -> Condition {
        Condition {
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

impl Builder<'_> {
    pub(in crate::view::result) fn error(
        &self,
        synthesis: &Option<String>,
        stopped: Option<StopCode>,
    ) -> Option<ResultError> {
        if stopped.is_some_and(StopCode::is_for_person) {
            return None;
        }
        let error = stopped.and_then(StopCode::interruption);
        // A ballot or a person decided, whatever the phases say.
        if error.is_none()
            && matches!(
                self.snapshot.outcome().standing,
                Standing::InForce | Standing::Replaced | Standing::Withdrawn
            )
        {
            return None;
        }
        error
            .or_else(|| self.too_few())
            .or_else(|| self.unfinished())
            .or_else(|| self.not_shown())
            .or_else(|| self.undecided(synthesis))
    }

    fn too_few(&self) -> Option<ResultError> {
        let (answered, least) = (self.snapshot.contributors(), self.snapshot.least_contributors());
        let failures = &self.snapshot.state.failures;
        let (code, what) = match answered {
            0 if failures.is_empty() => (ErrorCode::InsufficientProviders, self.nothing_counts()),
            0 => {
                let code = match shortage(failures) {
                    ErrorCode::InsufficientProviders => ErrorCode::AllProvidersFailed,
                    known => known,
                };
                (code, format!("no participant answered{}", self.reasons()))
            }
            answered => (
                shortage(failures),
                format!("only {answered} answered, but {least} are needed{}", self.reasons()),
            ),
        };
        (answered < least).then(|| ResultError::new(code, what))
    }

    /// Returns why no answer counts although no call failed.
    fn nothing_counts(&self) -> String {
        let answers = |said: &&CommentFacts| said.turn.is_some();
        let mut spoke = self.snapshot.state.said.iter().filter(answers).peekable();
        let Some(first) = spoke.peek() else {
            let was_asked = !self.snapshot.state.turns.is_empty();
            let why = if was_asked { "had anything to say" } else { "was asked" };
            return format!("no participant {why}");
        };
        let asks = &self.snapshot.template().phases[first.phase].asks;
        let lines: Vec<&str> = asks.keys().map(String::as_str).collect();
        let count = spoke.count();
        if lines.is_empty() {
            format!("{count} answered, but no answer counts")
        } else {
            format!(
                "{count} answered, but no answer has the lines that this phase asks for: {}",
                lines.join(", ")
            )
        }
    }

    fn unfinished(&self) -> Option<ResultError> {
        if self.snapshot.is_finished() {
            return None;
        }
        let state = &self.snapshot.state;
        let failed = matches!(next(self.snapshot, 0), Ok(Step::Stop(Stop::TooFew)));
        let (code, message) = if state.closed {
            let message = "a person closed the discussion before it was finished".to_owned();
            (ErrorCode::InvalidState, message)
        } else if !failed {
            let message = "the discussion is not finished".to_owned();
            (ErrorCode::InvalidState, message)
        } else if self.snapshot.phase().stand_in == Substitute::Neutral {
            let message = format!("no participant could write the synthesis{}", self.reasons());
            (ErrorCode::SynthesisFailed, message)
        } else {
            let turn = state.turns_here().next_back();
            let since = turn.map_or(0, |turn| self.line_of(turn.entry));
            let here = state.failures.partition_point(|failure| failure.line <= since);
            let message = format!("too few participants answered{}", self.reasons());
            (shortage(&state.failures[here..]), message)
        };
        Some(ResultError::new(code, message))
    }

    /// Returns why a finished review has no verdict although nothing blocks it.
    fn not_shown(&self) -> Option<ResultError> {
        let count = self.snapshot.config.not_shown.len();
        let computes_verdict = !self.snapshot.template().result.verdict.is_empty();
        if count == 0 || !computes_verdict || self.decision.verdict.is_some() {
            return None;
        }
        let files = if count == 1 { "1 file" } else { &format!("{count} files") };
        let message = format!("the reviewers did not see all of the change: {files} not shown");
        Some(ResultError::new(ErrorCode::NotShown, message))
    }

    fn undecided(&self, synthesis: &Option<String>) -> Option<ResultError> {
        if synthesis.as_ref().is_none_or(|text| text.trim().is_empty()) {
            return Some(ResultError::new(ErrorCode::SynthesisFailed, "there is no final text"));
        }
        if self.decision.reached {
            return None;
        }
        let method = self.snapshot.config.rules.method;
        let how = match (self.decision.tally.tied, &self.decision.tally.outcome) {
            _ if !self.decision.tally.blocked_by.is_empty() => self.snapshot.outcome().words(),
            (true, _) => "the vote is a tie".to_owned(),
            (_, Some(outcome)) if !self.snapshot.config.rules.accepts(outcome) => {
                format!("{outcome} leads, which does not count as consensus")
            }
            (_, Some(outcome)) => {
                format!("{outcome} leads, but the method `{}` requires more", method.as_str())
            }
            (_, None) if method.decided_by() == DecidedBy::StatedDecision => {
                "the final text states no DECISION".to_owned()
            }
            (_, None) if self.decision.tally.shares.iter().all(|share| share.votes == 0) => {
                "no consensus, because no vote was counted".to_owned()
            }
            (_, None) => "the votes reach no consensus".to_owned(),
        };
        Some(ResultError::new(ErrorCode::ConsensusFailed, how))
    }

    /// Returns the participants that failed, with their errors, to append to a sentence; empty if none failed.
    fn reasons(&self) -> String {
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for failure in &self.snapshot.state.failures {
            let who = failure.who.as_str();
            match reasons.iter_mut().find(|(known, _)| *known == failure.message) {
                Some((_, all)) if all.contains(&who) => {}
                Some((_, all)) => all.push(who),
                None => reasons.push((&failure.message, vec![who])),
            }
        }
        let told = |(reason, who): &(&str, Vec<&str>)| format!("{}: {reason}", who.join(", "));
        let reasons: Vec<String> = reasons.iter().map(told).collect();
        if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) }
    }

    pub(super) fn stopping_reason(
        &self,
        error: Option<&ResultError>,
        stopped: Option<StopCode>,
    ) -> &'static str {
        if let Some(word) = stopped.and_then(StopCode::result_word) {
            return word;
        }
        match error.map(|error| error.code) {
            // A text that was not voted on is an outcome, but not consensus.
            None if self.decision.unvoted => COMPLETED,
            None => CONSENSUS_REACHED,
            Some(ErrorCode::ConsensusFailed) => ROUNDS_ARE_OVER,
            Some(code) if code.is_shortage() => MODELS_UNAVAILABLE,
            _ => STOPPED_BY_ERROR,
        }
    }
}

/// Returns the error code for too few answers, depending on the failures of the other participants.
fn shortage(failures: &[FailedCall]) -> ErrorCode {
    let all = |code: FailureCode| {
        !failures.is_empty() && failures.iter().all(|failure| failure.kind() == Some(code))
    };
    if all(FailureCode::Timeout) {
        ErrorCode::ProviderTimeout
    } else if all(FailureCode::Unreadable) || all(FailureCode::Empty) {
        ErrorCode::ParseFailed
    } else {
        ErrorCode::InsufficientProviders
    }
}

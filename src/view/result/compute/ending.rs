//! The reasons why a discussion did not succeed.

use super::{Builder, Ending};
use crate::codes::{ErrorCode, FailureCode, ResultError};
use crate::engine::{Step, Stop, next};
use crate::state::{CommentFacts, FailedCall};
use crate::template::{DecidedBy, Substitute};

impl Builder<'_> {
    pub(in crate::view::result) fn error(
        &self,
        synthesis: &Option<String>,
        ending: Ending,
    ) -> Option<ResultError> {
        if matches!(ending, Ending::Person(_)) {
            return None;
        }
        interrupted(ending)
            .or_else(|| self.too_few())
            .or_else(|| self.unfinished())
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

    fn undecided(&self, synthesis: &Option<String>) -> Option<ResultError> {
        if synthesis.as_ref().is_none_or(|text| text.trim().is_empty()) {
            return Some(ResultError::new(ErrorCode::SynthesisFailed, "there is no final text"));
        }
        if self.decision.reached {
            return None;
        }
        let method = self.snapshot.config.rules.method;
        let how = match (self.decision.tally.tied, &self.decision.tally.outcome) {
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
        ending: Ending,
    ) -> &'static str {
        match (ending, error.map(|error| error.code)) {
            (Ending::Aborted, _) => "user_abort",
            (Ending::TimeUp, _) => "timeout",
            (Ending::MoneySpent | Ending::Unpriced, _) => "max_usd",
            (Ending::CallsMade, _) => "max_calls",
            (Ending::Limit, _) => "max_iterations",
            (Ending::Person(code), _) => code.as_str(),
            // A text that was not voted on is an outcome, but not consensus.
            (_, None) if self.decision.unvoted => "completed",
            (_, None) => "consensus_reached",
            (_, Some(ErrorCode::ConsensusFailed)) => "max_iterations",
            (_, Some(code)) if code.is_shortage() => "model_unavailable",
            _ => "error",
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

/// Returns the error if something outside of the discussion ended the run.
fn interrupted(ending: Ending) -> Option<ResultError> {
    let (code, message) = match ending {
        Ending::ByItself | Ending::Person(_) => return None,
        Ending::TimeUp => (
            ErrorCode::Timeout,
            "the time limit of this run was reached; finished answers are kept",
        ),
        Ending::MoneySpent => {
            (ErrorCode::CostBudgetExceeded, "the remaining budget does not cover another call")
        }
        Ending::Unpriced => {
            (ErrorCode::CostBudgetExceeded, "money is limited, but the price of a call is unknown")
        }
        Ending::Aborted => {
            (ErrorCode::InvalidState, "the run was stopped; finished answers are kept")
        }
        Ending::CallsMade => {
            (ErrorCode::CostBudgetExceeded, "no more calls are allowed; finished answers are kept")
        }
        Ending::Limit => {
            (ErrorCode::InvalidState, "a limit of turns was reached; finished answers are kept")
        }
    };
    // Finished answers are kept, so repeating the command continues the run.
    let retryable = !matches!(ending, Ending::MoneySpent | Ending::Unpriced);
    Some(ResultError { retryable, ..ResultError::new(code, message) })
}

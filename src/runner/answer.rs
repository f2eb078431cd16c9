//! What an answer becomes in the file.

use super::report::CallReport;
use crate::engine::Reading;
use crate::provider::{CallError, FailureCode, Paid};
use crate::transcript::{
    Alias, Choice, Control, Draft, Failed, Name, NewComment, Pass, Reply, Spent, Time, Usd, visible,
};
use crate::view::{CallFailure, CallOutcome};

/// Most characters of an error that is recorded.
const LONGEST_MESSAGE: usize = 600;

/// What one participant's calls came to.
pub(super) struct Answered {
    pub(super) alias: Alias,
    pub(super) name: Name,
    pub(super) turn: u32,
    pub(super) result: Result<Said, CallError>,
    pub(super) spent: Spent,
    pub(super) notes: Vec<String>,
}

/// What was said.
pub(super) enum Said {
    Answer { body: String, vote: Option<Choice> },
    Nothing,
}

impl From<Reading> for Said {
    fn from(reading: Reading) -> Self {
        match reading {
            Reading::Answer { body, vote, .. } => Self::Answer { body, vote },
            Reading::Pass => Self::Nothing,
        }
    }
}

impl Answered {
    /// A task that died takes nobody else down.
    pub(super) fn died(alias: Alias, name: Name, turn: u32, paid: (String, Paid)) -> Self {
        let why = "internal error during the call";
        Self::broken_off(alias, name, turn, paid, CallError::new(FailureCode::Exit, why))
    }

    /// Asked, and stopped before there was an answer.
    pub(super) fn stopped(alias: Alias, name: Name, turn: u32, paid: (String, Paid)) -> Self {
        let why = "the run was stopped during this call, which counts at its maximum price";
        Self::broken_off(alias, name, turn, paid, CallError::new(FailureCode::Stopped, why))
    }

    /// Asked, and never recorded.
    pub(super) fn broken_off(
        alias: Alias,
        name: Name,
        turn: u32,
        (provider, paid): (String, Paid),
        error: CallError,
    ) -> Self {
        let usd = Some(paid.usd).filter(|usd| *usd > 0.0);
        let usd = usd.map(|amount| Usd { amount, estimated: true });
        let (provider, calls) = (Some(provider), Some(paid.calls));
        let spent = Spent { provider, calls, usd, ..Spent::default() };
        Self { alias, name, turn, result: Err(error), spent, notes: Vec::new() }
    }

    /// The block that records it.
    pub(super) fn draft(&self, at: Time) -> Draft {
        let (turn, at, spent) = (Some(self.turn), Some(at), self.spent.clone());
        match &self.result {
            Ok(Said::Answer { body, vote }) => Draft::Comment(NewComment {
                reply: Some(Box::new(Reply { turn, at, spent })),
                vote: vote.clone(),
                ..NewComment::by(self.name.clone(), body.clone())
            }),
            Ok(Said::Nothing) => Draft::Control(Control::Pass(Box::new(Pass {
                who: self.alias.clone(),
                turn,
                at,
                spent,
            }))),
            Err(error) => Draft::Control(Control::Failed(Box::new(Failed {
                who: self.alias.clone(),
                turn,
                at,
                code: error.code.as_str().to_owned(),
                // Another run may have the money.
                retryable: error.retryable || error.code == FailureCode::OverBudget,
                message: self.message(error),
                spent,
            }))),
        }
    }

    fn message(&self, error: &CallError) -> String {
        let all: Vec<&str> = std::iter::once(error.message.as_str())
            .chain(self.notes.iter().map(String::as_str))
            .collect();
        let text = visible(&all.join("; ")).into_owned();
        text.chars().take(LONGEST_MESSAGE).collect()
    }

    pub(super) fn outcome(&self) -> CallOutcome {
        match &self.result {
            Ok(Said::Answer { vote, .. }) => {
                CallOutcome::Answered { vote: vote.as_ref().map(ToString::to_string) }
            }
            Ok(Said::Nothing) => CallOutcome::Passed {},
            Err(error) => CallOutcome::Failed {
                error: CallFailure {
                    code: error.code.as_str().to_owned(),
                    message: self.message(error),
                    retryable: error.retryable,
                },
            },
        }
    }

    pub(super) fn report(&self, prompt_bytes: usize, cached_prefix: usize) -> CallReport {
        CallReport {
            participant: self.alias.clone(),
            provider: self.spent.provider.clone().unwrap_or_default(),
            turn: self.turn,
            ms: self.spent.ms.unwrap_or(0),
            tokens: self.spent.tokens,
            usd: self.spent.usd,
            prompt_bytes,
            cached_prefix,
            cached_tokens: self.spent.cached,
            finish: self.spent.finish.clone(),
            calls: self.spent.calls.unwrap_or(0),
            outcome: self.outcome(),
        }
    }
}

//! The job of one participant in a turn, and the lines that record its result.

use std::path::PathBuf;

use super::providers::{Link, names};
use super::report::CallReport;
use crate::engine::{AnswerSpec, Prompt, Pseudonyms, Reading};
use crate::provider::{CallError, FailureCode, Paid, ToolPermissions};
use crate::transcript::{
    Alias, Choice, Control, Draft, Failed, Name, NewComment, Pass, ReplyLine, Spent, Time, Usd,
    visible,
};
use crate::view::{CallFailure, CallOutcome, PassedOver};

/// The maximum number of characters of a recorded error message.
const LONGEST_MESSAGE: usize = 600;

/// Everything that a participant's calls need. It borrows nothing from the snapshot, because the calls run as tasks.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) alias: Alias,
    pub(super) name: Name,
    pub(super) prompt: Prompt,
    pub(super) wanted: AnswerSpec,
    /// The names behind the labels of an anonymous prompt.
    pub(super) pseudonyms: Pseudonyms,
    pub(super) phase: String,
    pub(super) turn: u32,
    /// The time at which the turn was opened.
    pub(super) opened: Option<Time>,
    pub(super) temperature: Option<f64>,
    /// True if a person set the temperature.
    pub(super) wished_temperature: bool,
    /// True if a person limited the length of an answer.
    pub(super) wished_length: bool,
    /// The tools that a person allowed; each provider grants what it can.
    pub(super) reach: ToolPermissions,
    /// The providers to call, in order.
    pub(super) chain: Vec<Link>,
    pub(super) passed_over: Option<PassedOver>,
    /// True if it reviews the author's text with the author's vendor, because no other vendor is ready.
    pub(super) is_author_again: bool,
    pub(super) file: PathBuf,
    /// The project's folder.
    pub(super) project: PathBuf,
}

impl Job {
    /// Returns the provider that is called first, and its fallbacks.
    pub(super) fn providers(&self) -> (String, Vec<String>) {
        let mut names = names(self.chain.iter().map(|link| link.provider.name())).into_iter();
        (names.next().unwrap_or_default(), names.collect())
    }
}

/// The result of one participant's calls.
pub(super) struct Answered {
    pub(super) alias: Alias,
    pub(super) name: Name,
    pub(super) turn: u32,
    /// The only markers that count in the answer, if it is a text for a reader.
    pub(super) markers: Option<Vec<String>>,
    pub(super) result: Result<Said, CallError>,
    pub(super) spent: Spent,
    pub(super) notes: Vec<String>,
}

/// The text of an answer, or a pass.
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

/// A call that ended without an answer.
pub(super) struct BrokenCall {
    pub(super) alias: Alias,
    pub(super) name: Name,
    pub(super) turn: u32,
    /// The provider that was called first.
    pub(super) provider: String,
    pub(super) paid: Paid,
}

impl BrokenCall {
    /// Describes a call with a task that panicked. The calls of the other participants continue.
    pub(super) fn panicked(self) -> Answered {
        self.failed(FailureCode::Exit, "internal error during the call")
    }

    /// Describes a call that the end of the run stopped.
    pub(super) fn stopped(self) -> Answered {
        self.failed(
            FailureCode::Stopped,
            "the run was stopped during this call, which counts at its maximum price",
        )
    }

    pub(super) fn failed(self, code: FailureCode, why: &str) -> Answered {
        let Self { alias, name, turn, provider, paid } = self;
        let usd = Some(paid.usd).filter(|usd| *usd > 0.0);
        let usd = usd.map(|amount| Usd { amount, estimated: true });
        let (provider, calls) = (Some(provider), Some(paid.calls));
        let spent = Spent { provider, calls, usd, ..Spent::default() };
        let result = Err(CallError::new(code, why));
        Answered { alias, name, turn, markers: None, result, spent, notes: Vec::new() }
    }
}

impl Answered {
    /// Returns the block that records the answer, the pass or the failure.
    pub(super) fn draft(&self, at: Time) -> Draft {
        let (turn, at, spent) = (Some(self.turn), Some(at), self.spent.clone());
        match &self.result {
            Ok(Said::Answer { body, vote }) => Draft::Comment(NewComment {
                reply: Some(Box::new(ReplyLine { turn, at, markers: self.markers.clone(), spent })),
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
                // Another run may have enough money for the call.
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

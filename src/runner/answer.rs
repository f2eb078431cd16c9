//! The job of one participant in a turn, and the record of its calls.

use std::path::PathBuf;

use super::providers::{Link, names};
use crate::engine::{AnswerSpec, Prompt, Pseudonyms, Reading};
use crate::provider::{CallError, FailureCode, Paid, ToolPermissions};
use crate::transcript::{
    Alias, Control, Draft, Failed, Name, NewComment, Pass, ReplyLine, Spent, Time, Usd, visible,
};
use crate::view::{Call, PassedOver};

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

/// The record of one participant's calls. It fills up while they are made; the block in the file and the report are made
/// from it.
pub(super) struct CallRecord {
    pub(super) alias: Alias,
    pub(super) name: Name,
    pub(super) turn: u32,
    /// The only markers that count in the answer, if it is a text for a reader.
    pub(super) markers: Option<Vec<String>>,
    /// The answer or the pass, or why there is none.
    pub(super) result: Result<Reading, CallError>,
    pub(super) spent: Spent,
    pub(super) notes: Vec<String>,
    /// When the calls ended.
    pub(super) at: Option<Time>,
    pub(super) prompt_bytes: usize,
    /// Bytes at the start of the prompt that the provider may have had in its cache.
    pub(super) cached_prefix: usize,
}

impl CallRecord {
    /// Creates the record of calls that begin.
    pub(super) fn new(alias: Alias, name: Name, turn: u32) -> Self {
        let nobody = CallError::new(FailureCode::NotInstalled, "no provider is installed");
        Self {
            alias,
            name,
            turn,
            markers: None,
            result: Err(nobody),
            spent: Spent { calls: Some(0), ..Spent::default() },
            notes: Vec::new(),
            at: None,
            prompt_bytes: 0,
            cached_prefix: 0,
        }
    }

    /// Records that calls ended without an answer. `provider` is the one that was called first.
    pub(super) fn fail(self, provider: String, paid: &Paid, code: FailureCode, why: &str) -> Self {
        let usd = Some(paid.usd).filter(|usd| *usd > 0.0);
        let usd = usd.map(|amount| Usd { amount, estimated: true });
        let (provider, calls) = (Some(provider), Some(paid.calls));
        let spent = Spent { provider, calls, usd, ..Spent::default() };
        Self { result: Err(CallError::new(code, why)), spent, ..self }
    }

    /// Sets the time at which the calls ended.
    pub(super) fn end_at(self, at: Time) -> Self {
        Self { at: Some(at), ..self }
    }

    /// Returns whether the budget covered no call at all.
    pub(super) fn was_refused(&self) -> bool {
        let is_over = |error: &CallError| error.code == FailureCode::OverBudget;
        self.spent.calls.unwrap_or(0) == 0 && self.result.as_ref().is_err_and(is_over)
    }

    /// Returns true if there is an answer.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self.result, Ok(Reading::Answer { .. }))
    }

    /// Returns the block that records the answer, the pass or the failure.
    pub(super) fn draft(&self) -> Draft {
        let (turn, at, spent) = (Some(self.turn), self.at, self.spent.clone());
        match &self.result {
            Ok(Reading::Answer { body, vote, .. }) => Draft::Comment(NewComment {
                reply: Some(Box::new(ReplyLine { turn, at, markers: self.markers.clone(), spent })),
                vote: vote.clone(),
                ..NewComment::by(self.name.clone(), body.clone())
            }),
            Ok(Reading::Pass) => Draft::Control(Control::Pass(Box::new(Pass {
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

    /// Returns the report for front ends.
    pub(super) fn report(&self) -> Call {
        let spent = &self.spent;
        let error = self.result.as_ref().err();
        Call {
            participant: self.alias.to_string(),
            provider: spent.provider.clone().unwrap_or_default(),
            turn: self.turn,
            ms: spent.ms.unwrap_or(0),
            tokens: spent.tokens.map(|tokens| tokens.input.saturating_add(tokens.output)),
            prompt_bytes: self.prompt_bytes,
            cached_prefix: self.cached_prefix,
            cached_tokens: spent.cached,
            finish: spent.finish.clone(),
            outcome: match &self.result {
                Ok(Reading::Answer { .. }) => "answered",
                Ok(Reading::Pass) => "passed",
                Err(_) => "failed",
            },
            failure: error.map(|error| error.code.as_str().to_owned()),
            is_for_good: error.is_some_and(|error| !error.retryable),
            calls: spent.calls.unwrap_or(0),
            both_tokens: spent.tokens,
            usd: spent.usd,
        }
    }
}

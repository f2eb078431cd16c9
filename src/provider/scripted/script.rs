//! The script's own form.

use std::time::Duration;

use serde::Deserialize;

use crate::provider::{CallContext, CallError, FailureCode, Reply, Usage};
use crate::transcript::Alias;
use crate::yaml::{self, LoadError};

/// Prepared answers; of the lines that fit a call, the first one is obeyed.
///
/// ```yaml
/// answers:
///   - {participant: security, call: 1, fault: exit}
///   - {participant: security, phase: vote, text: "VOTE: READY"}
///   - {participant: architect, delay_ms: 50, text: "Fine by me."}
///   - {fault: {code: rate_limited, retry_after: 2}}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// In the order in which they are tried.
    pub answers: Vec<Line>,
}

/// One prepared answer and the calls it is for; what is not said fits any call.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Line {
    /// For calls for this participant.
    pub participant: Option<Alias>,
    /// For calls in this phase.
    pub phase: Option<String>,
    /// For calls in this turn.
    pub turn: Option<u32>,
    /// For the participant's call of this number, counted from 1.
    pub call: Option<u32>,
    /// What is said.
    pub text: String,
    /// How long it takes, in milliseconds.
    pub delay_ms: u64,
    /// How it fails instead.
    pub fault: Option<Fault>,
    /// Tokens to report.
    pub usage: Option<Tokens>,
    /// USD to report.
    pub usd: Option<f64>,
    /// A model to report.
    pub model: Option<String>,
}

/// Tokens as a script writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tokens {
    /// Of the prompt, cached ones included.
    pub input: u64,
    /// Of the prompt, from the cache.
    pub cached: u64,
    /// Of the answer.
    pub output: u64,
}

/// How a scripted call fails.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Fault {
    /// One of the usual ways.
    Told(ToldFault),
    /// Any failure there is.
    Any(AnyFault),
}

/// The usual ways to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToldFault {
    /// It ends with a status other than 0.
    Exit,
    /// It says nothing until the deadline.
    Hang,
    /// It ends well without a word.
    Empty,
}

/// A failure in full.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnyFault {
    /// Its kind.
    pub code: FailureCode,
    /// Whether asking again can help; as is usual for the kind when absent.
    pub retryable: Option<bool>,
    /// Seconds to wait, as a service would ask for.
    pub retry_after: Option<u64>,
    /// What is said of it.
    #[serde(default)]
    pub message: String,
}

impl Script {
    /// Reads a script; `origin` is what an error calls it.
    ///
    /// # Errors
    ///
    /// [`LoadError`] with the place of what does not fit.
    pub fn read(text: &str, origin: &str) -> Result<Self, LoadError> {
        yaml::read(text, origin)
    }

    pub(super) fn line(&self, context: &CallContext, call: u32) -> Option<&Line> {
        self.answers.iter().find(|line| {
            line.participant.as_ref().is_none_or(|who| *who == context.participant)
                && line.phase.as_ref().is_none_or(|phase| *phase == context.phase)
                && line.turn.is_none_or(|turn| turn == context.turn)
                && line.call.is_none_or(|number| number == call)
        })
    }
}

impl Line {
    pub(super) fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }

    pub(super) fn reply(&self) -> Reply {
        Reply {
            text: self.text.clone(),
            model: self.model.clone(),
            usage: self.usage.map(|tokens| Usage {
                input_tokens: tokens.input,
                cached_input_tokens: tokens.cached,
                output_tokens: tokens.output,
                ..Usage::default()
            }),
            usd: self.usd,
            finish: None,
            warnings: Vec::new(),
        }
    }
}

impl Fault {
    pub(super) fn failure(&self) -> CallError {
        let scripted = |code| CallError::new(code, "the script asks for this failure");
        match self {
            Self::Told(ToldFault::Exit) => scripted(FailureCode::Exit),
            Self::Told(ToldFault::Hang) => scripted(FailureCode::Timeout),
            Self::Told(ToldFault::Empty) => scripted(FailureCode::Empty),
            Self::Any(fault) => {
                let mut failure = scripted(fault.code);
                if !fault.message.is_empty() {
                    failure.message.clone_from(&fault.message);
                }
                failure.retryable = fault.retryable.unwrap_or(failure.retryable);
                failure.retry_after = fault.retry_after.map(Duration::from_secs);
                failure
            }
        }
    }
}

//! A provider that follows a script, and the format of the script: for tests and demonstrations.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Deserialize;
use tokio::time::sleep;

use super::{
    Availability, CallError, CallFuture, Environment, FailureCode, Provider, ProviderName, Reply,
    Request,
};
use crate::provider::{CallContext, ReportedUsd, Usage};
use crate::transcript::Alias;
use crate::yaml::{self, LoadError};

/// A provider that answers and fails as its [`Script`] says, and counts its calls.
#[derive(Debug)]
pub struct Scripted {
    name: ProviderName,
    script: Script,
    calls: Mutex<HashMap<Alias, u32>>,
    file: Option<PathBuf>,
}

impl Scripted {
    /// Creates a provider that follows `script`.
    pub fn new(name: ProviderName, script: Script) -> Self {
        Self { name, script, calls: Mutex::default(), file: None }
    }

    pub(super) fn from_file(name: ProviderName, script: Script, file: PathBuf) -> Self {
        Self { file: Some(file), ..Self::new(name, script) }
    }

    /// Returns the total number of calls.
    #[cfg(not(discussions_sealed))]
    pub fn calls(&self) -> u32 {
        self.calls.lock().values().sum()
    }

    fn count(&self, participant: &Alias) -> u32 {
        let mut counts = self.calls.lock();
        let count = counts.entry(participant.clone()).or_default();
        *count += 1;
        *count
    }

    async fn obey(&self, request: Request<'_>) -> Result<Reply, CallError> {
        let context = request.context;
        let call = self.count(&context.participant);
        let Some(line) = self.script.line(context, call) else {
            let message = format!(
                "the script has no answer for {} in phase `{}`, turn {}, call {call}",
                context.participant, context.phase, context.turn
            );
            return Err(CallError::new(FailureCode::Misconfigured, message));
        };
        let hangs = matches!(line.fault, Some(Fault::Told(ToldFault::Hang)));
        if hangs || line.delay() >= request.deadline {
            sleep(request.deadline).await;
            let seconds = request.deadline.as_secs_f64();
            let message = format!("{} timed out after {seconds:.1} s", self.name);
            return Err(CallError::new(FailureCode::Timeout, message));
        }
        if !line.delay().is_zero() {
            sleep(line.delay()).await;
        }
        if let Some(fault) = &line.fault {
            return Err(fault.failure());
        }
        if let Some(on_text) = request.on_text {
            on_text(&line.text);
        }
        Ok(line.reply())
    }
}

impl Provider for Scripted {
    fn name(&self) -> &ProviderName {
        &self.name
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(self.obey(request))
    }

    fn availability(&self, _env: &Environment) -> Availability {
        let through = self.file.as_ref().map(|file| file.to_string_lossy().into_owned());
        Availability::Ready { through }
    }
}

/// A list of prepared answers. For each call, the first line that matches is used.
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
    /// The lines, in the order in which they are tried.
    pub answers: Vec<ScriptLine>,
}

/// One prepared answer and the calls that it is for. An absent condition matches any call.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptLine {
    /// The participant that is called.
    pub participant: Option<Alias>,
    /// The phase of the call.
    pub phase: Option<String>,
    /// The turn of the call.
    pub turn: Option<u32>,
    /// The number of the participant's call, counted from 1.
    pub call: Option<u32>,
    /// The text of the answer.
    pub text: String,
    /// The duration of the call, in milliseconds.
    pub delay_ms: u64,
    /// The failure in place of an answer.
    pub fault: Option<Fault>,
    /// The number of tokens to report.
    pub usage: Option<ScriptedTokens>,
    /// The cost in US dollars to report.
    pub usd: Option<f64>,
    /// The model to report.
    pub model: Option<String>,
}

/// The token counts in a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScriptedTokens {
    /// Input tokens, cached ones included.
    pub input: u64,
    /// Input tokens from the cache.
    pub cached: u64,
    /// Output tokens.
    pub output: u64,
}

/// The failure of a scripted call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Fault {
    /// One of the common failures.
    Told(ToldFault),
    /// Any failure.
    Any(AnyFault),
}

/// The common failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToldFault {
    /// The program ends with a status other than 0.
    Exit,
    /// The provider sends nothing until the deadline.
    Hang,
    /// The program succeeds with an empty answer.
    Empty,
}

/// A failure with all its details.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnyFault {
    /// The kind of failure.
    pub code: FailureCode,
    /// True if a retry can help; if absent, the default of the kind.
    pub retryable: Option<bool>,
    /// The number of seconds that the service asks to wait.
    pub retry_after: Option<u64>,
    /// The error message.
    #[serde(default)]
    pub message: String,
}

impl Script {
    /// Parses a script. `origin` is the name of the script in errors.
    ///
    /// # Errors
    ///
    /// Returns [`LoadError`] with the line and column of the invalid part.
    pub fn read(text: &str, origin: &str) -> Result<Self, LoadError> {
        yaml::read(text, origin)
    }

    fn line(&self, context: &CallContext, call: u32) -> Option<&ScriptLine> {
        self.answers.iter().find(|line| {
            line.participant.as_ref().is_none_or(|who| *who == context.participant)
                && line.phase.as_ref().is_none_or(|phase| *phase == context.phase)
                && line.turn.is_none_or(|turn| turn == context.turn)
                && line.call.is_none_or(|number| number == call)
        })
    }
}

impl ScriptLine {
    fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }

    fn reply(&self) -> Reply {
        Reply {
            text: self.text.clone(),
            model: self.model.clone(),
            usage: self.usage.map(|tokens| Usage {
                input_tokens: tokens.input,
                cached_input_tokens: tokens.cached,
                output_tokens: tokens.output,
                ..Usage::default()
            }),
            usd: self.usd.map(ReportedUsd::from).unwrap_or_default(),
            finish: None,
            warnings: Vec::new(),
        }
    }
}

impl Fault {
    fn failure(&self) -> CallError {
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

#[cfg(test)]
mod tests;

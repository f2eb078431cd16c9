//! One call to a provider: the check before it, the tools that the model may use, the request, the reply or the error,
//! and a short test call.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::time::Instant;

use super::{Environment, ProviderName, QueueTurn, ReportedUsd};
pub use crate::codes::FailureCode;
use crate::transcript::Alias;

/// The future that [`Provider::call`] returns.
pub type CallFuture<'a> = Pin<Box<dyn Future<Output = Result<Reply, CallError>> + Send + 'a>>;

/// The future that [`Provider::turn`] returns. The caller holds the `QueueTurn` during its call.
pub type TurnFuture<'a> = Pin<Box<dyn Future<Output = Option<QueueTurn>> + Send + 'a>>;

/// A function that receives pieces of the answer as they arrive.
pub(crate) type OnText<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// One way to get an answer from a model.
pub trait Provider: Send + Sync {
    /// Returns the name under which the provider is defined.
    fn name(&self) -> &ProviderName;

    /// Sends one prompt and waits for one answer.
    ///
    /// Ends within a second of the deadline, even if the program or service hangs. Dropping the future ends everything
    /// that the call started.
    ///
    /// # Errors
    ///
    /// Returns [`CallError`] if the provider gives anything but one complete answer.
    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a>;

    /// Waits for a free slot if the provider limits the number of concurrent calls. The wait does not count towards a
    /// deadline.
    fn turn(&self) -> TurnFuture<'_> {
        Box::pin(std::future::ready(None))
    }

    /// Checks if everything that the provider needs is there (a program on `PATH`, a script, a key).
    fn availability(&self, env: &Environment) -> Availability;
}

/// One prompt for a provider, with the limits of the call.
#[derive(Clone)]
pub struct Request<'a> {
    /// The first part of the prompt. Other requests of the same turn begin with it too, and later requests with most of
    /// it, so that a service can cache it. May be empty.
    pub prefix: Arc<str>,
    /// The rest of the prompt.
    pub tail: &'a str,
    /// The participant that is asked, and the step of the discussion.
    pub context: &'a CallContext,
    /// The time that the call may take, from now.
    pub deadline: Duration,
    /// The maximum size of the answer in bytes, because the reservation covers no more. A call with a longer answer is
    /// stopped. A service gets its limit in tokens instead.
    pub longest: Option<usize>,
    /// The maximum cost in US dollars, if money is limited. A program that has an option for a cost limit gets this
    /// amount as an argument.
    pub usd: Option<f64>,
    /// Receives the answer's text piece by piece. If the call fails later, these pieces are invalid.
    pub on_text: Option<OnText<'a>>,
}

impl Request<'_> {
    /// Returns the whole prompt.
    pub fn prompt(&self) -> String {
        format!("{}{}", self.prefix, self.tail)
    }
}

/// The step of the discussion that a call belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct CallContext {
    /// The participant that answers.
    pub participant: Alias,
    /// The phase's id.
    pub phase: String,
    /// The turn's number.
    pub turn: u32,
    /// The discussion's file.
    pub file: PathBuf,
    /// The sampling temperature, from 0; `None` uses the provider's default.
    pub temperature: Option<f64>,
    /// The tools that the model may use. It gets no more than its provider can grant.
    pub reach: ToolPermissions,
}

/// One complete answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The text of the answer; never empty.
    pub text: String,
    /// The model that answered, if the provider reports it.
    pub model: Option<String>,
    /// The number of tokens, if the provider reports it.
    pub usage: Option<Usage>,
    /// The cost that the provider reports.
    pub usd: ReportedUsd,
    /// The reason why the answer ended, as a stable word (`stop`, `length`), if the provider reports it.
    pub finish: Option<String>,
    /// Problems during the call that did not make it fail, in sentences for people.
    pub warnings: Vec<String>,
}

/// Tokens of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// All tokens of the prompt, cached ones included.
    pub input_tokens: u64,
    /// The input tokens that came from the service's cache.
    pub cached_input_tokens: u64,
    /// The input tokens that were written to the service's cache, if the service charges more for that.
    pub written_input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
}

/// A call that gave no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct CallError {
    /// The kind of failure.
    pub code: FailureCode,
    /// A message for people, without escape codes: what happened and, if known, how to fix it.
    pub message: String,
    /// True if a retry can help.
    pub retryable: bool,
    /// The time that the service asked to wait, if it did.
    pub retry_after: Option<Duration>,
    /// The cost of the failed call in US dollars, if the provider reported it.
    pub usd: Option<f64>,
}

impl CallError {
    /// Creates a failure that is retryable if its code is.
    pub(crate) fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: code.retryable(),
            retry_after: None,
            usd: None,
        }
    }
}

/// The tools that a model may use besides its prompt. Only the user who starts a run can allow them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolPermissions {
    /// True if it may read the files of the project.
    pub look: bool,
    /// True if it may use the web.
    pub web: bool,
}

impl ToolPermissions {
    /// Returns whether the model gets only its prompt.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// The result of checking if a provider can be called at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Availability {
    /// The provider can be called.
    Ready {
        /// The thing that answers: the path of a program or a script, or the address of a service. `None` for a
        /// built-in provider.
        through: Option<String>,
    },
    /// The provider cannot be called: its program is not installed, its key is not set, or its service does not listen.
    Missing {
        /// The missing thing, in one sentence.
        reason: String,
        /// The instruction for the user that fixes it.
        fix: String,
    },
}

impl Availability {
    /// Returns whether the provider can be called.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self, Self::Ready { .. })
    }
}

/// Runs a program that tells something about itself, and returns what it says; if it fails, as an error.
pub(crate) async fn run_probe(
    program: Arc<dyn Provider>,
    deadline: Duration,
) -> Result<String, String> {
    let who = Alias::parse("probe").unwrap_or_else(|error| unreachable!("a constant: {error}"));
    let said = call_once(program.as_ref(), who, "probe", "", deadline).await;
    said.map(|reply| reply.text).map_err(|error| error.message)
}

/// The prompt of a ping, as short as possible.
pub(crate) const PING_PROMPT: &str = "Reply with the one word OK and nothing else.\n";

/// The result of an answered ping.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ping {
    /// The answer.
    pub reply: Reply,
    /// The duration of the call.
    pub took: Duration,
}

/// Sends one small prompt to a provider, once. `who` is the participant in the call's context.
///
/// # Errors
///
/// Returns [`CallError`] as for any call. A ping costs as much as one small call.
pub(crate) async fn ping(
    provider: &dyn Provider,
    who: Alias,
    deadline: Duration,
) -> Result<Ping, CallError> {
    let start = Instant::now();
    let reply = call_once(provider, who, "ping", PING_PROMPT, deadline).await?;
    Ok(Ping { reply, took: start.elapsed() })
}

/// Calls a provider once, outside of a discussion.
async fn call_once(
    provider: &dyn Provider,
    who: Alias,
    phase: &str,
    prompt: &str,
    deadline: Duration,
) -> Result<Reply, CallError> {
    let context = CallContext {
        participant: who,
        phase: phase.to_owned(),
        turn: 0,
        file: PathBuf::new(),
        temperature: None,
        reach: ToolPermissions::default(),
    };
    let request = Request {
        prefix: "".into(),
        tail: prompt,
        context: &context,
        deadline,
        longest: None,
        usd: None,
        on_text: None,
    };
    provider.call(request).await
}

//! One call: what goes to a provider and what comes back.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::{Availability, CallError, Environment, ProviderName, Reach, Turn};
use crate::transcript::Alias;

/// What [`Provider::call`] returns.
pub type CallFuture<'a> = Pin<Box<dyn Future<Output = Result<Reply, CallError>> + Send + 'a>>;

/// What [`Provider::turn`] returns: held while one is asking.
pub type TurnFuture<'a> = Pin<Box<dyn Future<Output = Option<Turn>> + Send + 'a>>;

/// Is called with pieces of the answer as they arrive.
pub(crate) type OnText<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// One way to get an answer out of a model.
pub trait Provider: Send + Sync {
    /// The name it was defined under.
    fn name(&self) -> &ProviderName;

    /// Sends one prompt and waits for one answer.
    ///
    /// Ends within a second of the deadline, whatever the other side does. Dropping the future
    /// ends all that it started.
    ///
    /// # Errors
    ///
    /// [`CallError`] for anything but one whole answer.
    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a>;

    /// Waits until it may be called, where it takes so many calls at once and no more. What is waited here counts
    /// for no deadline.
    fn turn(&self) -> TurnFuture<'_> {
        Box::pin(std::future::ready(None))
    }

    /// Is what it needs there (a program on `PATH`, a script, a key)?
    fn availability(&self, env: &Environment) -> Availability;
}

/// One question to a provider.
#[derive(Clone)]
pub struct Request<'a> {
    /// How the prompt begins: other requests of the same turn begin with it too, and later ones with
    /// most of it, so that a service may keep it. Perhaps empty.
    pub prefix: Arc<str>,
    /// How the prompt goes on.
    pub tail: &'a str,
    /// Who is asked, and in which step of the discussion.
    pub context: &'a CallContext,
    /// How long the call may take, from now.
    pub deadline: Duration,
    /// Bytes of an answer after which the call is ended, since no more was set aside for it; services are told their
    /// limit in tokens instead.
    pub longest: Option<usize>,
    /// US dollars that it may cost, where money is limited; programs that know such a limit are told it.
    pub usd: Option<f64>,
    /// Is told the answer's text piece by piece; a later failure makes what it was told void.
    pub on_text: Option<OnText<'a>>,
}

impl Request<'_> {
    /// The whole prompt.
    pub fn prompt(&self) -> String {
        format!("{}{}", self.prefix, self.tail)
    }
}

/// Which step of which discussion a call belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct CallContext {
    /// Who speaks.
    pub participant: Alias,
    /// The phase's id.
    pub phase: String,
    /// The turn's number.
    pub turn: u32,
    /// The discussion's file.
    pub file: PathBuf,
    /// How freely to answer, from 0; `None` leaves it to the provider.
    pub temperature: Option<f64>,
    /// What the model may look at; it gets no more than its provider can grant.
    pub reach: Reach,
}

/// One whole answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// What was said; never empty.
    pub text: String,
    /// The model that said it, where the provider tells.
    pub model: Option<String>,
    /// Tokens, where the provider tells.
    pub usage: Option<Usage>,
    /// Price in USD, where the provider tells.
    pub usd: Option<f64>,
    /// Why it ended, in a stable word (`stop`, `length`), where the provider tells.
    pub finish: Option<String>,
    /// What was odd about the call, in sentences for people.
    pub warnings: Vec<String>,
}

/// Tokens of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// All tokens of the prompt, cached ones included.
    pub input_tokens: u64,
    /// Those of them that came from the service's cache.
    pub cached_input_tokens: u64,
    /// Those of them that were put into the service's cache, where that costs more.
    pub written_input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
}

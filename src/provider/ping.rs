//! A short test call: does the provider answer?

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;

use super::{CallContext, CallError, Provider, Reply, Request, ToolPermissions};
use crate::transcript::Alias;

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
    let context = CallContext {
        participant: who,
        phase: "ping".to_owned(),
        turn: 0,
        file: PathBuf::new(),
        temperature: None,
        reach: ToolPermissions::default(),
    };
    let start = Instant::now();
    let request = Request {
        prefix: "".into(),
        tail: PING_PROMPT,
        context: &context,
        deadline,
        longest: None,
        usd: None,
        on_text: None,
    };
    let reply = provider.call(request).await?;
    Ok(Ping { reply, took: start.elapsed() })
}

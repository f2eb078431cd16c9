//! Does a provider answer at all?

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;

use super::{CallContext, CallError, Provider, Reach, Reply, Request};
use crate::transcript::Alias;

/// What a ping asks: as little as can be answered.
pub(crate) const PING_PROMPT: &str = "Reply with the one word OK and nothing else.\n";

/// An answered ping.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ping {
    /// What came back.
    pub reply: Reply,
    /// How long it took.
    pub took: Duration,
}

/// Asks a provider one small question, once; `who` is whom it is told it speaks for.
///
/// # Errors
///
/// [`CallError`] as any call; it costs what one small call costs.
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
        reach: Reach::default(),
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

//! A provider that follows a script: for tests and demonstrations.

mod script;

use std::collections::HashMap;
use std::path::PathBuf;

use parking_lot::Mutex;
use tokio::time::sleep;

pub use self::script::{Fault, Script, ToldFault};
use super::{
    Availability, CallError, CallFuture, Environment, FailureCode, Provider, ProviderName, Reply,
    Request,
};
use crate::transcript::Alias;

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
    #[cfg(feature = "internals")]
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

#[cfg(test)]
mod tests;

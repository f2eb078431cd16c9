//! A provider that answers from a script and records its calls and how many were parallel.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use discussions::provider::{
    Availability, CallFuture, Environment, Provider, ProviderName, Request, Scripted,
};

use crate::project::script;

/// One call as the provider saw it.
#[derive(Clone, Debug)]
pub(crate) struct RecordedCall {
    pub(crate) who: String,
    pub(crate) phase: String,
    pub(crate) turn: u32,
    pub(crate) prompt: String,
    pub(crate) temperature: Option<f64>,
    pub(crate) deadline: Duration,
    /// The number of calls that were running when this one had begun, including itself.
    pub(crate) running: u32,
}

pub(crate) struct RecordingProvider {
    script: Arc<Scripted>,
    calls: Mutex<Vec<RecordedCall>>,
    running: AtomicU32,
}

impl RecordingProvider {
    /// Creates a provider that answers with this script and records its calls.
    pub(crate) fn new(yaml: &str) -> Arc<Self> {
        Arc::new(Self {
            script: script(yaml),
            calls: Mutex::default(),
            running: AtomicU32::default(),
        })
    }

    /// All calls in the order in which they began.
    pub(crate) fn calls(&self) -> Vec<RecordedCall> {
        self.calls.lock().unwrap().clone()
    }

    pub(crate) fn call_count(&self) -> usize {
        self.calls.lock().unwrap().len()
    }

    /// The prompt of the n-th call (from 0) of a participant in a phase.
    pub(crate) fn prompt(&self, who: &str, phase: &str, number: usize) -> String {
        let calls = self.calls();
        let mut found = calls.iter().filter(|call| call.who == who && call.phase == phase);
        found.nth(number).unwrap_or_else(|| panic!("{who} in {phase}, {number}")).prompt.clone()
    }

    /// The maximum number of parallel calls in a turn.
    pub(crate) fn at_once(&self, turn: u32) -> u32 {
        let calls = self.calls();
        let here = calls.iter().filter(|call| call.turn == turn);
        here.map(|call| call.running).max().unwrap_or(0)
    }
}

impl Provider for RecordingProvider {
    fn name(&self) -> &ProviderName {
        self.script.name()
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
            self.calls.lock().unwrap().push(RecordedCall {
                who: request.context.participant.to_string(),
                phase: request.context.phase.clone(),
                turn: request.context.turn,
                prompt: request.prompt(),
                temperature: request.context.temperature,
                deadline: request.deadline,
                running,
            });
            let result = self.script.call(request).await;
            self.running.fetch_sub(1, Ordering::SeqCst);
            result
        })
    }

    fn availability(&self, environment: &Environment) -> Availability {
        self.script.availability(environment)
    }
}

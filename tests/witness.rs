//! A provider that obeys a script and remembers what it was asked, and how many calls ran at once.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use discussions::provider::{
    Availability, CallFuture, Environment, Provider, ProviderName, Request, Scripted,
};

use crate::stage::script;

/// One call as the provider saw it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) who: String,
    pub(crate) phase: String,
    pub(crate) turn: u32,
    pub(crate) prompt: String,
    pub(crate) temperature: Option<f64>,
    pub(crate) deadline: Duration,
    /// Calls that ran when this one had begun, itself among them.
    pub(crate) running: u32,
}

pub(crate) struct Witness {
    script: Arc<Scripted>,
    asked: Mutex<Vec<Asked>>,
    running: AtomicU32,
}

impl Witness {
    /// A witness of calls that this script answers.
    pub(crate) fn new(yaml: &str) -> Arc<Self> {
        Arc::new(Self {
            script: script(yaml),
            asked: Mutex::default(),
            running: AtomicU32::default(),
        })
    }

    /// All calls in the order in which they began.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// The prompt of somebody's call of a number, from 0, in a phase.
    pub(crate) fn prompt(&self, who: &str, phase: &str, number: usize) -> String {
        let asked = self.asked();
        let mut calls = asked.iter().filter(|asked| asked.who == who && asked.phase == phase);
        calls.nth(number).unwrap_or_else(|| panic!("{who} in {phase}, {number}")).prompt.clone()
    }

    /// Most calls that ran at once in a turn.
    pub(crate) fn at_once(&self, turn: u32) -> u32 {
        let asked = self.asked();
        let here = asked.iter().filter(|asked| asked.turn == turn);
        here.map(|asked| asked.running).max().unwrap_or(0)
    }
}

impl Provider for Witness {
    fn name(&self) -> &ProviderName {
        self.script.name()
    }

    fn call<'a>(&'a self, request: Request<'a>) -> CallFuture<'a> {
        Box::pin(async move {
            let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
            self.asked.lock().unwrap().push(Asked {
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

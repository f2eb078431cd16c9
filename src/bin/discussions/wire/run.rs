//! `turn --json` and `run --json`.

use discussions::runner::{CallReport, RunReport};
use serde::Serialize;

use super::StatusDocument;

/// What a turn or a run did, and where the discussion stands now.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunDocument {
    file: String,
    turns: u32,
    calls: Vec<CallDocument>,
    stopped: &'static str,
    status: StatusDocument,
}

/// One participant that was asked.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CallDocument {
    participant: String,
    provider: String,
    turn: u32,
    ms: u64,
    /// Prompt and answer together.
    tokens: Option<u64>,
    cached_prefix: usize,
    outcome: &'static str,
}

impl RunDocument {
    /// What a turn or a run did.
    pub(crate) fn new(file: String, report: &RunReport, status: StatusDocument) -> Self {
        Self {
            file,
            turns: report.turns,
            calls: report.calls.iter().map(CallDocument::from).collect(),
            stopped: report.stopped.as_str(),
            status,
        }
    }
}

impl From<&CallReport> for CallDocument {
    fn from(call: &CallReport) -> Self {
        Self {
            participant: call.participant.to_string(),
            provider: call.provider.clone(),
            turn: call.turn,
            ms: call.ms,
            tokens: call.tokens.map(|tokens| tokens.input.saturating_add(tokens.output)),
            cached_prefix: call.cached_prefix,
            outcome: call.outcome.as_str(),
        }
    }
}
